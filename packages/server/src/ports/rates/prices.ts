/**
 * Prices of a bitcoin in the form of the sources: decimal texts, never floating-point numbers. Internally they are
 * whole hundred-millionths of a currency's unit; further digits are cut off, which changes a price by less than a part
 * in 10^11.
 */

/** Digits behind the point that are kept. */
const KEPT_DECIMALS = 8
/** Plain digits only: no sign, no exponent, no thousands separators, no words. */
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,24}))?$/
/** A price below one unit of any of our currencies means that the text, or the currency, is wrong. */
const LEAST_PRICE = 10n ** BigInt(KEPT_DECIMALS)
const SATS_A_BITCOIN = 100_000_000n

/**
 * Parses a price from a decimal text.
 *
 * @returns the price of one bitcoin in hundred-millionths of the currency's unit; null for anything that is not a plain
 *   decimal number of at least 1 and below 10^12, and for one too high for a satoshi to be worth a whole unit
 */
export function parsePrice(text: string): bigint | null {
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return null
  const price = BigInt(whole + decimals.slice(0, KEPT_DECIMALS).padEnd(KEPT_DECIMALS, '0'))
  return price < LEAST_PRICE || satsPerUnit(price) === 0n ? null : price
}

/** Whole satoshis for one unit of a currency, half up (decisions section 5). @param price as from `parsePrice` */
export function satsPerUnit(price: bigint): bigint {
  const sats = SATS_A_BITCOIN * 10n ** BigInt(KEPT_DECIMALS)
  return (2n * sats + price) / (2n * price)
}

/** The middle of some prices; of an even number of them the mean of the two in the middle, rounded down. */
export function medianOf(prices: readonly bigint[]): bigint {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined) throw new RangeError('no price, no median')
  return (lower + upper) / 2n
}

/** The distance between two values, in hundredths of a percent of the second, rounded up. */
export function apartBps(value: bigint, from: bigint): bigint {
  const apart = value > from ? value - from : from - value
  return (apart * 10_000n + from - 1n) / from
}
