import { assert } from './assert.ts'

/** One bitcoin in satoshis. */
export const SATS_PER_BTC = 100_000_000n

/** Upper bound of all bitcoin, 21 million, in satoshis. */
export const MAX_SATS = 2_100_000_000_000_000n

const DECIMAL_PLACES = 8
const BTC_TEXT = /^(0|[1-9][0-9]{0,7})(?:\.([0-9]{1,8}))?$/

/**
 * Writes satoshis as a bitcoin amount with exactly 8 decimals, as on the wire: `satsToBtc(1_500_000n)` is
 * `"0.01500000"` (decisions section 2). Negative amounts get a leading minus.
 */
export function satsToBtc(sats: bigint): string {
  const digits = (sats < 0n ? -sats : sats).toString().padStart(DECIMAL_PLACES + 1, '0')
  const point = digits.length - DECIMAL_PLACES
  return `${sats < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

/**
 * Reads a bitcoin amount: plain digits, at most 8 decimals, no sign, exponent, separator or leading zero.
 * `btcToSats(satsToBtc(x)) === x` for every amount from 0 to 21 million bitcoin.
 *
 * @throws RangeError if the text is not such an amount, or more than 21 million
 */
export function btcToSats(text: string): bigint {
  const match = BTC_TEXT.exec(text)
  assert(match !== null, 'not an amount of bitcoin with at most 8 decimals')
  const sats = BigInt(match[1] ?? '0') * SATS_PER_BTC + BigInt((match[2] ?? '').padEnd(DECIMAL_PLACES, '0'))
  assert(sats <= MAX_SATS, 'more than 21 million bitcoin')
  return sats
}

/**
 * Converts an amount of a currency into satoshis, rounded down: a fixed prize, a guaranteed jackpot or a cover
 * (fairness section 8, decisions section 5).
 *
 * @param minor whole pence or cents, 0 or more
 * @param satsPerUnit the rate, in whole satoshis per pound or other unit, above 0
 */
export function satsOfMinor(minor: number | bigint, satsPerUnit: bigint): bigint {
  assert(minor >= 0, `an amount below zero: ${minor}`)
  assert(satsPerUnit > 0n, `not a rate: ${satsPerUnit}`)
  return (BigInt(minor) * satsPerUnit) / 100n
}
