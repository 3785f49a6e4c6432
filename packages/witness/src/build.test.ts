import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { helpText } from './arguments.ts'

const PACKAGE = join(import.meta.dirname, '..')
const PROGRAM = 'fairball-witness.mjs'
const FILES = [PROGRAM, `${PROGRAM}.sha256`]
const made = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'fairball-build-')))
const [folder = ''] = made
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

beforeAll(() => {
  for (const to of made) {
    const { status, stderr } = spawnSync(process.execPath, [join(PACKAGE, 'build.mjs'), to], {
      cwd: tmpdir(),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }
}, 60_000)
afterAll(() => {
  for (const to of made) rmSync(to, { recursive: true, force: true })
})

describe('the build', () => {
  it('the build is reproducible byte by byte', () => {
    for (const to of made) expect(readdirSync(to).toSorted()).toEqual(FILES)
    for (const file of FILES) {
      const [one, other] = made.map((to) => readFileSync(join(to, file)))
      expect(one?.equals(other ?? Buffer.alloc(0)), file).toBe(true)
    }
  })

  it('the build writes the SHA-256 of the program beside it', () => {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, PROGRAM)))
      .digest('hex')
    expect(read(`${PROGRAM}.sha256`)).toBe(`${hash}  ${PROGRAM}\n`)
  })

  it('the built program contains no path of the computer', () => {
    for (const file of FILES) expect(read(file)).not.toContain(PACKAGE)
  })
})

describe('the program as one file', () => {
  it('the program runs from a folder with nothing else in it', () => {
    const alone = mkdtempSync(join(tmpdir(), 'fairball-alone-'))
    try {
      copyFileSync(join(folder, PROGRAM), join(alone, PROGRAM))
      const ran = spawnSync(process.execPath, [PROGRAM, '--help'], { cwd: alone, env: {}, encoding: 'utf8' })
      expect(ran.stderr).toBe('')
      expect(ran.stdout).toBe(helpText())
      expect(ran.status).toBe(0)
      expect(readdirSync(alone)).toEqual([PROGRAM])
      expect(statSync(join(folder, PROGRAM)).mode & 0o111).not.toBe(0)
    } finally {
      rmSync(alone, { recursive: true, force: true })
    }
  })

  it('the program imports only modules of Node', () => {
    const statements = /(?:^|[\n;}])import\s*(?:[\w$*{},\s]+?from\s*)?["'`]([^"'`]+)["'`]|\bimport\s*\(/g
    const imported = [...read(PROGRAM).matchAll(statements)].map(([, from]) => from)
    expect(imported.length).toBeGreaterThan(0)
    for (const from of imported) expect(from).toMatch(/^node:/)
  })
})
