import type { Rate, Rates } from './rates.ts'

const POUND_SATS = 1000n
/** The demo's rates: one pound is 1,000 satoshis; the others have about their real ratios to it. */
export const FIXED_RATES: readonly Rate[] = [
  { currency: 'GBP', satsPerUnit: POUND_SATS },
  { currency: 'EUR', satsPerUnit: 870n },
  { currency: 'USD', satsPerUnit: 770n },
  { currency: 'AUD', satsPerUnit: 500n },
  { currency: 'CAD', satsPerUnit: 550n },
  { currency: 'CHF', satsPerUnit: 930n },
  { currency: 'JPY', satsPerUnit: 5n },
  { currency: 'SEK', satsPerUnit: 79n },
  { currency: 'NOK', satsPerUnit: 76n },
  { currency: 'DKK', satsPerUnit: 116n },
  { currency: 'NZD', satsPerUnit: 450n },
  { currency: 'PLN', satsPerUnit: 205n },
]

/** The demo's rates count as those of two sources of its own. */
const DEMO_SOURCES = ['demo-one.example', 'demo-two.example'] as const

/** Rates that never change, for the demo. */
export const fixedRates: Rates = {
  isFixed: true,
  sources: DEMO_SOURCES,
  read: async () => ({
    rates: FIXED_RATES,
    quotes: DEMO_SOURCES.map((source) => ({ source, satsPerUnit: POUND_SATS })),
  }),
}
