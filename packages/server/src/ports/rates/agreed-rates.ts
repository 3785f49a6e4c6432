import { CURRENCIES, DEFAULT_CURRENCY_CODE } from '@fairball/domain/fiat'
import { lowerMedian } from '@fairball/domain/protocol/money'
import { apartBps, medianOf, satsPerUnit } from './prices.ts'
import type { Rate, RateQuote } from './rates.ts'

/**
 * A price further from the median than this is left out: 1.5%. At one moment, markets differ by some tenths of a
 * percent.
 */
const BAND_BPS = 150n
/** Number of sources that must agree on a price. */
export const LEAST_SOURCES = 2
/** The currency that the others are crossed over: every source has it. */
const CROSSING = 'USD'

/** The present prices of one source. */
export interface Quotes {
  readonly source: string
  /** the price of one bitcoin by currency, as from `parsePrice` */
  readonly prices: ReadonlyMap<string, bigint>
}

/** A price that is too far from the others to be trusted. */
interface Outlier {
  readonly source: string
  readonly currency: string
  readonly apartBps: bigint
}

/** What the sources agree on. */
interface Agreement {
  /** at most one per currency; a currency without agreement is missing */
  readonly rates: readonly Rate[]
  /** in the currency of prices, from the sources that agree; empty if they do not */
  readonly quotes: readonly RateQuote[]
  readonly outliers: readonly Outlier[]
}

/**
 * The median of what the sources say, currency by currency, without those that are too far from it.
 *
 * At least two have to agree. A currency that only one source has is crossed over from the dollar, since that source
 * has both, if its dollar is trusted: its bitcoin then has the agreed price. Never the currency of prices: its rate is
 * the lower median of what the sources say in satoshis, by which draws are judged (fairness section 9).
 */
export function agreedRates(quotes: readonly Quotes[]): Agreement {
  const outliers: Outlier[] = []
  const agreed = new Map<string, { price: bigint; sources: ReadonlySet<string> }>()
  const believed: RateQuote[] = []
  const only = new Map<string, { source: Quotes; price: bigint }>()
  for (const { code } of CURRENCIES) {
    const said = quotes.flatMap((source) => {
      const price = source.prices.get(code)
      return price === undefined ? [] : [{ source, price }]
    })
    const [first] = said
    if (first === undefined) continue
    if (said.length === 1) only.set(code, first)
    const median = medianOf(said.map(({ price }) => price))
    const kept = said.filter(({ source, price }) => {
      const apart = apartBps(price, median)
      if (apart > BAND_BPS) outliers.push({ source: source.source, currency: code, apartBps: apart })
      return apart <= BAND_BPS
    })
    if (kept.length < LEAST_SOURCES) continue
    if (code === DEFAULT_CURRENCY_CODE)
      believed.push(...kept.map(({ source: { source }, price }) => ({ source, satsPerUnit: satsPerUnit(price) })))
    agreed.set(code, {
      price: medianOf(kept.map(({ price }) => price)),
      sources: new Set(kept.map(({ source }) => source.source)),
    })
  }
  const rates = CURRENCIES.flatMap(({ code }): Rate[] => {
    const price = agreed.get(code)?.price ?? crossed(code)
    if (price === null) return []
    const sats = code === DEFAULT_CURRENCY_CODE ? rateOfQuotes(believed) : satsPerUnit(price)
    return [{ currency: code, satsPerUnit: sats }]
  }).filter((rate) => rate.satsPerUnit > 0n)
  return { rates, quotes: believed, outliers }

  function crossed(currency: string): bigint | null {
    const alone = only.get(currency)
    const dollar = agreed.get(CROSSING)
    if (alone === undefined || dollar === undefined || currency === DEFAULT_CURRENCY_CODE) return null
    const itsDollar = alone.source.prices.get(CROSSING)
    if (itsDollar === undefined || !dollar.sources.has(alone.source.source)) return null
    return (dollar.price * alone.price) / itsDollar
  }
}

/** The rate that quotes make: their lower median. */
function rateOfQuotes(quotes: readonly RateQuote[]): bigint {
  return BigInt(lowerMedian(quotes.map((quote) => Number(quote.satsPerUnit))))
}
