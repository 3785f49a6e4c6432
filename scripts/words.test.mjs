import { expect, it } from 'vitest'
import { foundIn, textsOf } from './words.mjs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

it.each([
  ['It is sent by itself.', 'automatically'],
  ['Your e-mail address', 'email'],
  ['Whoever plays', 'name the person'],
  ['the draw goes on', 'continues'],
])('the sentence "%s" is refused, with the remedy', (text, remedy) => {
  expect(foundIn('docs/x.md', text)).toEqual([expect.stringContaining(remedy)])
})

it('pages, mails and docs are all checked', () => {
  const texts = textsOf(ROOT)
  for (const file of ['README.md', 'docs/operations.md', 'packages/server/src/modules/identity/mails.ts'])
    expect(texts).toContain(file)
  expect(texts.filter((file) => file.startsWith('packages/web/')).length).toBeGreaterThan(15)
})

it('a cell of more than 200 characters is refused, however wide its column is', () => {
  const wide = `| ${'x'.repeat(200)} | short ${' '.repeat(300)} |`
  expect(foundIn('docs/x.md', wide)).toEqual([])
  expect(foundIn('docs/x.md', wide.replace('short', 'y'.repeat(201)))).toEqual([expect.stringContaining('201')])
})
