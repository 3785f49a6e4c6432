import { CURRENCIES } from '@fairball/domain/fiat'
import { describe, expect, it } from 'vitest'
import { addressIn } from '../../../test/relays.ts'
import { testRuntime, TEST_START_AT } from '../../runtime/test-runtime.ts'
import { LiveRates } from './live-rates.ts'
import { parsePrice, satsPerUnit } from './prices.ts'
import { RATE_SOURCES, type RateSourceName } from './price-sources.ts'

/** The price of a bitcoin in the tests' world. */
const WORLD: Readonly<Record<string, number>> = {
  GBP: 50_000,
  EUR: 58_000,
  USD: 65_000,
  AUD: 98_000,
  CAD: 89_000,
  CHF: 56_000,
  JPY: 9_700_000,
  SEK: 690_000,
  NOK: 700_000,
  DKK: 433_000,
  NZD: 108_000,
  PLN: 250_000,
}

type Prices = Readonly<Record<string, unknown>>

/** The answers of the sources, as in their documentation. */
const SHAPES: Readonly<Record<RateSourceName, (prices: Prices, address: string) => string>> = {
  coinbase: (prices) => JSON.stringify({ data: { currency: 'BTC', rates: textsOf(prices) } }),
  kraken(prices) {
    const keys: Record<string, string> = {
      USD: 'XXBTZUSD',
      EUR: 'XXBTZEUR',
      GBP: 'XXBTZGBP',
      CAD: 'XXBTZCAD',
      JPY: 'XXBTZJPY',
      CHF: 'XBTCHF',
      AUD: 'XBTAUD',
    }
    const tickers = Object.entries(textsOf(prices)).flatMap(([currency, text]) =>
      keys[currency] === undefined ? [] : [[keys[currency], { a: ['1', '1', '1'], c: [text, '0.1'], o: '1' }]],
    )
    return JSON.stringify({ error: [], result: Object.fromEntries(tickers) as unknown })
  },
  bitstamp(prices, address) {
    const currency = (/btc(\w{3})\/$/.exec(address)?.[1] ?? '').toUpperCase()
    return JSON.stringify({ last: textsOf(prices)[currency], timestamp: String(TEST_START_AT - 2), open: '1' })
  },
  coingecko(prices) {
    // Numbers are numbers there, as the test wrote them.
    const members = Object.entries(textsOf(prices)).map(([currency, text]) => `"${currency.toLowerCase()}":${text}`)
    return `{"bitcoin":{${[...members, `"last_updated_at":${TEST_START_AT - 30}`].join(',')}}}`
  },
}

function textsOf(prices: Prices): Record<string, string> {
  return Object.fromEntries(Object.entries(prices).map(([currency, price]) => [currency, String(price)]))
}

const HOSTS: readonly (readonly [RateSourceName, string])[] = [
  ['coinbase', 'api.coinbase.com'],
  ['kraken', 'api.kraken.com'],
  ['bitstamp', 'www.bitstamp.net'],
  ['coingecko', 'api.coingecko.com'],
]

type Behaviour = (
  address: string,
  honest: (prices?: Prices) => string,
  calledOff: AbortSignal,
) => Response | Promise<Response>

/** The sources on a network where each behaves as the test says; by default they all say the same. */
function liveRates(
  behaviours: Partial<Record<RateSourceName, Behaviour>> = {},
  sources: readonly RateSourceName[] = RATE_SOURCES,
) {
  const runtime = testRuntime({
    fetch: async (input, init) => {
      const address = addressIn(input)
      const source = HOSTS.find(([, host]) => new URL(address).host === host)?.[0]
      if (source === undefined) throw new TypeError(`a test went to ${address}`)
      const honest = (prices: Prices = WORLD): string => SHAPES[source](prices, address)
      const calledOff = init?.signal ?? new AbortController().signal
      return await (behaviours[source]?.(address, honest, calledOff) ?? new Response(honest()))
    },
  })
  // A source that never answers reaches its time limit a hundred times as fast.
  const sleep = (ms: number, signal?: AbortSignal) => runtime.monotonic.sleep(ms / 100, signal)
  const source = new LiveRates(
    { ...runtime, monotonic: { ...runtime.monotonic, sleep } },
    { sources, outsideNow: () => TEST_START_AT },
  )
  const quoted = async () => new Set((await source.read()).quotes.map(({ currency }) => currency))
  return { logged: runtime.logged, quoted, read: async () => byCurrency((await source.read()).rates) }
}

function byCurrency(rates: readonly { currency: string; satsPerUnit: bigint }[]): Record<string, bigint> {
  return Object.fromEntries(rates.map(({ currency, satsPerUnit: sats }) => [currency, sats]))
}

const scaled = (times: number): Prices =>
  Object.fromEntries(Object.entries(WORLD).map(([currency, price]) => [currency, Math.round(price * times)]))
const without = (...currencies: string[]): Prices =>
  Object.fromEntries(Object.entries(WORLD).filter(([currency]) => !currencies.includes(currency)))
const down: Behaviour = () => new Response('', { status: 503 })

const EXPECTED = Object.fromEntries(
  Object.entries(WORLD).map(([currency, price]) => [currency, BigInt(Math.round(100_000_000 / price))]),
)

describe('a price', () => {
  it.each([
    ['50000', 5_000_000_000_000n],
    ['30303.20000', 3_030_320_000_000n],
    ['51234.123456789123', 5_123_412_345_678n],
    ['1', 100_000_000n],
    ['0.99999999', null],
    ['0', null],
    ['-50000', null],
    ['+50000', null],
    ['1e-3', null],
    ['5e4', null],
    ['NaN', null],
    ['Infinity', null],
    ['', null],
    [' 50000', null],
    ['50,000', null],
    ['50000.', null],
    ['.5', null],
    ['0x10', null],
    ['999999999999', null], // a unit would be worth less than half a satoshi
    ['9'.repeat(400), null],
    ['５００００', null],
  ])('the price %s is read as %s', (text, price) => {
    expect(parsePrice(text)).toBe(price)
  })

  it('a price becomes whole satoshis per unit, half up', () => {
    const sats = (text: string): bigint => satsPerUnit(parsePrice(text) ?? 0n)
    expect(sats('50000')).toBe(2000n)
    expect(sats('40000000')).toBe(3n) // 2.5
    expect(sats('40000000.00000001')).toBe(2n)
    expect(sats('1')).toBe(100_000_000n)
  })
})

describe('live rates', () => {
  it('live rates are the median of all sources, for every currency of the product', async () => {
    const { read, logged } = liveRates()
    const rates = await read()
    expect(rates).toEqual(EXPECTED)
    expect(Object.keys(rates)).toEqual(CURRENCIES.map(({ code }) => code))
    expect(logged).toEqual([])
  })

  it('live rates are between sources that differ a little', async () => {
    const { read } = liveRates({
      coinbase: (_, honest) => new Response(honest(scaled(1.004))),
      kraken: (_, honest) => new Response(honest(scaled(0.996))),
      coingecko: (_, honest) => new Response(honest(scaled(1.002))),
    })
    expect(await read()).toMatchObject({ GBP: 1996n }) // the lower of the two in the middle
  })

  it.each([
    ['ten times the price', 10],
    ['a tenth of it', 0.1],
    ['two percent more', 1.02],
  ])('live rates leave out a source that says %s', async (_, times) => {
    const { read, logged } = liveRates({ coingecko: (_address, honest) => new Response(honest(scaled(times))) })
    expect(await read()).toMatchObject({ GBP: 2000n, EUR: EXPECTED['EUR'], USD: EXPECTED['USD'] })
    expect(logged).toContainEqual(
      expect.objectContaining({
        source: 'coingecko',
        currency: 'GBP',
        msg: 'price rejected: too far from the other sources',
      }),
    )
  })

  it.each(RATE_SOURCES)('live rates come from the others while %s is down, slow, or talks nonsense', async (source) => {
    const never: Behaviour = (_address, _honest, calledOff) =>
      new Promise((_, reject) => calledOff.addEventListener('abort', () => reject(new TypeError('called off'))))
    const stalling: Behaviour = (_address, _honest, calledOff) => {
      const body = new ReadableStream({
        start: (controller) => calledOff.addEventListener('abort', () => controller.error(new TypeError('called off'))),
      })
      return new Response(body)
    }
    const troubles: Behaviour[] = [
      down,
      never,
      stalling,
      () => Promise.reject(new TypeError('fetch failed')),
      () => new Response('<html>'),
      () => new Response('null'),
      () => new Response('[]'),
      () => new Response('{}'),
      () => new Response('{"error":["EGeneral:Internal error"],"result":{}}'),
      () => new Response('{"data":{"currency":"ETH","rates":{"GBP":"2500"}}}'),
      () => new Response(`{"last":"1","pad":"${'x'.repeat(300_000)}"}`),
    ]
    for (const trouble of troubles) {
      const { read, logged } = liveRates({ [source]: trouble })
      expect(await read()).toMatchObject({ GBP: 2000n, EUR: EXPECTED['EUR'], USD: EXPECTED['USD'] })
      expect(logged.some((line) => line['source'] === source)).toBe(true)
    }
  })

  it('live rates leave out a price dated too far back or ahead, by the source or by the cache that kept it', async () => {
    const dated = (at: number): Behaviour => {
      return (_, honest) => new Response(honest().replaceAll(/(timestamp|updated_at)":("?)\d+/g, `$1":$2${at}`))
    }
    const stale = scaled(1.01)
    for (const at of [TEST_START_AT - 301, TEST_START_AT + 61, 0]) {
      const { read, logged } = liveRates({
        bitstamp: (address, honest, calledOff) => dated(at)(address, () => honest(stale), calledOff),
        coingecko: (address, honest, calledOff) => dated(at)(address, () => honest(stale), calledOff),
      })
      expect(await read()).toMatchObject({ GBP: 2000n })
      expect(logged.filter((line) => line['msg'] === 'a source of rates was left out')).toHaveLength(4)
    }
    const date = new Date((TEST_START_AT - 3600) * 1000).toUTCString()
    const { read, logged } = liveRates({
      coinbase: (_, honest) => new Response(honest(stale), { headers: { date } }),
    })
    expect(await read()).toMatchObject({ GBP: 2000n })
    expect(logged).toContainEqual(expect.objectContaining({ source: 'coinbase' }))
  })

  it.each(['1e-3', '5e4', '-50000', '0', '99999999999999999999', '0.5'])(
    'leave out the one price written as %s and keep the others of its source',
    async (text) => {
      const { read, logged } = liveRates({
        coingecko: (_, honest) => new Response(honest({ ...WORLD, GBP: text })),
        coinbase: (_, honest) => new Response(honest({ ...WORLD, GBP: text })),
      })
      expect(await read()).toEqual(EXPECTED)
      expect(logged.filter((line) => line['msg'] === 'a source of rates wrote what is no price')).toHaveLength(2)
    },
  )

  it('live rates need two sources that agree: nothing is read from one, none, or two that do not', async () => {
    for (const behaviours of [
      { coinbase: down, kraken: down, bitstamp: down, coingecko: down },
      { kraken: down, bitstamp: down, coingecko: down },
      {
        kraken: down,
        bitstamp: down,
        coingecko: (_: string, honest: (prices: Prices) => string) => new Response(honest(scaled(1.1))),
      },
    ])
      await expect(liveRates(behaviours).read()).rejects.toThrow('no two sources agree on a price in USD')
  })

  it('every currency is quoted by the sources that agree on it, and its rate is their lower median', async () => {
    const { read, quoted, logged } = liveRates({
      coinbase: (_, honest) => new Response(honest({ ...WORLD, SEK: 690_000 * 1.01 })),
      kraken: (_, honest) => new Response(honest(without('EUR'))),
      bitstamp: down,
      coingecko: (_, honest) => new Response(honest({ ...WORLD, EUR: 58_000 * 1.2 })),
    })
    expect(await read()).toMatchObject({ USD: EXPECTED['USD'], SEK: 143n })
    const without_ = CURRENCIES.map(({ code }) => code).filter((code) => code !== 'EUR')
    expect(await quoted()).toEqual(new Set(without_))
    expect(logged).toContainEqual(
      expect.objectContaining({ currencies: ['EUR'], msg: 'no two sources agree on the price in these currencies' }),
    )
  })

  it('live rates are missing if two pairs contradict each other', async () => {
    const lie: Behaviour = (_, honest) => new Response(honest(scaled(1.2)))
    await expect(liveRates({ coinbase: lie, kraken: lie }).read()).rejects.toThrow('no two sources agree')
  })

  it('a currency of only one source is crossed over from the dollar, and not from a source that is off', async () => {
    const { read, quoted } = liveRates({ coinbase: down }) // the crowns, New Zealand and Poland are then only CoinGecko's
    expect(await read()).toEqual(EXPECTED)
    expect((await quoted()).has('SEK')).toBe(false)
    const higher = liveRates({ coinbase: down, coingecko: (_, honest) => new Response(honest(scaled(1.01))) })
    const rates = await higher.read()
    // Its crowns have the same ratio to its dollar as before, so they follow the agreed price.
    expect(rates['SEK']).toBe(EXPECTED['SEK'])
    const off = await liveRates({
      coinbase: down,
      coingecko: (_, honest) => new Response(honest(scaled(1.2))),
    }).read()
    expect(off).not.toHaveProperty('SEK')
    expect(off).toMatchObject({ GBP: 2000n })
  })

  it('live rates ask the chosen sources, at least two', async () => {
    const { read, logged } = liveRates({ bitstamp: down, coingecko: down }, ['coinbase', 'kraken'])
    expect(await read()).toMatchObject({ GBP: 2000n })
    expect(logged).toEqual([])
    expect(() => liveRates({}, ['coinbase', 'coinbase'])).toThrow(RangeError)
  })
})
