import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import * as sha2 from '@noble/hashes/sha2.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LEAST_SCORE, PARTS } from '../trials/mutation/parts.mjs'
import { hmac as platformHmac } from '../trials/mutation/platform-hmac.ts'
import * as platformSha2 from '../trials/mutation/platform-sha2.ts'

const ROOT = join(import.meta.dirname, '..')
const { counted, table, unnoticed } = createRequire(import.meta.url)('./mutation.cjs')
const readJson = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

/** A mutant in the format of Stryker's report, with its file and line. */
function mutant(status, more = {}) {
  const location = { start: { line: 3, column: 5 }, end: { line: 3, column: 9 } }
  return { status, file: 'packages/a.ts', line: '  return a < b', replacement: 'a <=\n b', location, ...more }
}

describe('the score', () => {
  it('the score is the share of mutants that tests noticed, by a failure or a timeout', () => {
    const mutants = ['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage'].map((status) => mutant(status))
    expect(counted(mutants)).toMatchObject({ mutants: 5, killed: 2, timeouts: 1, survived: 1, 'no coverage': 1 })
    expect(counted(mutants).score).toBe(60)
  })

  it('ignored mutants and mutants that cannot be loaded do not count', () => {
    const mutants = ['Killed', 'Ignored', 'RuntimeError', 'CompileError'].map((status) => mutant(status))
    expect(counted(mutants)).toMatchObject({ mutants: 1, 'left out': 3, score: 100 })
  })

  it('the score is printed as a table, and unnoticed mutants by their place', () => {
    const [head, line, row] = table([{ name: 'ledger', minutes: '2.0', ...counted([mutant('Killed')]) }]).split('\n')
    expect(head).toBe(
      '| part: file | mutants | killed | timeouts | survived | no coverage | left out | score | minutes |',
    )
    expect(line.split('|')).toHaveLength(head.split('|').length)
    expect(row).toBe('| ledger | 1 | 1 | 0 | 0 | 0 | 0 | 100.0% | 2.0 |')
    expect(unnoticed([mutant('Killed'), mutant('Survived')])).toBe('a.ts:3:5  return a < b  =>  a <= b\n')
    expect(unnoticed([mutant('NoCoverage')])).toContain('a.ts:3:5 (reached by no test)')
  })

  it('the least score is 94% for prizes, fairness and ledger', () => {
    expect(LEAST_SCORE).toBe(94)
    expect(Object.keys(PARTS)).toEqual(['prizes', 'fairness', 'ledger'])
  })
})

describe('the mutated files', () => {
  it.each(Object.entries(PARTS))('the files of %s exist, with their tests', (_, { mutate, tests, slow = [] }) => {
    for (const pattern of [...mutate, ...tests, ...slow]) {
      const [folder, ending] = pattern.split('*')
      if (ending === undefined) expect(existsSync(join(ROOT, pattern)), pattern).toBe(true)
      else expect(readdirSync(join(ROOT, folder)).some((name) => name.endsWith(ending))).toBe(true)
    }
  })
})

describe('Stryker', () => {
  it('Stryker is not a package of the project, and uses the vitest of the project', () => {
    const project = Object.keys(readJson('package-lock.json').packages)
    expect(project.filter((place) => place.includes('@stryker-mutator'))).toEqual([])
    const own = Object.keys(readJson('trials/mutation/package-lock.json').packages)
    expect(own).toContain('node_modules/@stryker-mutator/core')
    expect(own).not.toContain('node_modules/vitest')
  })
})

describe('the answers of the curves’ libraries', () => {
  const secret = new Uint8Array(32).fill(7)
  const text = new Uint8Array([1, 2, 3])
  const key = ed25519.getPublicKey(secret)
  const signature = ed25519.sign(text, secret)
  const broken = signature.map((byte, place) => (place === 0 ? byte ^ 1 : byte))
  const answersOf = (one) => [
    one.getPublicKey(secret),
    one.sign(text, secret),
    one.verify(signature, text, key),
    one.verify(broken, text, key),
    one.verify(signature, text.subarray(1), key),
    one.Point.BASE.multiplyUnsafe(7n).add(one.Point.fromBytes(key, false).negate()).toBytes(),
    one.Point.fromBytes(key).isSmallOrder(),
    one.Point.Fn.ORDER,
  ]

  it('an answer is the same when computed, cached, and read by the next process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairball-kept-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    vi.stubEnv('MUTATION_KEPT', join(folder, 'answers'))
    vi.stubEnv('MUTATION_KEEP', '1')
    const fresh = async () => {
      vi.resetModules()
      return (await import('../trials/mutation/kept-ed25519.ts')).ed25519
    }
    const first = await fresh()
    expect(answersOf(first)).toEqual(answersOf(ed25519))
    expect(answersOf(first)).toEqual(answersOf(ed25519))
    expect(readFileSync(join(folder, 'answers'), 'utf8').split('\n')).toHaveLength(9)
    expect(answersOf(await fresh())).toEqual(answersOf(ed25519))
    expect(readFileSync(join(folder, 'answers'), 'utf8').split('\n')).toHaveLength(9)
  })
})

it('the platform’s hashes are those of the library', () => {
  const [key, one, other] = [5, 64, 200].map((length) => new Uint8Array(length).fill(length))
  const stepwise = (state) => state.update(one).update(other).digest()
  for (const [platform, real] of [
    [platformSha2.sha256, sha2.sha256],
    [platformSha2.sha512, sha2.sha512],
  ]) {
    expect(platform(other)).toEqual(real(other))
    expect(stepwise(platform.create())).toEqual(stepwise(real.create()))
    expect(stepwise(platformHmac.create(platform, key))).toEqual(stepwise(hmac.create(real, key)))
  }
})
