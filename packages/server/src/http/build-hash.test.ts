import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { builtFiles, buildHash } from './build-hash.ts'

const FILES = {
  'client/favicon.svg': '<svg/>',
  'client/.vite/manifest.json': '{}',
  'client/assets/shell-1.js': 'go()',
  'client/assets-1.txt': 'sorts before what is in the folder assets',
  'client/Zeta.txt': 'a capital letter sorts before small ones',
  'server/entry-server.js': 'export {}',
}

/** The procedure of docs/supply-chain.md: the definition without this program. */
const BY_HAND = `find client server -type f ! -name '*.br' ! -name '*.gz' | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 sha256sum | sha256sum`

function build(files: Record<string, string> = FILES): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const hashOf = async (folder: string) => buildHash(await builtFiles(folder))

it('the build hash equals sha256sum of the lines of sha256sum', async () => {
  const folder = build()
  const { stdout, status } = spawnSync('sh', ['-c', `command -v sha256sum > /dev/null && ${BY_HAND}`], {
    cwd: folder,
    encoding: 'utf8',
  })
  // Without that program its figure is still here.
  if (status === 0) expect(stdout.trim()).toBe(`${await hashOf(folder)}  -`)
  expect(await hashOf(folder)).toBe('c948a6fd744433acdf9e861b685c208f94619f43676f45e18e251f4a37309d94')
})

it('the build hash does not depend on the folder, on the order or the time of the files, or on compressed copies', async () => {
  const hash = await hashOf(build())
  const other = build(Object.fromEntries(Object.entries(FILES).toReversed()))
  utimesSync(join(other, 'client/favicon.svg'), 1, 1)
  writeFileSync(join(other, 'client/favicon.svg.gz'), 'smaller here')
  writeFileSync(join(other, 'client/favicon.svg.br'), 'smaller there')
  expect(await hashOf(other)).toBe(hash)
})

it.each([
  ['a file changed', { ...FILES, 'server/entry-server.js': 'export {} ' }],
  ['a file more', { ...FILES, 'client/more.js': '' }],
  ['another name', { 'client/a': '1', 'server/b': '2' }],
  ['the contents changed places', { ...FILES, 'client/favicon.svg': '{}', 'client/.vite/manifest.json': '<svg/>' }],
])('the build hash changes: %s', async (_what, files) => {
  expect(await hashOf(build(files))).not.toBe(await hashOf(build()))
})

it('half a build has no hash', async () => {
  await expect(hashOf(build({ 'client/favicon.svg': '' }))).rejects.toThrow(/ENOENT/)
})
