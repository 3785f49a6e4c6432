import { describe, expect, it } from 'vitest'
import { QUICKNET } from './chain.ts'
import { fixedPlay, gameOf } from './draw-fixture.ts'
import { chainOf, drawRecord, dueAtOf, ofType, roundBefore } from './draw-record.ts'
import { verifyLog } from './log.ts'
import { OperatorFixture } from './operator-fixture.ts'

const LOTTO = gameOf('bitcoin-lotto')

/** What the log of an operator says of its draw 1. */
function recordOf(operator: OperatorFixture) {
  const record = drawRecord(verifyLog(operator.notes).statements, 'bitcoin-lotto', 1)
  if (record === null) throw new Error('the log opens the draw')
  return record
}

describe('the record of a draw', () => {
  it('goes from open to closed to settled, or to void', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [fixedPlay('alice', 1, LOTTO)])
    expect(recordOf(operator)).toMatchObject({ state: 'open', close: null, isReopened: false, results: [] })
    const closeHash = operator.close(draw)
    expect(recordOf(operator)).toMatchObject({ state: 'closed', close: { hash: closeHash }, isReopened: false })
    operator.result(draw, closeHash)
    expect(recordOf(operator)).toMatchObject({ state: 'settled', isReopened: false })
    operator.append({ type: 'void', open: draw.openHash, reason: 'outage' })
    expect(recordOf(operator).state).toBe('void')
  })

  it('holds what is said of this draw alone, whatever is said of others', () => {
    const operator = new OperatorFixture()
    const [draw, other] = [operator.open(1, []), operator.open(2, [])]
    const { start, round } = operator.openOf(draw)
    operator.postpone(other, 'outage', operator.openOf(other).start)
    operator.settle(other)
    operator.append({ type: 'void', open: other.openHash, reason: 'outage' })
    expect(recordOf(operator)).toMatchObject({
      state: 'open',
      postpones: [],
      closes: [],
      voids: [],
      results: [],
      startAt: start,
      round,
    })
    const statements = verifyLog(operator.notes).statements
    expect(drawRecord(statements, 'bitcoin-hero', 1)).toBeNull()
    expect(drawRecord(statements, 'bitcoin-lotto', 3)).toBeNull()
  })

  it('has start and round of the last postponement, and knows which round was in force before', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [])
    const open = operator.openOf(draw)
    const first = operator.postpone(draw, 'outage', open.start)
    const second = operator.postpone(draw, 'outage', open.start + 2000)
    const record = recordOf(operator)
    expect(record.round).toBe(second)
    expect(record.startAt).toBe(Math.ceil((open.start + 2900) / 60) * 60)
    const [one, two] = record.postpones.map(({ statement }) => statement.seq) as [number, number]
    expect([one, one + 1, two, two + 1].map((seq) => roundBefore(record, seq))).toEqual([
      open.round,
      first,
      first,
      second,
    ])
  })

  it('is reopened by a postponement after its seal, not by one before it', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [])
    const round = operator.postpone(draw, 'outage', operator.openOf(draw).start)
    operator.close(draw, { round, time: operator.openOf(draw).start + 100 })
    expect(recordOf(operator).isReopened).toBe(false)
    operator.postpone(draw, 'witness', operator.openOf(draw).start + 1000)
    expect(recordOf(operator).isReopened).toBe(true)
  })
})

describe('the chain of a draw', () => {
  it('is the public one that is compiled in, or what the log described before the draw', () => {
    const operator = new OperatorFixture()
    const draw = operator.open(1, [])
    const { statements } = verifyLog(operator.notes)
    const open = operator.openOf(draw)
    expect(chainOf(statements, open)).toEqual({ chain: operator.chain, isPublic: false })
    expect(chainOf([], { ...open, chain: QUICKNET.hash })).toEqual({ chain: QUICKNET, isPublic: true })
    expect(chainOf([], open)).toBeNull()
    expect(chainOf(statements, { ...open, seq: 1 })).toBeNull()
    expect(ofType(statements, 'chain')).toHaveLength(1)
  })

  it('has rounds that no time is long enough for', () => {
    expect(dueAtOf(1n, QUICKNET)).toBe(QUICKNET.genesisAt)
    expect(dueAtOf(2n ** 64n - 1n, QUICKNET)).toBeNull()
    expect(dueAtOf(0n, QUICKNET)).toBeNull()
  })
})
