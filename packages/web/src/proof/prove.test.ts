import { readBundle, readEvidence } from '@fairball/domain/protocol/bundle'
import { asciiBytes } from '@fairball/domain/protocol/bytes'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { TEST_ROUNDS, TestOperator, TEST_POLICY } from '@fairball/domain/protocol/operator-fixture'
import { isProven } from '@fairball/domain/protocol/verify'
import { expect, it } from 'vitest'
import { PlayersOrder } from '../testing/served-operator.ts'
import { prove, type ProofRequest } from './prove.ts'

const ME = 'player-1'
const SECRET = nobleHash(asciiBytes('the order'))
const LINES = [[1, 2, 3]]
const NO_TRUST = { policy: null, key: null, sights: [], heads: [] }

/** A draw that is settled, with a play of the player in it. @param isSold whether the play was added to the draw */
async function settled(isSold = true) {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const order = new PlayersOrder(draw, { secret: SECRET, username: ME, lines: LINES })
  const others = [
    { secret: nobleHash(asciiBytes('another')), username: 'other', lines: [[4, 5, 6]], free: 0, rate: 3000 },
  ]
  const own = { secret: SECRET, username: ME, lines: LINES, free: 0, rate: 3000 }
  operator.sell(draw, isSold ? [...others, own] : others)
  operator.closeDraw(draw)
  await operator.seal(draw)
  operator.settle(draw)
  return { operator, draw, order }
}

const asked = (request: Pick<ProofRequest, 'bundle'> & Partial<ProofRequest>) =>
  prove({ trust: { ...NO_TRUST, policy: TEST_POLICY }, roots: new Map(), plays: [], ...request }, TEST_ROUNDS)

it('a draw is proved, with its facts, its numbers ball by ball, and the player’s play in its place', async () => {
  const { operator, draw, order } = await settled()
  const bundle = await operator.bundle()
  const { report, draws, plays, evidence } = asked({ bundle, plays: [{ id: order.id, isMoved: false }] })
  expect(report.outcome).toBe('proved')
  expect(evidence).toBeNull()
  expect(plays).toEqual([{ id: order.id, where: 'found', index: 1, lines: LINES }])
  const [{ facts } = { facts: null }] = draws
  expect(facts).toMatchObject({ game: 'test-game', number: 1, isVoid: false, startAt: draw.start })
  expect(facts?.close).toMatchObject({ hash: draw.close?.hash, size: 2, lines: 2 })
  expect(facts?.derivation?.balls.map(({ number }) => number)).toEqual(draws[0]?.report.numbers)
  expect(facts?.tiers?.map(({ kind }) => kind)).toEqual(['jackpot', 'fixed', 'free'])
})

it('a draw holds without being proved if no trusted witness saw the list in time', async () => {
  const { operator } = await settled()
  const { report } = asked({ bundle: await operator.bundle(), trust: NO_TRUST })
  expect(report.outcome).toBe('holds')
})

it('a promised play is reported as missing or as moved', async () => {
  const { operator, order } = await settled(false)
  const bundle = await operator.bundle()
  const where = (isMoved: boolean) => asked({ bundle, plays: [{ id: order.id, isMoved }] }).plays[0]?.where
  expect(where(false)).toBe('missing')
  expect(where(true)).toBe('moved')
  const [draw] = bundle.draws
  const part = { ...bundle, draws: draw === undefined ? [] : [{ ...draw, plays: null }] }
  expect(asked({ bundle: part, plays: [{ id: order.id, isMoved: false }] }).plays[0]?.where).toBe('unknown')
})

it('a free play that is missing from its draw gives evidence that anyone can check', async () => {
  const { operator, order } = await settled(false)
  const paper = { note: order.promise(), secret: null, username: null, lines: null, path: [], preimage: null }
  const { report, evidence } = asked({ bundle: await operator.bundle(undefined, [paper]) })
  expect(report.failed).toEqual(['promise.kept'])
  expect(isProven(readEvidence(evidence ?? ''), TEST_ROUNDS)).toBe(true)
})

it('a fork gives evidence with a kept head', async () => {
  const { operator } = await settled()
  const bundle = await operator.bundle()
  const other = new TestOperator(1_700_000_500)
  while (other.statements.length < operator.statements.length)
    other.append('paid', { size: other.statements.length, root: '0'.repeat(64), draw: [] })
  const trust = { ...NO_TRUST, policy: TEST_POLICY, heads: [other.checkpoint(other.now)] }
  const { report, evidence } = asked({ bundle, trust })
  expect(report.failed).toEqual(['log.remembered'])
  expect(readEvidence(evidence ?? '')).toMatchObject({ kind: 'fork' })
  expect(isProven(readEvidence(evidence ?? ''))).toBe(true)
})

it('a fault that only this browser saw gives no evidence', async () => {
  const { operator, draw } = await settled()
  const sights = [{ open: draw.open.hash, hash: 'ab'.repeat(32), at: draw.start - 5 }]
  const { report, evidence } = asked({ bundle: await operator.bundle(), trust: { ...NO_TRUST, sights } })
  expect(report.failed).toEqual(['seal.seen'])
  expect(evidence).toBeNull()
})

/** Vectors of the protocol: bundles with genuine rounds of the public beacon. */
const VECTORS: Record<string, string> = import.meta.glob(
  '../../../domain/vectors/fairness-v2/{index,bundle-A4,bundle-A11b,bundle-A1,bundle-B5,bundle-A7a,bundle-honest-void}.json',
  { query: '?raw', import: 'default', eager: true },
)
const vector = (name: string) => VECTORS[`../../../domain/vectors/fairness-v2/${name}.json`] ?? ''

it.each([
  ['honest-void', 'proved'],
  ['A1', 'holds'],
  ['A7a', 'not yet'],
  ['A4', 'failed'],
  ['A11b', 'failed'],
  ['B5', 'broken'],
])('the bundle %s of the protocol’s vectors is judged as %s, with evidence only of a failure', (id, outcome) => {
  const { default_trust: trust } = JSON.parse(vector('index')) as { default_trust: object }
  const proof = prove({
    bundle: readBundle(vector(`bundle-${id}`)),
    trust: { ...NO_TRUST, ...trust },
    roots: new Map(),
    plays: [],
  })
  expect(proof.report.outcome).toBe(outcome)
  expect(proof.evidence === null).toBe(outcome !== 'failed')
})

it('a draw fails if the served log does not continue a kept head', async () => {
  const { operator } = await settled()
  const bundle = await operator.bundle()
  const trust = { ...NO_TRUST, policy: TEST_POLICY, heads: [new TestOperator().checkpoint(0)] }
  const size = readCheckpoint(trust.heads[0] ?? '')?.size ?? 0
  const roots = new Map([[size, new Uint8Array(32)]])
  expect(asked({ bundle, trust, roots }).report.failed).toEqual(['log.remembered'])
})
