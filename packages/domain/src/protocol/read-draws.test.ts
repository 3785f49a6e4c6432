import { describe, expect, it } from 'vitest'
import { QUICKNET, roundDueAt, roundOf } from './chain.ts'
import { FIRST_STATE } from './money.ts'
import { TEST_ORIGIN, TEST_POLICY, type TestDraw, TestOperator } from './operator-fixture.ts'
import {
  again,
  brokenByLast,
  closedDraw,
  read,
  RULES_TEXT,
  settledDraw,
  soldDraw,
  statementOf,
} from './read-log-fixture.ts'
import { LogReader } from './read-log.ts'
import type { StatementOf } from './statements.ts'

/** The checks of a draw's statements by a reader of the whole log. */

const WEEK = 604_800
const Z = '0'.repeat(64)

describe('an announcement', () => {
  it.each<[string, (open: StatementOf<'open'>) => object, string[]]>([
    ['that skips a number', () => ({ draw: 3 }), ['open.number']],
    ['that reuses a number', () => ({ draw: 1 }), ['open.number']],
    ['that reuses a seed', () => ({ draw: 2, seedhash: null }), ['open.seed']],
    ['with another round', ({ round }) => ({ draw: 2, round: round + 1 }), ['open.round']],
    [
      'that is dated after its close',
      () => ({ draw: 2, close: 5, start: 305 }),
      ['open.times', 'open.rules', 'open.round'],
    ],
    ['with other rules', () => ({ draw: 2, version: 2 }), ['open.rules']],
    ['whose policy is missing', () => ({ draw: 2, policy: 'ab'.repeat(32) }), ['open.policy']],
    ['whose chain is missing', () => ({ draw: 2, chain: 'ab'.repeat(32) }), ['beacon.chain']],
  ])('an announcement %s is a breach', (_, change, rules) => {
    const operator = new TestOperator()
    const { open } = operator.openDraw()
    const changes = { seedhash: 'ab'.repeat(32), ...change(open.statement) } as { seedhash: string | null }
    again(operator, open, { ...changes, seedhash: changes.seedhash ?? open.statement.seedhash })
    expect(brokenByLast(operator).toSorted()).toEqual(rules.toSorted())
  })

  it('a statement of a draw without an announcement is a breach', () => {
    const { operator } = soldDraw()
    again(operator, statementOf(operator, 'sold'), { open: 'ab'.repeat(32) })
    expect(brokenByLast(operator)).toEqual(['open.form'])
  })
})

describe('a batch', () => {
  it.each<[string, object, string]>([
    ['smaller than the previous one', { size: 19 }, 'sold.extends'],
    ['of the same size with other plays', { root: 'ab'.repeat(32) }, 'sold.extends'],
    ['at a rate in another currency', { size: 21, rate: { currency: 'EUR', value: 3000 } }, 'plays.rate'],
    ['at a rate below the minimum', { size: 21, rate: { currency: 'GBP', value: 99 } }, 'plays.rate'],
  ])('a batch %s is a breach', (_, changes, rule) => {
    const { operator } = soldDraw()
    operator.now += 1
    again(operator, statementOf(operator, 'sold'), changes)
    expect(brokenByLast(operator)).toEqual([rule])
  })

  it('a batch after the sealing is a breach', () => {
    const { operator } = closedDraw()
    again(operator, statementOf(operator, 'sold'), { size: 21 })
    expect(brokenByLast(operator)).toEqual(['sold.extends'])
  })
})

describe('a sealing', () => {
  it.each<[string, Partial<StatementOf<'close'>>, string]>([
    ['with another seed', { seed: 'ab'.repeat(32) }, 'seal.seed'],
    ['for another round', { round: 5 }, 'seal.once'],
    ['that does not name the last batch', { sold: Z }, 'plays.sold'],
    ['with fewer plays than were sold', { size: 19 }, 'plays.sold'],
    ['with other plays than were sold', { root: 'ab'.repeat(32) }, 'plays.sold'],
    ['with more free lines than lines', { free: 50 }, 'plays.counts'],
    ['with a changed pot', { pool: 5n }, 'money.pool'],
    ['with money from nowhere', { added: 5n }, 'money.pool'],
    ['with an invented state', { state: { ...FIRST_STATE, closed: 1, pot: 9n } }, 'money.state'],
    ['that continues nothing', { last: 'ab'.repeat(32) }, 'money.state'],
    ['at an invented rate', { rate: { currency: 'GBP', value: 2999 } }, 'money.rate'],
    ['with a smaller guarantee', { cover: 1n }, 'money.guarantee'],
  ])('a sealing %s is a breach', (_, changes, rule) => {
    const { operator, draw } = soldDraw()
    operator.closeDraw(draw, changes)
    expect(brokenByLast(operator)).toContain(rule)
  })

  it('a sealing before the end of sales is a breach', () => {
    const { operator, draw } = closedDraw()
    const close = statementOf(operator, 'close')
    operator.statements.pop()
    operator.now = draw.open.statement.close - 1
    again(operator, close, { quotes: close.statement.quotes.map((quote) => ({ ...quote, at: operator.now })) })
    expect(brokenByLast(operator)).toEqual(['seal.time'])
  })

  it('a second sealing for one round is a breach', () => {
    const { operator } = closedDraw()
    operator.now += 1
    again(operator, statementOf(operator, 'close'))
    expect(brokenByLast(operator)).toEqual(['seal.once'])
  })

  it('a further sealing with other plays is a breach', async () => {
    const { operator, draw } = closedDraw()
    await operator.postpone(draw)
    draw.leaves.pop()
    operator.closeDraw(draw)
    expect(brokenByLast(operator)).toContain('seal.once')
  })

  it('a sealing of another draw is a breach while a postponed draw waits', async () => {
    const operator = new TestOperator()
    const first = soldDraw(operator).draw
    const second = soldDraw(operator).draw
    operator.closeDraw(first)
    await operator.postpone(first)
    operator.closeDraw(second)
    expect(brokenByLast(operator)).toContain('money.state')
  })

  it('a sealing too late for its round is a doubt, and a breach once there is a result', () => {
    const { operator, draw } = soldDraw()
    operator.now = roundDueAt(QUICKNET, draw.round) - 59
    operator.closeDraw(draw)
    expect(read(operator).of('breach')).toEqual([])
    expect(read(operator).of('doubt')).toEqual([`seal.time ${operator.statements.length - 1}`])
    operator.settle(draw)
    expect(brokenByLast(operator)).toEqual(['seal.time'])
  })

  it('a sealing with less than the promised guarantee is a doubt', () => {
    const { operator, draw } = soldDraw()
    operator.closeDraw(draw, { short: 5n })
    expect(read(operator).faults.map(({ rule, grade }) => [rule, grade])).toEqual([['money.guarantee', 'doubt']])
  })
})

describe('a postponement', () => {
  it.each<[string, (postpone: StatementOf<'postpone'>) => object]>([
    ['to an earlier start', ({ start }) => ({ start: start - 60 })],
    ['to another round', ({ round }) => ({ round: round + 1 })],
  ])('a postponement %s is a breach', async (_, change) => {
    const { operator, draw } = soldDraw()
    await operator.postpone(draw)
    const postpone = statementOf(operator, 'postpone')
    operator.statements.pop()
    again(operator, postpone, change(postpone.statement))
    expect(brokenByLast(operator)).toEqual(['open.postponed'])
  })

  it('a third postponement is a breach', async () => {
    const { operator, draw } = soldDraw()
    for (let times = 0; times < 3; times += 1) await operator.postpone(draw)
    expect(brokenByLast(operator)).toEqual(['open.postponed'])
  })

  it('a postponement after its round was known is a doubt', async () => {
    const { operator, draw } = soldDraw()
    operator.now = roundDueAt(QUICKNET, draw.round)
    await operator.postpone(draw)
    expect(read(operator).of('breach')).toEqual([])
    expect(read(operator).of('doubt')).toHaveLength(1)
  })

  it('a postponement for longer than required is a doubt, unless an earlier draw is unfinished', async () => {
    const later = async (hasEarlier: boolean) => {
      const operator = new TestOperator()
      if (hasEarlier) soldDraw(operator)
      const { draw } = soldDraw(operator)
      await operator.postpone(draw)
      const { statement } = statementOf(operator, 'postpone')
      const postpone = operator.statements.pop()
      const start = statement.start + 3600
      if (postpone !== undefined) again(operator, postpone, { start, round: roundOf(QUICKNET, start) })
      return read(operator)
    }
    expect((await later(false)).of('doubt')).toHaveLength(1)
    expect((await later(true)).faults).toEqual([])
  })
})

describe('a result', () => {
  it.each<[string, (draw: TestDraw) => Partial<StatementOf<'result'>>, string]>([
    ['with another random number', () => ({ signature: 'ab'.repeat(48) }), 'beacon.signature'],
    ['with other numbers', () => ({ numbers: [1, 2, 3] }), 'result.numbers'],
    [
      'with another prize',
      () => ({
        tier: [
          { matches: 3, kind: 'jackpot', winners: 1, each: 5n },
          { matches: 2, kind: 'fixed', winners: 0, each: 9000n },
          { matches: 1, kind: 'free', winners: 0, each: 0n },
        ],
      }),
      'result.tiers',
    ],
    [
      'with more winners than lines',
      () => ({
        tier: [
          { matches: 3, kind: 'jackpot', winners: 41, each: 5n },
          { matches: 2, kind: 'fixed', winners: 0, each: 9000n },
          { matches: 1, kind: 'free', winners: 0, each: 0n },
        ],
      }),
      'result.tiers',
    ],
    [
      'without a tier of the rules',
      () => ({ tier: [{ matches: 3, kind: 'jackpot', winners: 0, each: 0n }] }),
      'result.tiers',
    ],
    ['with too small a remainder', () => ({ left: 1n }), 'result.state'],
    ['with a changed pot', () => ({ state: { ...FIRST_STATE, closed: 1, settled: 1, pot: 7n } }), 'result.state'],
    ['that continues nothing', () => ({ last: Z }), 'result.state'],
    ['of a sealed list that does not exist', () => ({ close: 'ab'.repeat(32) }), 'open.form'],
  ])('a result %s is a breach', (_, changes, rule) => {
    const { operator, draw } = closedDraw()
    operator.settle(draw, changes(draw))
    expect(brokenByLast(operator)).toContain(rule)
  })

  it('a result dated before its random number is a breach', () => {
    const { operator } = settledDraw()
    const result = operator.statements.pop()
    operator.now -= 61
    if (result !== undefined) again(operator, result)
    expect(brokenByLast(operator)).toEqual(['result.form'])
  })

  it('a second result is a breach', () => {
    const { operator } = settledDraw()
    operator.now += 1
    again(operator, statementOf(operator, 'result'))
    expect(brokenByLast(operator)).toContain('seal.once')
  })

  it('a result of a postponed sealed list is a breach', async () => {
    const { operator, draw } = closedDraw()
    await operator.postpone(draw)
    operator.settle(draw)
    expect(brokenByLast(operator)).toContain('seal.once')
  })

  it('a result is accepted unchecked if the program cannot verify random numbers', () => {
    const { operator, draw } = closedDraw()
    operator.settle(draw)
    const reader = new LogReader(TEST_ORIGIN, null)
    const faults = operator.statements.flatMap(({ text }) => reader.add(text, [RULES_TEXT, TEST_POLICY]))
    expect(faults).toEqual([])
  })
})

describe('a void draw', () => {
  it('a void of a draw with plays before two postponements is a breach', async () => {
    const { operator, draw } = soldDraw()
    await operator.postpone(draw)
    operator.giveUp(draw, 'outage', null)
    expect(brokenByLast(operator)).toEqual(['void.reason'])
  })

  it('a void after two postponements is no fault', async () => {
    const { operator, draw } = soldDraw()
    await operator.postpone(draw)
    await operator.postpone(draw)
    operator.giveUp(draw, 'outage', null)
    expect(read(operator).faults).toEqual([])
  })

  it('a void after its round was known is a doubt', () => {
    const operator = new TestOperator()
    const draw = operator.openDraw()
    operator.now = roundDueAt(QUICKNET, draw.round)
    operator.giveUp(draw, 'outage', null)
    expect(read(operator).faults.map(({ rule, grade }) => [rule, grade])).toEqual([['void.reason', 'doubt']])
  })

  it('a void for a beacon less than seven days late is a breach', () => {
    const { operator, draw } = closedDraw()
    operator.giveUp(draw, 'beacon')
    expect(brokenByLast(operator)).toEqual(['void.reason'])
  })

  it('a void for a beacon without a waiting sealed list is a breach', () => {
    const { operator, draw } = soldDraw()
    operator.now = draw.start + WEEK
    operator.giveUp(draw, 'beacon', null)
    expect(brokenByLast(operator)).toEqual(['void.reason'])
  })

  it.each<[string, object]>([
    ['that does not name its sealed list', { close: Z }],
    ['that keeps the pool', { state: { ...FIRST_STATE, closed: 1, settled: 1 } }],
  ])('a void %s is a breach', (_, changes) => {
    const { operator, draw } = closedDraw()
    operator.now = draw.start + WEEK
    operator.giveUp(draw, 'beacon')
    const end = operator.statements.pop()
    if (end !== undefined) again(operator, end, changes)
    expect(brokenByLast(operator)).toContain('void.state')
  })

  it('any statement after the end of a draw is a breach', async () => {
    const { operator, draw } = settledDraw()
    operator.giveUp(draw, 'outage', null)
    expect(brokenByLast(operator)).toContain('seal.once')
    const late = settledDraw()
    await late.operator.postpone(late.draw)
    expect(brokenByLast(late.operator)).toEqual(['open.postponed'])
  })
})
