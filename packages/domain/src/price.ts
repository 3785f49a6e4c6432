import { assert } from './assert.ts'
import { stakeOf } from './protocol/plays.ts'

/** The size of an order, which its price depends on. */
interface OrderSize {
  /** complete lines, from 0 */
  readonly lines: number
  /** chosen days, from 0 */
  readonly days: number
  /** weeks, from 0 */
  readonly weeks: number
  /** free tickets the player has for this game, from 0 */
  readonly freeTickets: number
  /** the price of one entry, in whole pence */
  readonly priceMinor: number
}

/** The price of an order. */
interface OrderPrice {
  /** lines × days × weeks */
  readonly entries: number
  /** entries paid for by free tickets: min(free tickets, entries) */
  readonly freeUsed: number
  /** (entries − freeUsed) × price, in whole pence */
  readonly totalMinor: number
}

/** The price of an order: max(0, (lines × days × weeks − free tickets) × ticket price) (spec section 5). */
export function orderPrice({ lines, days, weeks, freeTickets, priceMinor }: OrderSize): OrderPrice {
  for (const count of [lines, days, weeks, freeTickets, priceMinor]) {
    assert(Number.isSafeInteger(count) && count >= 0, `not a count: ${count}`)
  }
  const entries = lines * days * weeks
  const freeUsed = Math.min(freeTickets, entries)
  const totalMinor = (entries - freeUsed) * priceMinor
  assert(Number.isSafeInteger(totalMinor), 'the order is too large')
  return { entries, freeUsed, totalMinor }
}

/** The size of an order's plays: its lines, its draws and the free tickets used. */
interface OrderedPlays {
  /** lines per play, from 1 */
  readonly lines: number
  /** draws, each with one play; from 1 */
  readonly draws: number
  /** free tickets used; at most lines × draws */
  readonly free: number
}

/** Number of lines of each play paid with free tickets, which are used for the first plays (fairness section 6). */
export function freeLinesOfPlays({ lines, draws, free }: OrderedPlays): number[] {
  for (const count of [lines, draws, free]) {
    assert(Number.isSafeInteger(count) && count >= 0, `not a count: ${count}`)
  }
  assert(free <= lines * draws, 'more free tickets than lines')
  return Array.from({ length: draws }, (_, place) => Math.min(lines, Math.max(0, free - place * lines)))
}

/**
 * The stake of each play of an order in satoshis, rounded up in favour of the pool (fairness section 6). The order
 * costs the sum.
 *
 * @param pricesMinor the price of a line in each draw, in hundredths of the currency
 * @param satsPerUnit the rate in whole satoshis per unit of the currency, above 0
 */
export function stakesOfPlays(order: OrderedPlays, pricesMinor: readonly number[], satsPerUnit: bigint): bigint[] {
  assert(pricesMinor.length === order.draws, `${pricesMinor.length} prices for ${order.draws} draws`)
  for (const price of pricesMinor) assert(price >= 0, `a price below zero: ${price}`)
  assert(satsPerUnit > 0n, `not a rate: ${satsPerUnit}`)
  return freeLinesOfPlays(order).map((free, place) =>
    stakeOf(order.lines - free, pricesMinor[place] ?? 0, Number(satsPerUnit)),
  )
}

/**
 * What an order costs in hundredths of its currency: the paid lines of each play at the price of its draw.
 *
 * @param pricesMinor as for `stakesOfPlays`
 */
export function totalOfPlays(order: OrderedPlays, pricesMinor: readonly bigint[]): bigint {
  return freeLinesOfPlays(order).reduce(
    (sum, free, place) => sum + BigInt(order.lines - free) * (pricesMinor[place] ?? 0n),
    0n,
  )
}
