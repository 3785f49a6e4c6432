import type { Rate, Rates } from './rates.ts'

/** The demo's rates: one pound is 1,000 satoshis; the others have about their real ratios to it. */
export const FIXED_RATES: readonly Rate[] = [
  { currency: 'GBP', satsPerUnit: 1000n },
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

/** The demo's rates count as those of two sources of its own, which say the same of every currency. */
const DEMO_SOURCES = ['demo-one.example', 'demo-two.example'] as const

/** Rates that never change, for the demo. */
export const fixedRates: Rates = {
  isFixed: true,
  sources: DEMO_SOURCES,
  read: async () => ({
    rates: FIXED_RATES,
    quotes: DEMO_SOURCES.flatMap((source) => FIXED_RATES.map((rate) => ({ source, ...rate }))),
  }),
}
