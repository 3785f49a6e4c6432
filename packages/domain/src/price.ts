import { assert } from './assert.ts'

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

/**
 * The price of an order in satoshis: ceil(pence × rate / 100) (decisions section 5). Rounded up, to the pool's benefit,
 * by less than one satoshi.
 *
 * @param totalMinor whole pence, 0 or more
 * @param satsPerUnit the rate in whole satoshis per pound, above 0
 */
export function priceSats(totalMinor: number | bigint, satsPerUnit: bigint): bigint {
  assert(totalMinor >= 0, `a price below zero: ${totalMinor}`)
  assert(satsPerUnit > 0n, `not a rate: ${satsPerUnit}`)
  return (BigInt(totalMinor) * satsPerUnit + 99n) / 100n
}

/**
 * Shares an order's satoshis between its paid entries: equal parts, the remainder one each to the first (decisions
 * section 5, fairness section 6). Over all entries the shares sum to the whole.
 *
 * @param dueSats the price of the order, 0 or more
 * @param paidEntries entries not paid for by a free ticket; 0 only for an order that cost nothing
 * @returns the stake of the paid entry at an index, from 0
 */
export function splitStake(dueSats: bigint, paidEntries: number): (index: number) => bigint {
  assert(dueSats >= 0n, `an order of ${dueSats} sats`)
  assert(Number.isSafeInteger(paidEntries) && paidEntries >= 0, `not a number of entries: ${paidEntries}`)
  assert(paidEntries > 0 || dueSats === 0n, 'an order without paid entries costs nothing')
  const count = BigInt(Math.max(1, paidEntries))
  const share = dueSats / count
  const withOneMore = Number(dueSats % count)
  return (index) => {
    assert(Number.isSafeInteger(index) && index >= 0 && index < paidEntries, `no paid entry ${index} of ${paidEntries}`)
    return index < withOneMore ? share + 1n : share
  }
}
