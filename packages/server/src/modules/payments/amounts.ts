import { CURRENCIES, fiatMinorOfSats } from '@fairball/domain/fiat'
import { satsToBtc } from '@fairball/domain/money'
import type { Amount, CryptoAmount, Fiat } from '@fairball/contract/schemas/money'

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
