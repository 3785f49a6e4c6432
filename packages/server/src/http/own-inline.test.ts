import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ownInline } from './own-inline.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

it("the page's own inline scripts and styles are named by their hashes, each once, and lose their mark", () => {
  const page = (mark: string) =>
    `<style nonce="${mark}" id="a">p{}</style><script nonce="${mark}">one()</script><script nonce="${mark}" data-x="">two()
three()</script><script nonce="${mark}">one()</script><script type="module" src="/a.js"></script>`
  const first = ownInline(page('m-1_a'), 'm-1_a')
  expect(first.inline).toEqual({ scripts: [hashOf('one()'), hashOf('two()\nthree()')], styles: [hashOf('p{}')] })
  expect(first.html).toBe(page('X').replaceAll(' nonce="X"', ''))
  expect(ownInline(page('another'), 'another')).toEqual(first)
})

it('what got into a page in another way has no mark, so it gets no hash', () => {
  const { inline } = ownInline(
    '<p title=" nonce="mark"><script>bad()</script><script nonce="guessed">bad()</script><script nonce="mark">good()</script>',
    'mark',
  )
  expect(inline).toEqual({ scripts: [hashOf('good()')], styles: [] })
})
