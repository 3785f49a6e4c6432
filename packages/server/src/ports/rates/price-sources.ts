import { CURRENCIES } from '@fairball/domain/fiat'

/** The available public sources of prices, by their names in the configuration (`RATE_SOURCES`). */
export const RATE_SOURCES = ['coinbase', 'kraken', 'bitstamp', 'coingecko'] as const
export type RateSourceName = (typeof RATE_SOURCES)[number]

/** The prices in one answer of a source, as it wrote them. */
export interface WrittenPrices {
  /** the source's own time of these prices, epoch seconds as a text; null for none */
  readonly at: string | null
  /** the price of one bitcoin by currency, not checked */
  readonly prices: ReadonlyMap<string, string>
}

/** One request to a source. */
export interface PriceRequest {
  readonly url: string
  /** Reads the answer, in which numbers are their source texts. @throws if it has another shape */
  read(answer: unknown): WrittenPrices
}

const CODES = CURRENCIES.map(({ code }) => code)

/** Kraken's names of its markets; requests and answers use different ones. */
const KRAKEN_MARKETS = [
  { currency: 'USD', pair: 'XBTUSD', key: 'XXBTZUSD' },
  { currency: 'EUR', pair: 'XBTEUR', key: 'XXBTZEUR' },
  { currency: 'GBP', pair: 'XBTGBP', key: 'XXBTZGBP' },
  { currency: 'CAD', pair: 'XBTCAD', key: 'XXBTZCAD' },
  { currency: 'JPY', pair: 'XBTJPY', key: 'XXBTZJPY' },
  { currency: 'CHF', pair: 'XBTCHF', key: 'XBTCHF' },
  { currency: 'AUD', pair: 'XBTAUD', key: 'XBTAUD' },
] as const

const BITSTAMP_CURRENCIES = ['USD', 'EUR', 'GBP'] as const

/** The requests to each source. Its documentation is in docs/decisions/0023-live-rates.md. */
export const PRICE_REQUESTS: Readonly<Record<RateSourceName, readonly PriceRequest[]>> = {
  // {"data":{"currency":"BTC","rates":{"GBP":"51234.5678",…}}}
  coinbase: [
    {
      url: 'https://api.coinbase.com/v2/exchange-rates?currency=BTC',
      read(answer) {
        const data = member(answer, 'data')
        if (member(data, 'currency') !== 'BTC') throw new TypeError('these are no rates of a bitcoin')
        return { at: null, prices: pricesIn(CODES.map((code) => [code, member(member(data, 'rates'), code)])) }
      },
    },
  ],
  // {"error":[],"result":{"XXBTZUSD":{"c":["30303.20000","0.00067643"],…}}}, c: the last trade's price and volume
  kraken: [
    {
      url: `https://api.kraken.com/0/public/Ticker?pair=${KRAKEN_MARKETS.map(({ pair }) => pair).join(',')}`,
      read(answer) {
        const errors = member(answer, 'error')
        if (!Array.isArray(errors) || errors.length > 0) throw new TypeError('it answered an error')
        const result = member(answer, 'result')
        const last = (market: (typeof KRAKEN_MARKETS)[number]): unknown => {
          const ticker = member(result, market.key) ?? member(result, market.pair)
          return member(member(ticker, 'c'), '0')
        }
        return { at: null, prices: pricesIn(KRAKEN_MARKETS.map((market) => [market.currency, last(market)])) }
      },
    },
  ],
  // {"last":"30303","timestamp":"1687000000",…}
  bitstamp: BITSTAMP_CURRENCIES.map((currency) => ({
    url: `https://www.bitstamp.net/api/v2/ticker/btc${currency.toLowerCase()}/`,
    read(answer) {
      return { at: timeIn(answer, 'timestamp'), prices: pricesIn([[currency, member(answer, 'last')]]) }
    },
  })),
  // {"bitcoin":{"gbp":51234.57,…,"last_updated_at":1687000000}}
  coingecko: [
    {
      url:
        'https://api.coingecko.com/api/v3/simple/price?ids=bitcoin&include_last_updated_at=true&precision=2' +
        `&vs_currencies=${CODES.map((code) => code.toLowerCase()).join(',')}`,
      read(answer) {
        const bitcoin = member(answer, 'bitcoin')
        return {
          at: timeIn(bitcoin, 'last_updated_at'),
          prices: pricesIn(CODES.map((code) => [code, member(bitcoin, code.toLowerCase())])),
        }
      },
    },
  ],
}

/** Parses JSON so that every number is its source text. @throws SyntaxError */
export function parseJsonKeepingNumbers(text: string): unknown {
  // The third argument is the source text access of ECMAScript 2026, which the type of JSON.parse does not know yet.
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  return JSON.parse(text, revive)
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** A source that reports its time always does: without it the answer cannot be dated. */
function timeIn(value: unknown, name: string): string {
  const at = member(value, name)
  if (typeof at !== 'string') throw new TypeError(`it has no ${name}`)
  return at
}

function pricesIn(pairs: readonly (readonly [currency: string, price: unknown])[]): Map<string, string> {
  return new Map(pairs.flatMap(([currency, price]) => (typeof price === 'string' ? [[currency, price]] : [])))
}
