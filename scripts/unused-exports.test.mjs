import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { unusedExports } from './unused-exports.mjs'

/** The unused exports of a repository with these sources, given by file. */
function unusedIn(sources) {
  const root = mkdtempSync(join(tmpdir(), 'fairball-exports-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['packages', 'trials', 'e2e', 'scripts']) mkdirSync(join(root, folder))
  for (const [file, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return unusedExports(root)
}

it.each(['packages/ui/src/a.tsx', 'packages/domain/src/a.ts', 'trials/scan/a.ts', 'e2e/a.ts', 'scripts/a.mjs'])(
  'an export of %s that no other file names is found',
  (file) => {
    expect(unusedIn({ [file]: 'export const used = 1\nexport const more = used' })).toEqual([
      `${file} used`,
      `${file} more`,
    ])
  },
)

it.each([
  ['an import', 'web/src/b.ts', `import { one } from '@fairball/domain/a'`],
  ['an import of its type', 'web/src/b.ts', `import type { one } from '@fairball/domain/a'`],
  ['a member of a namespace', 'domain/src/b.ts', `import * as a from './a.ts'\nconsole.log(a.one)`],
  ['an export of it elsewhere', 'domain/src/b.test.ts', `export { one } from './a.ts'`],
  ['an import at run time', 'domain/src/b.ts', `await import('./a.ts')`],
])('%s names an export', (_what, file, text) => {
  expect(unusedIn({ 'packages/domain/src/a.ts': 'export const one = 1', [`packages/${file}`]: text })).toEqual([])
})

it('an import of a component by its package names an export', () => {
  const use = `import { One } from '@fairball/ui/one.tsx'`
  expect(unusedIn({ 'packages/ui/src/one.tsx': 'export const One = 1', 'packages/web/src/b.ts': use })).toEqual([])
})

it('an export of a file that a tool finds by its path may be unused', () => {
  const entries = ['packages/web/vite.config.ts', 'packages/web/dev-server.ts']
  expect(unusedIn(Object.fromEntries(entries.map((file) => [file, 'export const one = 1']))).length).toBe(0)
})
