import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import type { Evidence } from './bundle.ts'
import { toHex } from './bytes.ts'
import { checkpointText } from './checkpoint.ts'
import { publicKeyOf } from './ed25519.ts'
import { evidenceOfDraw } from './evidence.ts'
import { nobleHash } from './hash.ts'
import { signNote } from './note.ts'
import { TEST_ROUNDS, TEST_TRUST, TestOperator } from './operator-fixture.ts'
import { plays } from './read-log-fixture.ts'
import { bundleOf, VECTOR_ROUNDS } from './vectors-fixture.ts'
import { verifyBundle, verifyBundleText, verifyEvidence } from './verify.ts'

const SEED = new Uint8Array(32).fill(1)
const KEY = toHex(publicKeyOf(SEED))
const ORIGIN = 'test.example/fairball'
const brokenBy = (why: string) => ({
  outcome: 'broken',
  reasons: [why],
  checks: {},
  draws: [],
  failed: [],
  warned: [],
  broken: [],
})

describe('a file', () => {
  it('that is no bundle is broken, with the reason', () => {
    expect(verifyBundleText('[]')).toEqual(brokenBy('The bundle is not an object.'))
    expect(verifyBundleText('{')).toMatchObject({ outcome: 'broken', draws: [] })
  })
})

describe('evidence of a draw', () => {
  const evidence = evidenceOfDraw(bundleOf('A11'), VECTOR_ROUNDS)
  assert(evidence !== null, 'no evidence')
  const judge = (changes: Partial<Evidence>) => verifyEvidence({ ...evidence, ...changes }, VECTOR_ROUNDS)
  const FORM = brokenBy('Evidence of a draw has a bundle, failed checks and no notes.')
  const OTHER_CHECKS = brokenBy('The bundle of this evidence does not fail in the checks that it names.')

  it('proves the checks that it names, or some of them', () => {
    expect(judge({})).toMatchObject({ outcome: 'failed', failed: evidence.failed })
    expect(judge({ failed: evidence.failed.slice(0, 1) }).outcome).toBe('failed')
  })

  it('is broken in another form, or if it names other checks', () => {
    expect(judge({ bundle: null })).toEqual(FORM)
    expect(judge({ failed: [] })).toEqual(FORM)
    expect(judge({ notes: ['a note'] })).toEqual(FORM)
    expect(judge({ failed: [...evidence.failed, 'money.pool.x'] })).toEqual(OTHER_CHECKS)
    expect(judge({ bundle: bundleOf('honest') })).toEqual(OTHER_CHECKS)
  })

  it('of another log’s key is broken, and says which check', () => {
    const { outcome, broken, checks } = judge({ key: 'ab'.repeat(32) })
    expect([outcome, broken, checks['log.keys']?.status]).toEqual(['broken', ['log.keys'], 'broken'])
  })
})

describe('evidence of a fork', () => {
  const headOf = (value: number, { size = 7, origin = ORIGIN, seed = SEED } = {}) =>
    signNote(checkpointText(origin, { size, root: nobleHash(Uint8Array.of(value)) }), origin, seed)
  const [one, other] = [headOf(1), headOf(2)]
  const judge = (notes: readonly string[], changes: Partial<Evidence> = {}) =>
    verifyEvidence({ kind: 'fork', failed: [], bundle: null, notes, key: KEY, ...changes })
  const FORM = brokenBy('Evidence of a fork has two heads and nothing else.')
  const NOT_TWO = brokenBy('These are not two heads of one log and size with unlike roots.')
  const NOT_SIGNED = brokenBy('The key of this evidence did not sign both heads.')

  it('proves that one key signed two heads of one size', () => {
    expect(judge([one, other])).toMatchObject({
      outcome: 'failed',
      failed: ['log.remembered'],
      draws: [],
      checks: {
        'log.remembered': { status: 'fail', why: `${ORIGIN} signed two heads of size 7 with unlike roots` },
      },
    })
  })

  it.each<[string, ReturnType<typeof judge>, object]>([
    ['one head', judge([one]), FORM],
    ['three heads', judge([one, other, headOf(3)]), FORM],
    ['a first head that is none', judge(['no head', other]), FORM],
    ['a second head that is none', judge([one, 'no head']), FORM],
    ['a bundle', judge([one, other], { bundle: bundleOf('honest') }), FORM],
    ['failed checks', judge([one, other], { failed: ['log.remembered'] }), FORM],
    ['heads of two logs', judge([one, headOf(2, { origin: 'other.example/fairball' })]), NOT_TWO],
    ['heads of two sizes', judge([one, headOf(2, { size: 8 })]), NOT_TWO],
    ['one head twice', judge([one, one]), NOT_TWO],
    ['a head of another key', judge([one, headOf(2, { seed: new Uint8Array(32).fill(2) })]), NOT_SIGNED],
    ['another key', judge([one, other], { key: 'ab'.repeat(32) }), NOT_SIGNED],
  ])('is broken with %s', (_what, report, expected) => {
    expect(report).toEqual(expected)
  })
})

describe('a void draw', () => {
  it('does not wait for its random number, and its money is checked', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(3))
    operator.closeDraw(draw, { added: 1n })
    await operator.seal(draw)
    operator.giveUp(draw, 'beacon')
    const steps: string[] = []
    const options = { ...TEST_ROUNDS, onStep: (step: string) => steps.push(step) }
    const { draws } = verifyBundle(await operator.bundle(), TEST_TRUST, options)
    expect(steps).toEqual(['log', 'open', 'seal', 'money', 'papers'])
    expect(draws[0]?.numbers).toBeNull()
    expect(draws[0]?.checks['money.pool']?.status).toBe('fail')
    expect(draws[0]?.checks).not.toHaveProperty('beacon.signature')
  })
})
