import { stateBefore } from './game-states.ts'
import type { KnownLog } from './known-log.ts'
import { afterClose, bandOf, isQuoted, isRate, isSameState, lowerMedian, poolOf, satsOf } from './money.ts'
import type { Checks } from './report.ts'
import { type CurrencyValue, type GameState, NO_HASH } from './statement-codecs.ts'
import type { Close } from './timeline.ts'
import type { OpenedDraw } from './verify-open.ts'

/** The checks of a close's money (sections 9 and 11): `money.pool` to `money.guarantee`. */

/** Checks the amounts of a close; the totals of its plays are checked with the plays. */
export function verifyMoney(log: KnownLog, opened: OpenedDraw, close: Close, checks: Checks): void {
  const { open } = opened
  const found = stateBefore(log, close, { open: open.hash, game: open.statement.game })
  if ('missing' in found) checks.end('money.state', 'broken', found.missing)
  else if ('wrong' in found) checks.end('money.state', 'fail', found.wrong)
  else verifyState(found.state, opened, close, checks)
  verifyRate(referenceRate(log, open.statement.rate, close), opened, close, checks)
  verifyGuarantee(opened, close, checks)
}

/** Checks a close's pool and state against the state before. */
export function verifyState(before: GameState, { open, rules }: OpenedDraw, close: Close, checks: Checks): void {
  const { free, carried, added, stake, pool, state } = close.statement
  const expected = afterClose(before, { free, carried })
  checks.hold('money.state', isSameState(state, expected), 'fail', 'its state does not follow from the one before')
  checks.hold('money.state', state.closed === open.statement.draw, 'fail', 'it is not the next draw of its game')
  checks.hold('money.state', before.closed === before.settled, 'warn', 'an earlier draw has no result yet')
  checks.hold('money.free', before.used + free <= before.won, 'fail', 'more free tickets were used than won')
  const expectedPool = poolOf(before, added, stake, rules.split)
  checks.hold('money.pool', pool === expectedPool, 'fail', `the pool is ${expectedPool} by the rules`)
}

/**
 * Checks the rate of a close.
 *
 * @param reference the latest rate of sale; null if its batch is not known, which `plays.sold` reports
 */
export function verifyRate(
  reference: CurrencyValue | null,
  { open, rules }: OpenedDraw,
  close: Close,
  checks: Checks,
): void {
  const { rate, quotes, time } = close.statement
  const isOfCurrency = rate.currency === rules.price.currency && isRate(rate.value)
  checks.hold('money.rate', isOfCurrency, 'fail', 'its rate is none of the price’s currency')
  const areQuoted = isQuoted(quotes, open.statement.sources, time)
  checks.hold('money.rate', areQuoted, 'fail', 'a quote is of no source of this draw, or of another time')
  const isMedian = lowerMedian(quotes.map((quote) => quote.rate)) === rate.value
  checks.hold('money.rate', isMedian, 'fail', 'its rate is not the middle one of its quotes')
  if (reference === null) return
  const band = bandOf(rate.value, reference.value, open.statement.band)
  checks.hold(
    'money.rate',
    band !== 'absurd',
    'fail',
    'its rate is more than twice, or less than half, of the last one',
  )
  checks.hold('money.rate', band === 'within', 'warn', 'its rate left the band: look it up at the sources')
}

function referenceRate(log: KnownLog, opened: CurrencyValue, { statement }: Close): CurrencyValue | null {
  return statement.sold === NO_HASH ? opened : (log.find('sold', statement.sold)?.statement.rate ?? null)
}

/** Checks the operator's guarantees. */
export function verifyGuarantee({ rules }: OpenedDraw, { statement }: Close, checks: Checks): void {
  const { floor, cover, short, rate } = statement
  const isByRules = floor === satsOf(rules.floor, rate.value) && cover === satsOf(rules.cover, rate.value)
  checks.hold('money.guarantee', isByRules, 'fail', 'floor or cover is not that of the rules')
  checks.hold('money.guarantee', short <= floor + cover, 'fail', 'more is missing than was guaranteed')
  checks.hold('money.guarantee', short === 0n, 'warn', `${short} satoshis of the guarantee are missing`)
}
