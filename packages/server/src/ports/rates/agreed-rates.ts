import { CURRENCIES } from '@fairball/domain/fiat'
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
export const CROSSING = 'USD'

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
  /** from the sources that agree; none of a currency whose sources do not, or that is crossed */
  readonly quotes: readonly RateQuote[]
  readonly outliers: readonly Outlier[]
}

/**
 * The median of what the sources say, currency by currency, without those that are too far from it.
 *
 * At least two have to agree; the rate is then the lower median of what they say in satoshis, by which draws are judged
 * (fairness section 9). A currency that only one source has is crossed over from the dollar, since that source has both,
 * if its dollar is trusted: its bitcoin then has the agreed price. It has no quotes, and nothing is sold at it.
 */
export function agreedRates(quotes: readonly Quotes[]): Agreement {
  const outliers: Outlier[] = []
  const agreed = new Map<string, { price: bigint; quotes: readonly RateQuote[] }>()
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
    agreed.set(code, {
      price: medianOf(kept.map(({ price }) => price)),
      quotes: kept.map(({ source: { source }, price }) => ({
        source,
        currency: code,
        satsPerUnit: satsPerUnit(price),
      })),
    })
  }
  const rates = CURRENCIES.flatMap(({ code }): Rate[] => {
    const quoted = agreed.get(code)?.quotes
    const sats = quoted === undefined ? crossed(code) : rateOfQuotes(quoted)
    return sats === null || sats <= 0n ? [] : [{ currency: code, satsPerUnit: sats }]
  })
  return { rates, quotes: [...agreed.values()].flatMap((one) => one.quotes), outliers }

  function crossed(currency: string): bigint | null {
    const alone = only.get(currency)
    const dollar = agreed.get(CROSSING)
    if (alone === undefined || dollar === undefined) return null
    const itsDollar = alone.source.prices.get(CROSSING)
    const isTrusted = dollar.quotes.some(({ source }) => source === alone.source.source)
    return itsDollar === undefined || !isTrusted ? null : satsPerUnit((dollar.price * alone.price) / itsDollar)
  }
}

/** The rate that quotes make: their lower median. */
function rateOfQuotes(quotes: readonly RateQuote[]): bigint {
  return BigInt(lowerMedian(quotes.map((quote) => Number(quote.satsPerUnit))))
}
