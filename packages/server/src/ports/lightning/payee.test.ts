import { createHash } from 'node:crypto'
import type { Bolt11Draft } from '@fairball/domain/bolt11'
import { nodeIdOf, signBolt11 } from '@fairball/domain/bolt11-signature'
import { describe, expect, it } from 'vitest'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../runtime/outbound.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { type DecodedInvoice, NodeRefused } from './lightning-node.ts'
import { PayeeRefused } from './payee-refused.ts'
import { createPayees, type PayeesDeps } from './payee.ts'
import { isPublicAddress } from './public-address.ts'

const WALLET_KEY = new Uint8Array(32).fill(3)
const OUR_KEY = new Uint8Array(32).fill(4)
const OUR_HASH = 'ab'.repeat(32)
const PUBLIC_URL = 'https://lottery.example'
const ADDRESS = 'anna@wallet.example'
const METADATA = JSON.stringify([
  ['text/plain', 'To Anna'],
  ['text/identifier', ADDRESS],
])
const AMOUNT_MSAT = 21_000n
/** How far the demo's clock is ahead: the wallet has the time of the world. */
const AHEAD_SECONDS = 1_000_000

const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex')

type Json = Record<string, unknown>

/** What a wallet does, if not as it should. */
interface WalletOptions {
  /** addresses of each host, at each question */
  resolve?: (host: string, times: number) => string[]
  request?: Json | string
  answer?: Json | string
  draft?: Partial<Bolt11Draft>
  key?: Uint8Array
  /** in place of the wallet's answer to any request */
  get?: (request: OutboundRequest) => OutboundAnswer | Promise<OutboundAnswer>
  address?: string
  amountMsat?: bigint
}

const bodyOf = async function* (text: string) {
  yield new TextEncoder().encode(text)
}

function answerOf(body: Json | string, more: Partial<OutboundAnswer> = {}): OutboundAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status: 200, headers: { 'content-type': 'application/json' }, body: bodyOf(text), ...more }
}

/** Payees whose every wallet behaves as the options say, and what was asked of them. */
function payees(options: WalletOptions = {}, changes: Partial<PayeesDeps> = {}) {
  const runtime = testRuntime()
  runtime.clock.setOffsetSeconds(AHEAD_SECONDS)
  const worldNow = runtime.clock.now() - AHEAD_SECONDS
  const invoiceFor = (amountMsat: bigint): string =>
    signBolt11(
      {
        network: 'regtest',
        amountMsat,
        madeAt: worldNow,
        hash: 'cd'.repeat(32),
        description: null,
        descriptionHash: shaOf(METADATA),
        secret: '11'.repeat(32),
        expirySeconds: 600,
        minFinalCltv: 18,
        features: [8, 14, 17],
        ...options.draft,
      },
      options.key ?? WALLET_KEY,
    )
  const requests: OutboundRequest[] = []
  const resolved: string[] = []
  const outbound: Outbound = {
    async resolve(host) {
      resolved.push(host)
      return options.resolve?.(host, resolved.length) ?? ['203.0.113.7']
    },
    post: () => Promise.reject(new TypeError('no payee is sent anything')),
    async get(request) {
      requests.push(request)
      if (options.get !== undefined) return await options.get(request)
      const { pathname, searchParams } = new URL(request.path, 'https://wallet.example')
      if (pathname === '/.well-known/lnurlp/anna')
        return answerOf(
          options.request ?? {
            tag: 'payRequest',
            callback: 'https://pay.wallet.example/cb?id=7',
            minSendable: 1_000,
            maxSendable: 100_000_000,
            metadata: METADATA,
          },
        )
      return answerOf(options.answer ?? { pr: invoiceFor(BigInt(searchParams.get('amount') ?? 0)), routes: [] })
    },
  }
  const made = createPayees({
    runtime,
    network: 'regtest',
    outbound,
    publicUrl: PUBLIC_URL,
    ownServer: null,
    node: { invoice: async (hash) => ({ state: hash === OUR_HASH ? 'open' : 'unknown' }) },
    nodeId: async () => nodeIdOf(OUR_KEY),
    ...changes,
  })
  const { address = ADDRESS, amountMsat = AMOUNT_MSAT } = options
  return {
    runtime,
    requests,
    resolved,
    invoiceFor,
    payees: made,
    fetch: () => made.fetchInvoice({ kind: 'ADDRESS', value: address }, amountMsat),
    check: () => made.check({ kind: 'ADDRESS', value: address }),
  }
}

/** The reason for which a payee is refused. */
async function refusal(options: WalletOptions, changes?: Partial<PayeesDeps>): Promise<string> {
  const error: unknown = await payees(options, changes)
    .fetch()
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(PayeeRefused)
  expect((error as Error).message.length).toBeLessThanOrEqual(120)
  return (error as Error).message
}

const request = (changes: Json): Json => ({
  tag: 'payRequest',
  callback: 'https://pay.wallet.example/cb',
  minSendable: 1_000,
  maxSendable: 100_000_000,
  metadata: METADATA,
  ...changes,
})

describe('an invoice of a Lightning address', () => {
  it('is fetched from the one address that each host has, and its end is told by our clock', async () => {
    const wallet = payees()
    const invoice = await wallet.fetch()
    expect(invoice).toEqual({
      invoice: wallet.invoiceFor(AMOUNT_MSAT),
      hash: 'cd'.repeat(32),
      expiresAt: wallet.runtime.clock.now() + 600,
    })
    expect(wallet.requests.map(({ host, address, port, path }) => [host, address, port, path])).toEqual([
      ['wallet.example', '203.0.113.7', undefined, '/.well-known/lnurlp/anna'],
      ['pay.wallet.example', '203.0.113.7', undefined, `/cb?id=7&amount=${AMOUNT_MSAT}`],
    ])
  })

  it('a description in place of its hash is enough', async () => {
    await expect(payees({ draft: { description: 'To Anna', descriptionHash: null } }).fetch()).resolves.toBeDefined()
  })

  it('when an address is saved its smallest invoice is fetched, and its limits are told', async () => {
    const wallet = payees({ request: request({ minSendable: 1_500 }) })
    expect(await wallet.check()).toEqual({ minMsat: 1_500n, maxMsat: 100_000_000n })
    expect(wallet.requests.at(-1)?.path).toBe('/cb?amount=2000')
  })

  it('when an address is saved whose smallest invoice is wrong it is refused', async () => {
    await expect(payees({ draft: { network: 'mainnet' } }).check()).rejects.toThrow(PayeeRefused)
    await expect(payees({ request: request({ minSendable: 1_001, maxSendable: 1_999 }) }).check()).rejects.toThrow(
      'The wallet takes no whole number of satoshis.',
    )
  })

  it.each([
    [
      'a redirect',
      { get: () => answerOf('', { status: 302, headers: { location: 'https://10.0.0.1/' } }) },
      /status 302/,
    ],
    ['no such name', { get: () => answerOf('', { status: 404 }) }, /knows no such Lightning address/],
    ['HTML', { request: '<!doctype html><title>Sign in</title>' }, /JSON/],
    ['JSON that is no object', { request: '[1]' }, /as a wallet does/],
    ['gzip', { get: () => answerOf('\u001f', { headers: { 'content-encoding': 'gzip' } }) }, /compressed/],
    ['1 GB, announced', { get: () => answerOf('{', { headers: { 'content-length': '1000000000' } }) }, /too large/],
    ['another tag', { request: request({ tag: 'withdrawRequest' }) }, /as a wallet does/],
    ['limits that do not fit', { request: request({ minSendable: 2_000, maxSendable: 1_000 }) }, /limits/],
    ['a limit of zero', { request: request({ minSendable: 0 }) }, /as a wallet does/],
    ['half a millisatoshi', { request: request({ minSendable: 1.5 }) }, /as a wallet does/],
    ['too small an amount', { request: request({ minSendable: 22_000 }) }, /takes 22 to 100000 sats/],
    ['too large an amount', { request: request({ maxSendable: 20_000 }) }, /takes 1 to 20 sats/],
    [
      'metadata of another address',
      { request: request({ metadata: METADATA.replace('anna', 'eve') }) },
      /another address/,
    ],
    ['metadata that is no list', { request: request({ metadata: '{}' }) }, /as a wallet does/],
    ['an answer without an invoice', { answer: {} }, /gave no invoice/],
    ['an invoice that cannot be read', { answer: { pr: 'lnbcrt1nonsense' } }, /cannot be read/],
    ['wrong h', { draft: { descriptionHash: shaOf('[["text/plain","Another"]]') } }, /something else/],
    ['another amount', { draft: { amountMsat: AMOUNT_MSAT + 1n } }, /another amount/],
    ['no amount', { draft: { amountMsat: null } }, /another amount/],
    ['another network', { draft: { network: 'mainnet' } }, /another network/],
    ['an invoice of our own node', { key: OUR_KEY }, /of this site/],
    ['a hash that our node knows', { draft: { hash: OUR_HASH } }, /of this site/],
    ['no payment secret', { draft: { secret: null } }, /payment secret/],
    ['an unknown even feature', { draft: { features: [8, 14, 1000] } }, /cannot be read/],
    ['30 days of time', { draft: { expirySeconds: 30 * 86_400 } }, /longer than a day/],
    ['59 seconds of time', { draft: { expirySeconds: 59 } }, /no time left/],
    ['an invoice of yesterday', { draft: { madeAt: 1_735_732_800 - 86_400 } }, /no time left/],
  ] satisfies [string, WalletOptions, RegExp][])(
    'a wallet is refused that answers with %s',
    async (_what, options, reason) => {
      expect(await refusal(options)).toMatch(reason)
    },
  )

  it.each([
    ['plain http', 'http://pay.wallet.example/cb'],
    ['a port', 'https://pay.wallet.example:8443/cb'],
    ['userinfo', 'https://anna:secret@pay.wallet.example/cb'],
    ['an address of IPv4', 'https://203.0.113.7/cb'],
    ['an address of IPv4 as one number', 'https://2130706433/cb'],
    ['an address of IPv6', 'https://[2001:4860:4860::8888]/cb'],
    ['a name of Tor', 'https://abcdefghijklmnop.onion/cb'],
    ['a name without a dot', 'https://metadata/cb'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'cb'],
    ['an amount of its own', 'https://pay.wallet.example/cb?amount=1'],
  ])('a callback is refused with %s', async (_what, callback) => {
    const wallet = payees({ request: request({ callback }) })
    await expect(wallet.fetch()).rejects.toThrow('The wallet’s server names an address that is not allowed.')
    expect(wallet.requests).toHaveLength(1)
  })

  it.each([
    ['an address of IPv4', 'anna@203.0.113.7'],
    ['an address of IPv6', 'anna@[2001:4860:4860::8888]'],
    ['a port', 'anna@wallet.example:8443'],
    ['userinfo', 'anna@eve:secret@wallet.example'],
    ['a name of Tor', 'anna@abcdefghijklmnop.onion'],
    ['the own site', 'anna@lottery.example'],
  ])('an address is never asked with %s', async (_what, address) => {
    const wallet = payees({ address })
    await expect(wallet.fetch()).rejects.toThrow(PayeeRefused)
    expect([wallet.requests, wallet.resolved]).toEqual([[], []])
  })

  it.each([
    ['one that is private', () => ['192.168.1.1']],
    ['two of which one is private', () => ['203.0.113.7', '127.0.0.1']],
    ['two of which one is private, of IPv6', () => ['203.0.113.7', 'fd00::1']],
    ['none', () => []],
  ])('nothing is connected to where a name has these addresses: %s', async (_what, resolve) => {
    const wallet = payees({ resolve })
    await expect(wallet.fetch()).rejects.toThrow(PayeeRefused)
    expect(wallet.requests).toEqual([])
  })

  it('a name is resolved once, so that it cannot be bound to another address after the check', async () => {
    const wallet = payees({
      resolve: (_host, times) => (times === 1 ? ['203.0.113.7'] : ['127.0.0.1']),
      request: request({ callback: 'https://wallet.example/cb' }),
    })
    await wallet.fetch()
    expect(wallet.resolved).toEqual(['wallet.example'])
    expect(wallet.requests.map(({ address }) => address)).toEqual(['203.0.113.7', '203.0.113.7'])
  })

  it('a callback at another name is checked as the first one', async () => {
    const wallet = payees({ resolve: (host) => [host === 'wallet.example' ? '203.0.113.7' : '10.0.0.1'] })
    await expect(wallet.fetch()).rejects.toThrow('not on the public internet')
    expect(wallet.requests).toHaveLength(1)
  })

  it('1 GB that is not announced is read up to 64 KiB', async () => {
    let pieces = 0
    const endless = (async function* () {
      for (;;) {
        pieces += 1
        yield new Uint8Array(16 * 1024).fill(32)
      }
    })()
    expect(await refusal({ get: () => answerOf('', { body: endless }) })).toMatch(/too large/)
    expect(pieces).toBe(5)
  })

  it.each([
    [
      'drips',
      () =>
        answerOf('', { body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) } }),
    ],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])('a server that %s has five seconds for everything', async (_what, get) => {
    const limits: number[] = []
    const signals: AbortSignal[] = []
    const runtime = testRuntime()
    const monotonic = { ...runtime.monotonic, sleep: async (ms: number) => void limits.push(ms) }
    const reason = await refusal(
      { get: (asked) => (signals.push(asked.signal), get()) },
      { runtime: { clock: runtime.clock, monotonic } },
    )
    expect(reason).toBe('The wallet did not answer in time.')
    expect([limits, signals.map(({ aborted }) => aborted)]).toEqual([[5_000], [true]])
  })

  it('a server that cannot be reached, or breaks off, is refused', async () => {
    const broken = (async function* () {
      yield new Uint8Array(1)
      throw new Error('reset')
    })()
    expect(await refusal({ get: () => Promise.reject(new Error('refused')) })).toMatch(/cannot be reached/)
    expect(await refusal({ get: () => answerOf('', { body: broken }) })).toMatch(/broke off/)
  })

  it('the wallet’s own reason is shown as text, without controls and not whole if it is long', async () => {
    expect(await refusal({ request: { status: 'ERROR', reason: 'Anna\u0000 has\n left' } })).toBe(
      'The wallet says: Anna has left',
    )
    expect(await refusal({ answer: { status: 'error', reason: 'x'.repeat(500) } })).toHaveLength(120)
    expect(await refusal({ answer: { status: 'ERROR' } })).toBe('The wallet refused without a reason.')
  })
})

describe('an address of this installation', () => {
  const own = (path: string, invoice: string): string =>
    path === '/.well-known/lnurlp/anna'
      ? JSON.stringify(request({ callback: 'http://localhost:3000/pay/anna', metadata: '[["text/plain","x"]]' }))
      : JSON.stringify({ pr: invoice })

  it('in the demo it is answered in process, by the clock of the demo', async () => {
    const asked: string[] = []
    const wallet = payees({ address: 'anna@localhost:3000' })
    const { clock } = wallet.runtime
    const draft = { madeAt: clock.now(), descriptionHash: shaOf('[["text/plain","x"]]') }
    const invoice = payees({ draft }).invoiceFor(AMOUNT_MSAT)
    const inDemo = payees(
      { address: 'anna@localhost:3000' },
      {
        publicUrl: 'http://localhost:3000',
        ownServer: async (path) => (asked.push(path), { status: 200, body: own(path, invoice) }),
      },
    )
    expect((await inDemo.fetch()).expiresAt).toBe(clock.now() + 600)
    expect(asked).toEqual(['/.well-known/lnurlp/anna', `/pay/anna?amount=${AMOUNT_MSAT}`])
    expect([inDemo.requests, inDemo.resolved]).toEqual([[], []])
  })

  it('a wallet elsewhere cannot lead there', async () => {
    const asked: string[] = []
    const callback = 'http://localhost:3000/dev/pay'
    const wallet = payees(
      { request: request({ callback }) },
      {
        publicUrl: 'http://localhost:3000',
        ownServer: async (path) => (asked.push(path), { status: 200, body: '{}' }),
      },
    )
    await expect(wallet.fetch()).rejects.toThrow('not allowed')
    expect(asked).toEqual([])
  })
})

describe('an address of the public internet', () => {
  it.each([
    '0.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001::1',
    '2001:0:ffff::1',
    '2002:7f00:1::1',
    '4000::1',
    'localhost',
    '127.1',
    '',
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:1::1',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '3fff::1',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

/** Examples of BOLT 12. */
const OFFERS = {
  issuer: '02eec7245d6b7d2ccb30380bfbe2a3648cd7a942653f5aa340edcea1f283686619',
  smallest: 'lno1zcss9mk8y3wkklfvevcrszlmu23kfrxh49px20665dqwmn4p72pksese',
  otherChain:
    'lno1qgsyxjtl6luzd9t3pr62xr7eemp6awnejusgf6gw45q75vcfqqqqqqq2p32x2um5ypmx2cm5dae8x93pqthvwfzadd7jejes8q9lhc4rvjxd022zv5l44g6qah82ru5rdpnpj',
  withAmount: 'lno1pqpzwyq2p32x2um5ypmx2cm5dae8x93pqthvwfzadd7jejes8q9lhc4rvjxd022zv5l44g6qah82ru5rdpnpj',
  inDollars: 'lno1qcp4256ypqpzwyq2p32x2um5ypmx2cm5dae8x93pqthvwfzadd7jejes8q9lhc4rvjxd022zv5l44g6qah82ru5rdpnpj',
  ends: 'lno1pgx9getnwss8vetrw3hhyucwq3ay997czcss9mk8y3wkklfvevcrszlmu23kfrxh49px20665dqwmn4p72pksese',
  counted: 'lno1pgx9getnwss8vetrw3hhyuc5qyz3vggzamrjghtt05kvkvpcp0a79gmy3nt6jsn98ad2xs8de6sl9qmgvcvs',
  unordered: 'lno1zcssyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszpgz5znzfgdzs',
}

describe('an invoice of an offer', () => {
  const DECODED: DecodedInvoice = {
    isValid: true,
    amountMsat: AMOUNT_MSAT,
    hash: 'cd'.repeat(32),
    payee: nodeIdOf(WALLET_KEY),
    madeAt: 1_735_732_800,
    expirySeconds: 7200,
  }
  const offers = (decoded: Partial<DecodedInvoice> = {}, changes: Partial<PayeesDeps> = {}) => {
    const asked: string[] = []
    const { payees: made } = payees(
      {},
      {
        network: 'mainnet',
        node: {
          invoice: async (hash) => ({ state: hash === OUR_HASH ? 'open' : 'unknown' }),
          fetchInvoice: async (offer) => (asked.push(offer), 'lni1invoice'),
          decodeInvoice: async () => ({ ...DECODED, ...decoded }),
        },
        ...changes,
      },
    )
    return { made, asked }
  }
  const { smallest, otherChain, withAmount, inDollars, ends, counted, unordered } = OFFERS
  const offer = (value = smallest) => ({ kind: 'OFFER', value }) as const

  it('is asked for by the node', async () => {
    const { made, asked } = offers()
    expect(await made.fetchInvoice(offer(), AMOUNT_MSAT)).toEqual({
      invoice: 'lni1invoice',
      hash: DECODED.hash,
      expiresAt: 1_735_732_800 + AHEAD_SECONDS + 7200,
    })
    expect(asked).toEqual([smallest])
    expect(await made.check(offer(ends))).toEqual({ minMsat: 1n, maxMsat: 2_100_000_000_000_000_000n })
    expect(await made.check(offer(withAmount))).toMatchObject({ minMsat: 10_000n })
  })

  it.each([
    ['another amount', { amountMsat: AMOUNT_MSAT + 1n }, /another amount/],
    ['our own node', { payee: nodeIdOf(OUR_KEY) }, /of this site/],
    ['a hash that our node knows', { hash: OUR_HASH }, /of this site/],
    ['a signature that does not fit', { isValid: false }, /cannot be read/],
    ['30 days of time', { expirySeconds: 30 * 86_400 }, /longer than a day/],
    ['no time', { expirySeconds: 59 }, /no time left/],
  ] satisfies [string, Partial<DecodedInvoice>, RegExp][])('is refused with %s', async (_what, decoded, reason) => {
    await expect(offers(decoded).made.fetchInvoice(offer(), AMOUNT_MSAT)).rejects.toThrow(reason)
  })

  it.each([
    ['of another network', otherChain, /another network/],
    ['in another currency', inDollars, /another currency/],
    ['that asks for a quantity', counted, /quantity/],
    ['that cannot be read', unordered, /cannot be read/],
  ])('an offer is not asked %s', async (_what, text, reason) => {
    const { made, asked } = offers()
    await expect(made.check(offer(text))).rejects.toThrow(reason)
    await expect(made.fetchInvoice(offer(text), AMOUNT_MSAT)).rejects.toThrow(reason)
    expect(asked).toEqual([])
  })

  it('an offer is not asked that has expired, that is ours, or for less than it takes', async () => {
    const late = testRuntime({ startAt: 2_051_184_600 })
    await expect(offers({}, { runtime: late }).made.check(offer(ends))).rejects.toThrow('expired')
    await expect(offers({}, { nodeId: async () => OFFERS.issuer }).made.check(offer())).rejects.toThrow('of this site')
    await expect(offers().made.fetchInvoice(offer(withAmount), 9_999n)).rejects.toThrow('takes 10 sats or more')
  })

  it('a node that cannot ask, or gets no answer, is no payee', async () => {
    const { payees: made } = payees()
    expect(made.takesOffers).toBe(false)
    await expect(made.check(offer())).rejects.toThrow('Offers cannot be paid here.')
    const fetchInvoice = () => Promise.reject(new NodeRefused('timeout', 1003))
    const node = {
      invoice: async () => ({ state: 'unknown' }) as const,
      fetchInvoice,
      decodeInvoice: async () => DECODED,
    }
    await expect(offers({}, { node }).made.fetchInvoice(offer(), AMOUNT_MSAT)).rejects.toThrow('did not answer')
  })
})
