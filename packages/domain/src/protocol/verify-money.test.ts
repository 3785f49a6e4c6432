import { describe, expect, it } from 'vitest'
import { satsOf } from './money.ts'
import { TestOperator, TEST_RULES } from './operator-fixture.ts'
import type { CheckId, Status } from './report.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import { changedDraw, type Changes, closedDraw, closeOf, notPassed, settledDraw } from './verify-fixture.ts'
import { verifyMoney } from './verify-money.ts'

type CloseStatement = StatementOf<'close'>
type Expected = Partial<Record<CheckId, Status>>

function judge(changes: Changes, drawn = closedDraw()) {
  const { log, opened, checks } = changedDraw(drawn, changes)
  verifyMoney(log, opened, closeOf(log), checks)
  return checks
}

/** A close at another rate, with the amounts of that rate. */
const atRate = (value: number, median = value) => ({
  rate: { currency: 'GBP', value },
  floor: satsOf(TEST_RULES.floor, value),
  cover: satsOf(TEST_RULES.cover, value),
  quotes: [median, median + 1].map((rate, place) => ({
    source: `${place === 0 ? 'one' : 'two'}.example`,
    rate,
    at: 0,
  })),
})

const rateOf = (value: number) => ({ rate: { currency: 'GBP', value } })

/** A close whose quotes are of its own time. */
const current = (values: Partial<CloseStatement>) => (close: CloseStatement) => ({
  ...values,
  quotes: (values.quotes ?? close.quotes).map((quote) => ({ ...quote, at: close.time })),
})

const quotedAt = (age: number) => (close: CloseStatement) => ({
  quotes: close.quotes.map((quote) => ({ ...quote, at: close.time - age })),
})

describe('the money of a close', () => {
  it('an honest close passes each of its checks', () => {
    const checks = judge({})
    expect(Object.keys(checks.findings())).toEqual([
      'money.pool',
      'money.state',
      'money.free',
      'money.rate',
      'money.guarantee',
    ])
    expect(notPassed(checks)).toEqual({})
  })

  it.each<[string, Changes, Expected]>([
    [
      'with a pool that is one satoshi too large fails',
      { close: ({ pool }) => ({ pool: pool + 1n }) },
      { 'money.pool': 'fail' },
    ],
    ['with an amount added that is not in the pool fails', { close: { added: 1n } }, { 'money.pool': 'fail' }],
    [
      'with a state that does not follow from the one before fails',
      { close: ({ state }) => ({ state: { ...state, pot: 1n } }) },
      { 'money.state': 'fail' },
    ],
    ['of another draw than the next one fails', { open: { draw: 2 } }, { 'money.state': 'fail' }],
    [
      'with a free ticket that nobody won fails',
      { close: ({ state }) => ({ free: 1, state: { ...state, used: 1 } }) },
      { 'money.free': 'fail' },
    ],
    [
      'at a rate of another currency fails',
      { close: ({ rate }) => ({ rate: { ...rate, currency: 'USD' } }) },
      { 'money.rate': 'fail' },
    ],
    ['at the lowest rate passes', { sold: rateOf(100), close: current(atRate(100)) }, {}],
    ['below the lowest rate fails', { sold: rateOf(99), close: current(atRate(99)) }, { 'money.rate': 'fail' }],
    [
      'with a quote of another source fails',
      { close: ({ quotes }) => ({ quotes: quotes.map((quote, place) => ({ ...quote, source: `${place}.example` })) }) },
      { 'money.rate': 'fail' },
    ],
    ['with quotes of a quarter of an hour ago passes', { close: quotedAt(900) }, {}],
    ['with older quotes fails', { close: quotedAt(901) }, { 'money.rate': 'fail' }],
    [
      'at another rate than the lower middle one fails',
      { close: current(atRate(3001, 3000)) },
      { 'money.rate': 'fail' },
    ],
    ['at a rate at the edge of the band passes', { sold: rateOf(2858) }, {}],
    ['at a rate beyond the band is to be looked up', { sold: rateOf(2857) }, { 'money.rate': 'warn' }],
    ['at twice the rate of sale is to be looked up', { sold: rateOf(1500) }, { 'money.rate': 'warn' }],
    ['at more than twice the rate of sale fails', { sold: rateOf(1499) }, { 'money.rate': 'fail' }],
    [
      'of a draw that sold nothing is held to the rate of its announcement',
      { close: { sold: NO_HASH }, open: rateOf(1499) },
      { 'money.rate': 'fail' },
    ],
    ['of a draw that sold something is not held to the rate of its announcement', { open: rateOf(1499) }, {}],
    [
      'whose last batch is not here is not held to a rate of sale',
      { close: { sold: 'ab'.repeat(32) }, open: rateOf(1499) },
      {},
    ],
    ['with another floor fails', { close: ({ floor }) => ({ floor: floor + 1n }) }, { 'money.guarantee': 'fail' }],
    ['with another cover fails', { close: ({ cover }) => ({ cover: cover + 1n }) }, { 'money.guarantee': 'fail' }],
    ['with a satoshi missing warns', { close: { short: 1n } }, { 'money.guarantee': 'warn' }],
    [
      'with all of the guarantee missing warns',
      { close: ({ floor, cover }) => ({ short: floor + cover }) },
      { 'money.guarantee': 'warn' },
    ],
    [
      'with more missing than was guaranteed fails',
      { close: ({ floor, cover }) => ({ short: floor + cover + 1n }) },
      { 'money.guarantee': 'fail' },
    ],
  ])('a close %s', (_, changes, expected) => {
    expect(notPassed(judge(changes))).toEqual(expected)
  })

  it.each<[string, Changes, Expected]>([
    [
      'is broken if the statement that it continues is not here',
      { close: { last: 'ab'.repeat(32) } },
      { 'money.state': 'broken' },
    ],
    [
      'fails if it continues a statement without a state',
      { close: (_, before) => ({ last: before[0]?.hash ?? '' }) },
      { 'money.state': 'fail' },
    ],
  ])('a close %s, and its pool is not judged', (_, changes, expected) => {
    const checks = judge(changes)
    expect(notPassed(checks)).toEqual(expected)
    expect([checks.status('money.pool'), checks.status('money.free'), checks.status('money.rate')]).toEqual([
      null,
      null,
      'pass',
    ])
  })

  it('a close warns if an earlier draw has no result yet', () => {
    const { operator } = closedDraw()
    expect(notPassed(judge({}, closedDraw(operator)))).toEqual({ 'money.state': 'warn' })
  })

  it.each([
    [2, {}],
    [3, { 'money.free': 'fail' }],
  ])('of two free tickets that were won, %i used ones give %o', (free, expected) => {
    const { operator } = settledDraw(new TestOperator())
    const changes: Changes = {
      result: ({ state }) => ({ state: { ...state, won: 2 } }),
      close: ({ state }) => ({ free, state: { ...state, won: 2, used: free } }),
    }
    expect(notPassed(judge(changes, closedDraw(operator)))).toEqual(expected)
  })
})
