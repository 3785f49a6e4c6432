import type { Amount } from '@fairball/contract/schemas/money'

/** Friday 15 January 2027, 12:00 UTC: the moment of tests that show draws. */
export const NOON = 1_800_014_400
/** Seconds of a day. */
export const DAY = 86_400

/** An amount in pounds and in bitcoin at the demo's rate, 1,000 satoshis a pound. */
export function pounds(value: number): Amount {
  return {
    crypto: { value: (value / 100_000).toFixed(8), code: 'BTC' },
    fiat: { GBP: { value, symbol: '£', position_of_symbol: 'LEFT' } },
  }
}
