import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import type { Bundle, Seal } from './bundle.ts'
import { toHex, utf8Bytes } from './bytes.ts'
import { checkpointText } from './checkpoint.ts'
import { publicKeyOf } from './ed25519.ts'
import { nobleHash } from './hash.ts'
import { signNote, verifierKey } from './note.ts'
import { readPolicy } from './policy.ts'
import { Checks } from './report.ts'
import { type StatementOf, type StatementType, writeStatement } from './statements.ts'
import { inclusionNodes, leafHash, proofOf, rootOf } from './tree.ts'
import { NO_TRUST, type Trust } from './trust.ts'
import { findingsOf } from './verify-fixture.ts'
import { verifyLog } from './verify-log.ts'

const ORIGIN = 'test.example/fairball'
const OTHER = 'other.example/fairball'
const HASH = 'ab'.repeat(32)
const [FIRST, SECOND, THIEF] = [1, 2, 3].map((value) => {
  const seed = new Uint8Array(32).fill(value)
  const key = publicKeyOf(seed)
  return { seed, key: toHex(key), promise: toHex(nobleHash(key)) }
}) as [Key, Key, Key]
interface Key {
  readonly seed: Uint8Array
  readonly key: string
  /** the hash that the key before promises */
  readonly promise: string
}

function textOf<T extends StatementType>(type: T, values: object): string {
  return writeStatement({ type, log: ORIGIN, time: 1000, ...values } as unknown as StatementOf<StatementType>)
}
const logText = (values: object = {}) => textOf('log', { key: FIRST.key, next: SECOND.promise, after: null, ...values })
const keyText = (values: object = {}) => textOf('key', { key: SECOND.key, next: HASH, ...values })
const gameText = (values: object = {}) =>
  textOf('game', { game: 'test-game', version: 1, rules: HASH, from: 1, reason: 'new', pot_to: null, ...values })

/** A head with a root of its own. */
const headOf = (size: number, { seed = FIRST.seed, origin = ORIGIN, root = nobleHash() } = {}) =>
  signNote(checkpointText(origin, { size, root }), origin, seed)

const DRAW = { open: HASH, postpones: [], seal: null, tail: null, beacon: null, plays: null }
const sealOf = (checkpoint: string): Seal => ({ checkpoint, start: 0, left: [], statements: [], consistency: [] })

/** A bundle of all leaves of a log. */
function bundleOf(texts: readonly string[], seed = FIRST.seed): Bundle {
  const hashes = texts.map((text) => leafHash(nobleHash, utf8Bytes(text)))
  const nodeAt = ({ level, index }: { level: number; index: number }) =>
    rootOf(nobleHash, hashes.slice(index * 2 ** level, (index + 1) * 2 ** level))
  const statements = texts.map((text, index) => {
    const path = proofOf(nobleHash, inclusionNodes(index, texts.length), nodeAt).map(toHex)
    return { index, text, path }
  })
  const head = headOf(texts.length, { seed, root: rootOf(nobleHash, hashes) })
  return { head, statements, texts: [], draws: [DRAW], papers: [] }
}

/** What a verifier finds in the log of a bundle: what did not pass, and whether draws can be judged by it. */
function judge(bundle: Bundle, trust: Partial<Trust> = {}, roots: ReadonlyMap<number, Uint8Array | null> = new Map()) {
  const checks = new Checks()
  const log = verifyLog(bundle, { ...NO_TRUST, ...trust }, checks, { hash: nobleHash, roots })
  return { notPassed: findingsOf(checks), isJudged: log !== null, log }
}

const NOT_SIGNED = 'log.head broken: the head is not signed by the key of the log'
const NOT_MEMBER = 'log.member broken: a statement is not in the log, or is not of this log'
const NOT_PROMISED = 'log.keys broken: a key of the log was not promised by the one before'
const NOT_KNOWN = 'log.keys broken: the key known here is not one of this log'
const HONEST = bundleOf([logText(), gameText(), gameText({ version: 2 })])
const without = (bundle: Bundle, index: number): Bundle => ({
  ...bundle,
  statements: bundle.statements.filter((one) => one.index !== index),
})

describe('the log of a bundle', () => {
  it('an honest log is judged, in the order of the log, with its keys', () => {
    const turned = { ...HONEST, statements: HONEST.statements.toReversed() }
    const { notPassed, isJudged, log } = judge(turned)
    expect([notPassed, isJudged]).toEqual([[], true])
    expect(log?.all('game').map(({ index }) => index)).toEqual([1, 2])
    expect(log?.keys.map(({ index, time, publicKey }) => [index, time, toHex(publicKey)])).toEqual([
      [0, 1000, FIRST.key],
    ])
  })

  it.each<[string, Bundle, string[]]>([
    ['no head', { ...HONEST, head: 'no head' }, ['log.head broken: the head is no signed checkpoint']],
    ['no draw', { ...HONEST, draws: [] }, ['log.head broken: the bundle has no draw']],
    ['a head of another key', bundleOf([logText(), gameText()], THIEF.seed), [NOT_SIGNED]],
    [
      'a leaf that does not lead to the head',
      { ...HONEST, statements: HONEST.statements.map((one) => (one.index === 1 ? { ...one, path: [] } : one)) },
      [NOT_MEMBER],
    ],
    ['a leaf given twice', { ...HONEST, statements: HONEST.statements.flatMap((one) => [one, one]) }, [NOT_MEMBER]],
    ['a statement of another log', bundleOf([logText(), gameText({ log: OTHER })]), [NOT_MEMBER]],
    ['no first statement', without(HONEST, 0), [NOT_SIGNED, NOT_PROMISED]],
    ['another first statement', bundleOf([gameText(), logText()]), [NOT_SIGNED, NOT_PROMISED]],
    ['nothing', { ...HONEST, statements: [] }, [NOT_SIGNED, NOT_PROMISED]],
    ['two first statements', bundleOf([logText(), logText({ time: 1001 })]), [NOT_PROMISED]],
    ['a key that was not promised', bundleOf([logText(), keyText({ key: THIEF.key })]), [NOT_PROMISED]],
  ])('draws are not judged by a log with %s', (_what, bundle, notPassed) => {
    expect(judge(bundle)).toMatchObject({ notPassed, isJudged: false })
  })

  it.each<[string, Bundle, string]>([
    ['times that go down', bundleOf([logText(), gameText({ time: 999 })]), 'times go down along the log'],
    ['a leaf that is no statement', bundleOf([logText(), gameText(), 'rent']), 'a leaf of the log is no statement'],
    ['a leaf that stands twice', bundleOf([logText(), gameText(), gameText()]), 'a leaf stands twice'],
  ])('a log with %s is the operator’s fault', (_what, bundle, why) => {
    expect(judge(bundle)).toMatchObject({ notPassed: [`log.order fail: ${why}`], isJudged: true })
  })

  it('a log without a head of its own accuses nobody', () => {
    expect(judge(bundleOf([logText(), gameText({ time: 999 })], THIEF.seed)).notPassed).toEqual([NOT_SIGNED])
  })

  it('a key that the one before promised signs from its statement on', () => {
    const texts = [logText(), keyText({ time: 1500 }), gameText({ time: 1600 })]
    const { notPassed, log } = judge(bundleOf(texts, SECOND.seed))
    expect(notPassed).toEqual([])
    expect(log?.keys.map(({ index, time }) => [index, time])).toEqual([
      [0, 1000],
      [1, 1500],
    ])
    expect(judge(bundleOf(texts)).notPassed).toEqual([NOT_SIGNED])
    const third = keyText({ time: 1700, key: THIEF.key })
    expect(judge(bundleOf([...texts, third], SECOND.seed)).notPassed).toEqual([NOT_PROMISED])
  })
})

describe('the keys that a verifier knows', () => {
  const policyOf = (name: string, { seed }: Key) =>
    readPolicy(`log ${verifierKey({ name, publicKey: publicKeyOf(seed) }, 0x01)}\nquorum none\n`)

  it.each<[string, Partial<Trust>, string[]]>([
    ['its own', { key: FIRST.key }, []],
    ['another one', { key: SECOND.key }, [NOT_KNOWN]],
    ['that of its policy', { policy: policyOf(ORIGIN, FIRST) }, []],
    ['another one in its policy', { policy: policyOf(ORIGIN, SECOND) }, [NOT_KNOWN]],
    ['that of another log in its policy', { policy: policyOf(OTHER, SECOND) }, []],
    ['one of two', { key: SECOND.key, policy: policyOf(ORIGIN, FIRST) }, []],
  ])('a log is compared with %s', (_what, trust, notPassed) => {
    expect(judge(HONEST, trust)).toMatchObject({ notPassed, isJudged: notPassed.length === 0 })
  })
})

describe('the heads that a verifier remembers', () => {
  const size = HONEST.statements.length
  const OTHER_ROOT = 'a head of this size that is remembered here has another root'
  const SHORTER = 'log.remembered unknown: the log that is served is shorter than a remembered head'

  it.each<[string, string, string[]]>([
    ['the head itself', HONEST.head, []],
    ['a head of another size', headOf(size + 1), []],
    ['another head of its size', headOf(size), [`log.remembered fail: ${OTHER_ROOT}`]],
    [
      'another head that the log did not sign',
      headOf(size, { seed: THIEF.seed }),
      [`log.remembered broken: ${OTHER_ROOT}`],
    ],
    ['a head of another log', headOf(size, { origin: OTHER }), []],
    ['no head', 'no head', []],
  ])('a head is compared with %s', (_what, head, notPassed) => {
    expect(judge(HONEST, { heads: [head] })).toMatchObject({ notPassed, isJudged: true })
  })

  it('the heads of seals and postponements are compared, if the log signed them', () => {
    const [sealed, postponed] = [headOf(1), headOf(2)]
    const draws = [
      { ...DRAW, seal: sealOf(sealed), postpones: [sealOf(postponed)] },
      { ...DRAW, postpones: [sealOf(headOf(3, { seed: THIEF.seed })), sealOf('no head')] },
    ]
    const bundle = { ...HONEST, draws }
    const root = nobleHash(new Uint8Array(1))
    for (const at of [1, 2]) {
      expect(judge(bundle, { heads: [headOf(at, { root })] }).notPassed, `${at}`).toEqual([
        `log.remembered fail: ${OTHER_ROOT}`,
      ])
    }
    assert(size === 3, 'the head has the size of the seal that the log did not sign')
    expect(judge(bundle, { heads: [HONEST.head, sealed, postponed] }).notPassed).toEqual([])
  })

  it('the roots that are served now are compared', () => {
    const kept = headOf(9)
    const judged = (root: Uint8Array | null, head = kept) =>
      judge(HONEST, { heads: [head] }, new Map([[9, root]])).notPassed
    expect(judged(nobleHash())).toEqual([])
    expect(judged(nobleHash(new Uint8Array(1)))).toEqual([`log.remembered fail: ${OTHER_ROOT}`])
    expect(judged(null)).toEqual([SHORTER])
    expect(judged(null, headOf(9, { seed: THIEF.seed }))).toEqual([])
    expect(judge(HONEST, { heads: [kept] }).notPassed).toEqual([])
  })
})
