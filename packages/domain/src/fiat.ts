import { assert } from './assert.ts'

/** The position of a currency's symbol: before the value, or after it (spec section 3). */
type SymbolPosition = 'LEFT' | 'RIGHT'

/** A currency the product shows. */
export interface Currency {
  /** the id in `/currencies`; 1 is GBP, the default (decisions section 2) */
  readonly id: number
  /** ISO 4217 */
  readonly code: string
  readonly symbol: string
  readonly position: SymbolPosition
  /** decimals of shown amounts: 2 everywhere (spec section 9) */
  readonly decimals: number
}

/** An amount on the wire: whole units with decimals, or a word if a prize has no fixed amount. */
interface ShownAmount {
  readonly value: number | string
  readonly symbol: string
  readonly position_of_symbol: SymbolPosition
}

/** The currencies of the product, by id; `fiat` on the wire has all of them (decisions section 2). */
export const CURRENCIES: readonly Currency[] = [
  { id: 1, code: 'GBP', symbol: '£', position: 'LEFT', decimals: 2 },
  { id: 2, code: 'EUR', symbol: '€', position: 'LEFT', decimals: 2 },
  { id: 3, code: 'USD', symbol: '$', position: 'LEFT', decimals: 2 },
  { id: 4, code: 'AUD', symbol: 'A$', position: 'LEFT', decimals: 2 },
  { id: 5, code: 'CAD', symbol: 'C$', position: 'LEFT', decimals: 2 },
  { id: 6, code: 'CHF', symbol: 'CHF', position: 'RIGHT', decimals: 2 },
  { id: 7, code: 'JPY', symbol: '¥', position: 'LEFT', decimals: 2 },
  { id: 8, code: 'SEK', symbol: 'kr', position: 'RIGHT', decimals: 2 },
  { id: 9, code: 'NOK', symbol: 'kr', position: 'RIGHT', decimals: 2 },
  { id: 10, code: 'DKK', symbol: 'kr', position: 'RIGHT', decimals: 2 },
  { id: 11, code: 'NZD', symbol: 'NZ$', position: 'LEFT', decimals: 2 },
  { id: 12, code: 'PLN', symbol: 'zł', position: 'RIGHT', decimals: 2 },
]

/** The currency for visitors (spec section 1). */
export const DEFAULT_CURRENCY_CODE = 'GBP'

const LETTERS = [
  { letter: 'K', unit: 1e3 },
  { letter: 'M', unit: 1e6 },
  { letter: 'B', unit: 1e9 },
] as const

/**
 * Satoshis in a currency, in its minor units, rounded half up: a prize of exactly £5 at any rate of more
 * than a few hundred satoshis per pound is shown as £5.00 again, although its satoshis were rounded down.
 *
 * @param sats 0 or more
 * @param satsPerUnit the rate in whole satoshis per unit of the currency, above 0
 * @param decimals of the currency: a unit has 10^decimals minor units
 */
export function fiatMinorOfSats(sats: bigint, satsPerUnit: bigint, decimals: number): bigint {
  assert(sats >= 0n, `an amount below zero: ${sats}`)
  assert(satsPerUnit > 0n, `not a rate: ${satsPerUnit}`)
  return (2n * sats * 10n ** BigInt(decimals) + satsPerUnit) / (2n * satsPerUnit)
}

/**
 * Writes an amount: two decimals, thousands separators, the symbol before the value or, if its position is RIGHT,
 * after it with a no-break space (spec sections 3 and 9). The words of a prize table are returned unchanged.
 *
 * @param stripZeros drops trailing zeros of the decimals: `£2`, `£2.5`
 */
export function formatMoney(amount: ShownAmount, { stripZeros = false }: { stripZeros?: boolean } = {}): string {
  if (typeof amount.value === 'string') return amount.value
  const [sign, hundredths] = signAndHundredths(amount.value)
  const units = withThousands(Math.floor(hundredths / 100))
  const decimals = String(hundredths % 100).padStart(2, '0')
  return withSymbol(sign, stripZeros ? stripped(units, decimals) : `${units}.${decimals}`, amount)
}

/**
 * Writes a large amount with K, M or B and at most one decimal: `£1.5M`. It is rounded, half up, to one decimal before
 * the letter is chosen, so £999,950 is `£1M`, never `£1000K`; B is the last letter, so larger amounts get more digits
 * (spec section 9). Below a thousand it is the plain amount without trailing zeros.
 */
export function formatAbbreviated(amount: ShownAmount): string {
  if (typeof amount.value === 'string') return amount.value
  const [sign, hundredths] = signAndHundredths(amount.value)
  if (hundredths < 999_95) return formatMoney(amount, { stripZeros: true })
  for (const { letter, unit } of LETTERS) {
    const tenths = Math.round(hundredths / (unit * 10))
    if (tenths >= 10_000 && letter !== 'B') continue
    return withSymbol(sign, `${stripped(withThousands(Math.floor(tenths / 10)), String(tenths % 10))}${letter}`, amount)
  }
  throw new RangeError('B takes every amount the other letters leave')
}

function signAndHundredths(value: number): [sign: string, hundredths: number] {
  const hundredths = Math.round(Math.abs(value) * 100)
  assert(Number.isSafeInteger(hundredths), `not an amount to show: ${value}`)
  return [value < 0 && hundredths > 0 ? '-' : '', hundredths]
}

function withSymbol(sign: string, digits: string, { symbol, position_of_symbol }: ShownAmount): string {
  return position_of_symbol === 'LEFT' ? `${sign}${symbol}${digits}` : `${sign}${digits}\u00A0${symbol}`
}

function stripped(units: string, decimals: string): string {
  const rest = decimals.replace(/0+$/, '')
  return rest === '' ? units : `${units}.${rest}`
}

function withThousands(units: number): string {
  return String(units).replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
}
