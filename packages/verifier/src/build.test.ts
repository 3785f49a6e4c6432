import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VECTORS } from './cli-fixture.ts'

const PACKAGE = join(import.meta.dirname, '..')
const FILES = [
  'fairball-verify.html',
  'fairball-verify.html.sha256',
  'fairball-verify.mjs',
  'fairball-verify.mjs.sha256',
]
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

  it('the build writes the SHA-256 of each file beside it', () => {
    for (const file of ['fairball-verify.html', 'fairball-verify.mjs']) {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
      expect(read(`${file}.sha256`)).toBe(`${hash}  ${file}\n`)
    }
  })

  it('the built files contain no path of the computer', () => {
    for (const file of FILES) expect(read(file)).not.toContain(PACKAGE)
  })
})

describe('the command as one file', () => {
  it('the command runs from a folder with nothing else in it', () => {
    const alone = mkdtempSync(join(tmpdir(), 'fairball-alone-'))
    try {
      copyFileSync(join(folder, 'fairball-verify.mjs'), join(alone, 'fairball-verify.mjs'))
      for (const [id, status] of [
        ['honest', 3],
        ['B10', 1],
      ] as const) {
        const ran = spawnSync(process.execPath, ['fairball-verify.mjs', join(VECTORS, `bundle-${id}.json`)], {
          cwd: alone,
          env: {},
          encoding: 'utf8',
        })
        expect(ran).toMatchObject({ status, stderr: '' })
      }
      expect(statSync(join(folder, 'fairball-verify.mjs')).mode & 0o111).not.toBe(0)
    } finally {
      rmSync(alone, { recursive: true, force: true })
    }
  })

  it('the command imports only modules of Node', () => {
    const statement = /\bimport\s*(?:[\w$*{][^"'`;]*?\bfrom\s*)?["']([^"']+)["']|\bimport\s*\(/g
    const imported = [...read('fairball-verify.mjs').matchAll(statement)].map(([, from]) => from)
    expect(imported.length).toBeGreaterThan(0)
    for (const from of imported) expect(from).toMatch(/^node:/)
  })
})

describe('the offline page', () => {
  const part = (name: string): string =>
    new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(read('fairball-verify.html'))?.[1] ?? ''

  it('the page’s policy allows only its own script and style, and no connections', () => {
    const policy =
      /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(read('fairball-verify.html'))?.[1] ?? ''
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(part('script'))}`,
      `style-src ${hash(part('style'))}`,
      'worker-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  it('the page makes no requests', () => {
    const page = read('fairball-verify.html')
    expect(page).not.toMatch(/\b(src|href|srcset|action)=|@import|url\(|https?:\/\//)
    expect(part('script')).not.toMatch(
      /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|importScripts/,
    )
  })

  it('the page’s script ends at its closing tag', () => {
    expect(read('fairball-verify.html').match(/<\/script/g)).toHaveLength(1)
    expect(() => new Script(part('script'))).not.toThrow()
  })
})
