import type { DrawRef } from '@fairball/contract/schemas/game'
import { CURRENCIES, fiatMinorOfSats } from '@fairball/domain/fiat'
import { satsToBtc } from '@fairball/domain/money'
import type { Amount, CryptoAmount, Fiat } from '@fairball/contract/schemas/money'

/** A draw in API bodies; times in epoch seconds. */
export function drawRefOf(draw: {
  readonly number: number
  readonly startAt: number
  readonly closesAt: number
}): DrawRef {
  return { number: draw.number, start_at: draw.startAt, ticket_sell_closes_at: draw.closesAt }
}

/** Satoshis in API bodies: a decimal string with 8 places. */
export function cryptoOf(sats: bigint): CryptoAmount {
  return { value: satsToBtc(sats), code: 'BTC' }
}

/** Satoshis in every currency with a rate, in whole units. */
export function fiatOf(sats: bigint, satsPerUnit: ReadonlyMap<string, bigint>): Fiat {
  const fiat: Fiat = {}
  for (const { code, symbol, position, decimals } of CURRENCIES) {
    const rate = satsPerUnit.get(code)
    if (rate === undefined) continue
    const value = Number(fiatMinorOfSats(sats, rate, decimals)) / 10 ** decimals
    fiat[code] = { value, symbol, position_of_symbol: position }
  }
  return fiat
}

/** An amount in API bodies: bitcoin, and its value in every currency. */
export function amountOf(sats: bigint, satsPerUnit: ReadonlyMap<string, bigint>): Amount {
  return { crypto: cryptoOf(sats), fiat: fiatOf(sats, satsPerUnit) }
}

/**
 * A price or fixed prize in every currency with a rate, in whole units.
 *
 * @param priceMinor hundredths of `currency`; exact in it, rounded half up to the smallest unit in the others
 * @param satsPerUnit the rates; must include that of `currency`
 */
export function priceIn(priceMinor: number, satsPerUnit: ReadonlyMap<string, bigint>, currency: string): Fiat {
  const fiat: Fiat = {}
  const ownSats = satsPerUnit.get(currency)
  if (ownSats === undefined) return fiat
  for (const { code, symbol, position, decimals } of CURRENCIES) {
    const unitSats = satsPerUnit.get(code)
    if (unitSats === undefined) continue
    // hundredths × (sats per unit of the price / 100) ÷ (sats per unit / 10^decimals), half up
    const dividend = BigInt(priceMinor) * ownSats * 10n ** BigInt(decimals)
    const minor = (2n * dividend + 100n * unitSats) / (200n * unitSats)
    fiat[code] = { value: Number(minor) / 10 ** decimals, symbol, position_of_symbol: position }
  }
  return fiat
}
