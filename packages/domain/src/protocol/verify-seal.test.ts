import { describe, expect, it } from 'vitest'
import { assert } from '../assert.ts'
import type { BundleDraw } from './bundle.ts'
import { readCheckpoint } from './checkpoint.ts'
import { nobleHash } from './hash.ts'
import { KnownLog, type Logged } from './known-log.ts'
import { TEST_TRUST, type TestDraw, TestOperator } from './operator-fixture.ts'
import { readPolicy } from './policy.ts'
import type { ReadRange } from './ranges.ts'
import { again, plays, statementOf } from './read-log-fixture.ts'
import type { CheckId, Status } from './report.ts'
import { NO_TRUST, type Sight, type Trust } from './trust.ts'
import { changedDraw, type Changes, closedDraw, type DrawOfLog, notPassed, settledDraw } from './verify-fixture.ts'
import { continued, dueTime, type Given, judgeSeal } from './verify-seal-fixture.ts'
import { type DrawRanges, readRanges, verifySeal } from './verify-seal.ts'

type Expected = Partial<Record<CheckId, Status>>

function givenUp(reason: 'outage' | 'beacon'): DrawOfLog {
  const closed = closedDraw()
  closed.operator.giveUp(closed.draw, reason)
  return closed
}

/** The last moment to seal a draw. */
const last = (draw: TestDraw) => dueTime(draw) - 60

describe('the sealing of an honest draw', () => {
  it('the sealing of an honest draw passes each of its checks', () => {
    const { sealed, checks } = judgeSeal(settledDraw())
    expect(Object.entries(checks.findings()).map(([id, { status }]) => `${id} ${status}`)).toEqual(
      ['range', 'once', 'seed', 'time', 'witnesses', 'seen'].map((id) => `seal.${id} pass`),
    )
    expect(sealed?.close?.hash).toBe(sealed?.timeline.standing?.hash)
  })

  it('the sealing of an honest draw passes each of its checks if it was put off before', async () => {
    const one = closedDraw()
    await one.operator.postpone(one.draw)
    one.operator.closeDraw(one.draw)
    one.operator.settle(one.draw)
    const { sealed, checks } = judgeSeal(await continued(one))
    expect(notPassed(checks)).toEqual({})
    expect(checks.status('open.postponed')).toBe('pass')
    expect(sealed?.close).toBe(sealed?.timeline.standing)
  })
})

describe('the range of a seal', () => {
  const broken: Expected = { 'seal.range': 'broken' }
  it.each<[string, Given, Expected]>([
    ['begins a second before the end of sales at the latest', { changes: { sold: { time: 1 } } }, {}],
    ['does not run on to the result', { without: 1 }, broken],
    ['has not the close of the result', { start: 5, size: 5 }, broken],
    ['is empty', { start: 9, size: 9 }, broken],
  ])('a range that %s', (_, given, expected) => {
    expect(judgeSeal(settledDraw(), given).found).toEqual(expected)
  })

  it('a range goes back to before the end of sales, or to the first statement', () => {
    const one = settledDraw()
    const { close } = one.draw.open.statement
    expect(judgeSeal(one, { changes: { sold: { time: close - 1 } } }).found).toEqual({})
    expect(judgeSeal(one, { changes: { sold: { time: close } } }).found).toEqual(broken)
    expect(judgeSeal(one, { changes: { log: { time: close } }, start: 0 }).found).toEqual({})
  })

  it.each<[string, (statements: readonly Logged[]) => DrawRanges, () => DrawOfLog, string]>([
    [
      'has not the close of its result is broken',
      (all) => rangeOf(all.filter(({ statement }) => statement.type !== 'close')),
      settledDraw,
      'broken: the close of the result is not among the statements',
    ],
    [
      'is missing is broken',
      () => ({ sealed: null, tail: [] }),
      settledDraw,
      'broken: the statements up to the end of the draw are not here',
    ],
    [
      'is missing waits if the draw is open',
      () => ({ sealed: null, tail: [] }),
      closedDraw,
      'wait: the draw is not sealed yet',
    ],
    [
      'is of another log is broken',
      () => ({ sealed: 'of another log', tail: [] }),
      settledDraw,
      'broken: of another log',
    ],
    [
      'has a tail of another log is broken',
      (all) => ({ ...rangeOf(all), tail: 'a tail of another log' }),
      settledDraw,
      'broken: a tail of another log',
    ],
  ])('a range that %s', (_, rangesOf, made, expected) => {
    const one = made()
    const { log, statements, opened, checks } = changedDraw(one)
    const context = { trust: TEST_TRUST, hash: nobleHash, checks }
    const of = { postpones: one.draw.postpones } as unknown as BundleDraw
    expect(verifySeal(log, opened, of, rangesOf(statements), context)).toBeNull()
    const { status, why } = checks.findings()['seal.range'] ?? {}
    expect(`${status}: ${why}`).toBe(expected)
  })

  it('a draw that was put off waits for its next seal', async () => {
    const closed = closedDraw()
    await closed.operator.postpone(closed.draw)
    const { sealed, checks } = judgeSeal(await continued(closed))
    expect(sealed).toBeNull()
    expect(notPassed(checks)).toEqual({ 'seal.range': 'wait' })
    expect(checks.status('open.postponed')).toBe('pass')
  })

  it('a sealed draw need not wait for its result to be judged', () => {
    expect(judgeSeal(closedDraw()).found).toEqual({})
  })

  it('of a void draw whose close was put off, only the postponement is judged', async () => {
    const closed = closedDraw()
    await closed.operator.postpone(closed.draw)
    closed.operator.giveUp(closed.draw, 'outage', null)
    const { sealed, checks } = judgeSeal(await continued(closed))
    expect(sealed).toMatchObject({ close: null })
    expect(Object.keys(checks.findings())).toEqual(['open.postponed', 'seal.range'])
  })

  it('the ranges of a draw add their statements to the log', async () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.sell(draw, plays(2))
    operator.closeDraw(draw)
    await operator.seal(draw)
    operator.settle(draw)
    const [of] = (await operator.bundle()).draws
    const { seal, tail } = of ?? {}
    assert(of !== undefined && seal != null && tail != null, 'no seal')
    const read = (change: Partial<BundleDraw>) => {
      const { log, statements } = changedDraw({ operator, draw })
      const bare = new KnownLog(log.origin, log.head, log.keys, statements.slice(0, 3))
      const ranges = readRanges(bare, { ...of, ...change }, nobleHash)
      const added = (['sold', 'close', 'result'] as const).filter((type) => bare.all(type).length > 0)
      return [added.join(), ranges.sealed === null ? null : typeof ranges.sealed, typeof ranges.tail]
    }
    expect(read({})).toEqual(['sold,close,result', 'object', 'object'])
    expect(read({ tail: null })).toEqual(['sold,close', 'object', 'object'])
    expect(read({ seal: null })).toEqual(['', null, 'object'])
    expect(read({ seal: { ...seal, left: [] } })).toEqual(['', 'string', 'object'])
    expect(read({ tail: { ...tail, left: [] } })).toEqual(['sold,close', 'object', 'string'])
  })
})

describe('a draw is sealed once', () => {
  const failed: Expected = { 'seal.once': 'fail' }

  it('a draw with two results fails', () => {
    const one = settledDraw()
    again(one.operator, statementOf(one.operator, 'result'), { numbers: [1, 2, 3] })
    expect(judgeSeal(one).found).toEqual(failed)
  })

  it('a draw that is sealed twice for one round fails', () => {
    const one = closedDraw()
    again(one.operator, statementOf(one.operator, 'close'), { short: 1n })
    one.operator.settle(one.draw)
    expect(judgeSeal(one).found).toEqual(failed)
  })

  it('a draw that is sealed again after its result fails', () => {
    const one = settledDraw()
    again(one.operator, statementOf(one.operator, 'close'), { round: 1 })
    expect(judgeSeal(one, { size: 5 }).found).toEqual(failed)
  })

  it('a draw that is not over may have been sealed again behind its range', () => {
    const one = closedDraw()
    const size = one.operator.statements.length
    again(one.operator, statementOf(one.operator, 'close'), { round: 1 })
    const found = judgeSeal({ ...one }, { size, without: 1, seen: 1 }).found
    expect(found).toEqual({})
  })

  it.each([{ size: 2 }, { root: '00'.repeat(32) }, { seed: '00'.repeat(32) }])(
    'a draw that is sealed again with another value fails: %o',
    async (changes) => {
      const one = closedDraw(undefined, plays(3), changes)
      await one.operator.postpone(one.draw)
      one.operator.closeDraw(one.draw)
      one.operator.settle(one.draw)
      expect(judgeSeal(await continued(one)).found).toEqual(failed)
    },
  )

  it('a draw that was sealed for a round that was not its own fails', async () => {
    const one = closedDraw(undefined, plays(3), { round: 1 })
    await one.operator.postpone(one.draw)
    one.operator.closeDraw(one.draw)
    one.operator.settle(one.draw)
    expect(judgeSeal(await continued(one)).found).toEqual(failed)
  })

  it('a draw that was put off, and yet drawn, fails', async () => {
    const one = closedDraw()
    const { round, close } = one.draw
    await one.operator.postpone(one.draw)
    one.draw.round = round
    one.draw.close = close
    one.operator.settle(one.draw)
    const { sealed, found } = judgeSeal(await continued(one))
    expect(sealed?.close?.hash).toBe(close?.hash)
    expect(found).toEqual(failed)
  })

  it('a draw whose result is of the sealed list that was put off fails', async () => {
    const one = closedDraw()
    const { close } = one.draw
    await one.operator.postpone(one.draw)
    one.operator.closeDraw(one.draw)
    const { close: standing } = one.draw
    one.draw.close = close
    one.operator.settle(one.draw)
    one.draw.close = standing
    const { sealed, found } = judgeSeal(await continued(one))
    expect(sealed?.close?.hash).toBe(standing?.hash)
    expect(found).toEqual(failed)
  })

  it('a draw without a close that stands has none if it is void', async () => {
    const one = closedDraw()
    await one.operator.postpone(one.draw)
    one.operator.giveUp(one.draw, 'outage')
    expect(judgeSeal(await continued(one)).sealed?.close).toBeNull()
  })
})

describe('the time and the witnesses of a seal', () => {
  const unseen: Expected = { 'seal.witnesses': 'broken', 'seal.seen': 'unknown' }
  const closedAt = (time: number): Changes => ({ close: { time } })

  it.each<[string, (draw: TestDraw) => Given, Expected]>([
    [
      'with another seed than promised fails',
      () => ({ changes: { close: { seed: '00'.repeat(32) } } }),
      { 'seal.seed': 'fail' },
    ],
    ['at the end of sales passes', ({ open }) => ({ changes: closedAt(open.statement.close) }), {}],
    [
      'before the end of sales fails',
      ({ open }) => ({ changes: closedAt(open.statement.close - 1) }),
      { 'seal.time': 'fail' },
    ],
    ['a minute before its round is due passes', (draw) => ({ changes: closedAt(last(draw)), seen: 0 }), {}],
    ['later fails', (draw) => ({ changes: closedAt(last(draw) + 1), seen: 0 }), { 'seal.time': 'fail', ...unseen }],
    ['that its witnesses saw a minute before it, by a late clock, passes', () => ({ seen: -60 }), {}],
    ['that its witnesses saw earlier is broken', () => ({ seen: -61 }), unseen],
    [
      'that its witnesses saw a minute before its round was due passes',
      (draw) => ({ seen: last(draw) - timeOf(draw) }),
      {},
    ],
    ['that its witnesses saw later is broken', (draw) => ({ seen: last(draw) - timeOf(draw) + 1 }), unseen],
    ['that its witnesses saw without the close is broken', () => ({ size: 4 }), unseen],
    ['whose witnesses are not here is broken', () => ({ opened: { policy: null } }), { 'seal.witnesses': 'broken' }],
    [
      'that asks for no witness holds',
      () => ({ opened: { policy: readPolicy('quorum none\n') } }),
      { 'seal.witnesses': 'unknown' },
    ],
    ['that nobody saw whom the verifier trusts holds', () => ({ trust: NO_TRUST }), { 'seal.seen': 'unknown' }],
  ])('a seal %s', (_, given, expected) => {
    const one = settledDraw()
    expect(judgeSeal(one, given(one.draw)).found).toEqual(expected)
  })

  it('a close that is too late for its round is no fault before there is a result', () => {
    const one = closedDraw()
    const late = { ...unseen, 'seal.time': 'unknown' }
    expect(judgeSeal(one, { changes: closedAt(last(one.draw) + 1), seen: 0 }).found).toEqual(late)
  })

  it('a draw that was given up by an outage lacks its witnesses without fault, but not one without its random number', () => {
    expect(judgeSeal(givenUp('outage'), { seen: 100_000 }).found).toEqual({ ...unseen, 'seal.witnesses': 'unknown' })
    expect(judgeSeal(givenUp('beacon'), { seen: 100_000 }).found).toEqual(unseen)
  })
})

describe('what a verifier saw itself', () => {
  const sight = ({ draw }: DrawOfLog, changes: Partial<Sight> = {}): Trust => {
    const own = { open: draw.open.hash, hash: draw.close?.hash ?? '', at: dueTime(draw) - 1, ...changes }
    return { ...NO_TRUST, sights: [own] }
  }
  const OTHER = 'ab'.repeat(32)

  it.each<[string, (one: DrawOfLog) => Trust, Expected]>([
    ['a close that it saw before its round was due passes', (one) => sight(one), {}],
    [
      'a close that it saw when its round was due does not',
      (one) => sight(one, { at: dueTime(one.draw) }),
      { 'seal.seen': 'unknown' },
    ],
    ['a close that it saw of another draw does not', (one) => sight(one, { open: OTHER }), { 'seal.seen': 'unknown' }],
    ['another close that it saw before fails', (one) => sight(one, { hash: OTHER }), { 'seal.seen': 'fail' }],
    [
      'another close that it saw later does not fail',
      (one) => sight(one, { hash: OTHER, at: dueTime(one.draw) }),
      { 'seal.seen': 'unknown' },
    ],
  ])('%s', (_, trust, expected) => {
    const one = settledDraw()
    expect(judgeSeal(one, { trust: trust(one) }).found).toEqual(expected)
  })

  it('another close that it saw fails a draw that is over, though a trusted witness saw the one that stands', () => {
    const one = settledDraw()
    const trust = { ...TEST_TRUST, sights: sight(one, { hash: OTHER }).sights }
    expect(judgeSeal(one, { trust }).found).toEqual({ 'seal.seen': 'fail' })
  })

  it('another close that it saw does not fail a draw that is not over, since it may be logged behind the range', () => {
    const one = closedDraw()
    expect(judgeSeal(one, { trust: sight(one, { hash: OTHER }) }).found).toEqual({ 'seal.seen': 'unknown' })
  })

  it('a close that was put off is no other one', async () => {
    const one = closedDraw()
    const trust = sight(one)
    await one.operator.postpone(one.draw)
    one.operator.closeDraw(one.draw)
    one.operator.settle(one.draw)
    expect(judgeSeal(await continued(one), { trust }).found).toEqual({
      'seal.seen': 'unknown',
      'open.postponed': 'unknown',
    })
  })
})

function rangeOf(statements: readonly Logged[]): { sealed: ReadRange; tail: Logged[] } {
  const note = new TestOperator().checkpoint(0)
  const checkpoint = readCheckpoint(note)
  assert(checkpoint !== null, 'no checkpoint')
  return { sealed: { checkpoint, statements }, tail: [] }
}

function timeOf({ close }: TestDraw): number {
  return close?.statement.time ?? 0
}
