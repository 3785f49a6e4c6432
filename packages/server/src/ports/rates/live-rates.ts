import type { Runtime } from '../../runtime/runtime.ts'
import { agreedRates, CROSSING, LEAST_SOURCES, type Quotes } from './agreed-rates.ts'
import {
  parseJsonKeepingNumbers,
  PRICE_REQUESTS,
  type PriceRequest,
  type RateSourceName,
  type WrittenPrices,
} from './price-sources.ts'
import { parsePrice } from './prices.ts'
import type { Rates, RatesRead } from './rates.ts'
import { limitedText } from '../limited-text.ts'

/** Time limit for a source's answer, including its body. */
const TIMEOUT_MS = 5_000
/** Several times the size of the longest answer: Coinbase lists some 600 currencies. */
const MAX_ANSWER_BYTES = 256 * 1024
const LIMIT = { largest: MAX_ANSWER_BYTES, tooLarge: () => new LeftOut('its answer is too large') }
/** A price that its source dates further back than this is stale. */
const OLDEST_SECONDS = 300
/** A price dated further ahead than this has no trustworthy time. */
const FURTHEST_AHEAD_SECONDS = 60
/** Maximum length of a source's reason in the log. */
const LONGEST_REASON = 200

/** A source did not answer the request. */
class LeftOut extends Error {
  override readonly name = 'LeftOut'
}

/** The sources do not agree on the price of a bitcoin in dollars: there is no rate to sell at. */
class RatesDisagree extends Error {
  override readonly name = 'RatesDisagree'
}

interface LiveRatesOptions {
  /** at least two */
  readonly sources: readonly RateSourceName[]
  /** The time outside, in epoch seconds: the demo's clock runs ahead of it. Default: the system's clock. */
  readonly outsideNow?: () => number
}

/**
 * Rates from several public sources at the same time: the median of those that agree (see `agreedRates`). A source that
 * is down, slow, stale, malformed or far from the others is left out and named in the log.
 */
export class LiveRates implements Rates {
  readonly isFixed = false
  readonly #runtime: Pick<Runtime, 'clock' | 'monotonic' | 'fetch' | 'log'>
  readonly #sources: ReadonlySet<RateSourceName>
  readonly #outsideNow: () => number

  constructor(
    runtime: Pick<Runtime, 'clock' | 'monotonic' | 'fetch' | 'log'>,
    { sources, outsideNow = runtime.clock.now }: LiveRatesOptions,
  ) {
    this.#runtime = runtime
    this.#sources = new Set(sources)
    this.#outsideNow = outsideNow
    if (this.#sources.size < LEAST_SOURCES) throw new RangeError(`live rates need ${LEAST_SOURCES} sources or more`)
  }

  get sources(): readonly string[] {
    return [...this.#sources].map(hostOf)
  }

  /** @throws RatesDisagree if no two agree on the dollar, which all of them have: they are not trusted in others then */
  async read(): Promise<RatesRead> {
    const heard = await Promise.all([...this.#sources].map((source) => this.#quotesOf(source)))
    const { rates, quotes, outliers } = agreedRates(heard)
    for (const { source, currency, apartBps } of outliers)
      this.#runtime.log.warn(
        { source, currency, apartBps: String(apartBps) },
        'price rejected: too far from the other sources',
      )
    if (!quotes.some(({ currency }) => currency === CROSSING)) {
      const named = heard.filter((one) => one.prices.size > 0).map((one) => one.source)
      throw new RatesDisagree(`no two sources agree on a price in ${CROSSING}; heard: ${named.join(', ')}`)
    }
    const disputed = new Set(outliers.map(({ currency }) => currency))
    for (const { currency } of quotes) disputed.delete(currency)
    if (disputed.size > 0)
      this.#runtime.log.warn({ currencies: [...disputed] }, 'no two sources agree on the price in these currencies')
    return { rates, quotes: quotes.map((quote) => ({ ...quote, source: hostOf(quote.source) })) }
  }

  /** The present prices of a source; if one of its answers is unusable, the others still count. */
  async #quotesOf(source: RateSourceName): Promise<Quotes> {
    const { log } = this.#runtime
    const leaveOut = (error: unknown): [] => {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
      log.warn({ source, reason: reason.slice(0, LONGEST_REASON) }, 'a source of rates was left out')
      return []
    }
    const answers = await Promise.all(
      PRICE_REQUESTS[source].map((request) => this.#ask(request).then((one) => [one], leaveOut)),
    )
    const prices = new Map<string, bigint>()
    for (const { prices: written } of answers.flat())
      for (const [currency, text] of written) {
        const price = parsePrice(text)
        if (price === null)
          log.warn({ source, currency, text: text.slice(0, 40) }, 'a source of rates wrote what is no price')
        else prices.set(currency, price)
      }
    return { source, prices }
  }

  async #ask(request: PriceRequest): Promise<WrittenPrices> {
    const limit = new AbortController()
    const done = new AbortController()
    void this.#runtime.monotonic.sleep(TIMEOUT_MS, done.signal).then(
      () => limit.abort(new LeftOut(`no answer in ${TIMEOUT_MS} ms`)),
      () => undefined, // the answer came first
    )
    try {
      const response = await this.#runtime.fetch(request.url, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        cache: 'no-store',
        signal: limit.signal,
      })
      if (!response.ok) throw new LeftOut(`it answered ${response.status}`)
      // A cached answer keeps its first date (RFC 9110, section 6.6.1).
      const date = response.headers.get('date')
      if (date !== null) this.#assertOfNow(Math.floor(Date.parse(date) / 1000))
      const written = request.read(
        parseJsonKeepingNumbers(await limitedText(response, { ...LIMIT, signal: limit.signal })),
      )
      if (written.at !== null) this.#assertOfNow(/^\d{1,12}$/.test(written.at) ? Number(written.at) : Number.NaN)
      return written
    } finally {
      done.abort()
      limit.abort() // drops what was not read
    }
  }

  /** @throws LeftOut for prices of another time, or of none. @param at epoch seconds */
  #assertOfNow(at: number): void {
    const age = this.#outsideNow() - at
    if (!(age <= OLDEST_SECONDS && age >= -FURTHEST_AHEAD_SECONDS))
      throw new LeftOut(`its prices are dated ${Number.isNaN(at) ? 'with no time' : at}`)
  }
}

/** The host that a source is asked at. */
function hostOf(source: string): string {
  // Every quote is from a source in the table.
  const [request] = PRICE_REQUESTS[source as RateSourceName]
  if (request === undefined) throw new Error(`${source} is asked nothing`)
  return new URL(request.url).host
}
