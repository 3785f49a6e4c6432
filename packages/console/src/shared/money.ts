import { fiatMinorOfSats, formatMoney } from '@fairball/domain/fiat'
import { satsToBtc } from '@fairball/domain/money'
import type { Site } from '@fairball/contract/console/read'

/** The longest amount: more satoshis than there will be are no amount. */
const SATS = /^-?\d{1,19}$/u
const DECIMALS = 2

/** Satoshis as a text, as a number to sort by; 0 for what is none. */
export function satsOf(text: string): bigint {
  return SATS.test(text) ? BigInt(text) : 0n
}

/** "0.00060000 BTC". */
export function btcText(text: string): string {
  const sats = satsOf(text)
  return sats < 0n ? `−${satsToBtc(-sats)} BTC` : `${satsToBtc(sats)} BTC`
}

/** "£24.00"; null while no rate is known. */
export function fiatText(text: string, rate: Site['rate']): string | null {
  if (rate === null) return null
  const perUnit = satsOf(rate.sats)
  if (perUnit <= 0n) return null
  const sats = satsOf(text)
  const minor = fiatMinorOfSats(sats < 0n ? -sats : sats, perUnit, DECIMALS)
  const { symbol, position_of_symbol } = rate
  const shown = formatMoney({ value: Number(minor) / 100, symbol, position_of_symbol })
  return sats < 0n ? `−${shown}` : shown
}

/**
 * Satoshis of a figure in bitcoin as it is typed, as a text.
 *
 * @returns null for anything but a positive amount of at most eight decimals
 */
export function satsOfTyped(typed: string): string | null {
  const [, whole = '', decimals = ''] = /^(\d{1,8})(?:\.(\d{1,8}))?$/u.exec(typed.trim()) ?? []
  if (whole === '') return null
  const sats = BigInt(whole + decimals.padEnd(8, '0'))
  return sats > 0n ? String(sats) : null
}
