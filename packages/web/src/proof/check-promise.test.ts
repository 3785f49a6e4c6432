import { signBolt11 } from '@fairball/domain/bolt11-signature'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { asciiBytes } from '@fairball/domain/protocol/bytes'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { TEST_LOG_SEED, TEST_ORIGIN, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { expect, it } from 'vitest'
import type { Api } from '../shared/api.ts'
import { keptOrder } from '../testing/kept-order.ts'
import { BrowserDatabase } from '../testing/browser-database.ts'
import { filesOf, fileServer, hintOf, PlayersOrder } from '../testing/served-operator.ts'
import { checkPayment } from './check-payment.ts'
import { promiseFault } from './check-promise.ts'
import type { KeptOrder } from './kept-records.ts'
import { KeptStore } from './kept-store.ts'
import { placeOrder, PromiseError } from './place-order.ts'

const SECRET = nobleHash(asciiBytes('the order'))
const LINES = [[1, 2, 3]]
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const BITCOIN = [{ by: 'bitcoin', address: ADDRESS }] as const

/** An operator with a draw on sale, an order for it as this browser keeps it, and the dependencies of the check. */
function ordering(changes: Partial<KeptOrder> = {}) {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const made = new PlayersOrder(draw, { secret: SECRET, username: 'player-1', lines: LINES })
  const weekday = ((Math.floor(draw.open.statement.start / 86_400) + 3) % 7) + 1
  const order = keptOrder({
    player: 'player-1',
    secret: toHex(SECRET),
    madeAt: operator.now,
    lines: LINES,
    days: [weekday],
    promise: made.promise({}, BITCOIN),
    ...changes,
  })
  const store = new KeptStore(new BrowserDatabase().factory, null)
  const answers: Record<string, (input: never) => unknown> = {
    getFairnessDraw: ({ params }: { params: { number: number } }) => hintOf(operator, params.number),
  }
  const api = { call: async (name: string, input: never) => answers[name]?.(input) } as unknown as Api
  const parts = {
    api,
    store,
    sightAt: operator.now,
    runtime: { fetch: fileServer(() => filesOf(operator)), randomBytes: (count: number) => SECRET.slice(0, count) },
  }
  return { operator, draw, made, order, store, parts, answers }
}

it('a promise that fits its order is accepted, and key and head of the log are kept', async () => {
  const { order, parts, store } = ordering()
  expect(await promiseFault(parts, order, null)).toBeNull()
  const shown = { pay: BITCOIN[0], sats: 3000n }
  expect(await promiseFault(parts, order, shown)).toBeNull()
  expect(await store.get('logs', TEST_ORIGIN)).toMatchObject({ keys: [toHex(publicKeyOf(TEST_LOG_SEED))] })
  expect(await store.all('heads')).toHaveLength(1)
})

const LIES: [string, RegExp, (set: ReturnType<typeof ordering>) => Partial<KeptOrder>][] = [
  ['cannot be read', /cannot read the promise/u, () => ({ promise: 'hello' })],
  ['is for another secret', /another secret/u, () => ({ secret: 'ab'.repeat(32) })],
  ['is for other lines', /other lines/u, () => ({ lines: [[1, 2, 4]] })],
  ['is for another payout address', /another payout address/u, () => ({ payto: ADDRESS })],
  ['is for fewer draws', /another number of draws/u, () => ({ weeks: 2 })],
  ['costs another price', /sums are wrong/u, () => ({ price: { GBP: 50 } })],
  [
    'costs another price in one of its draws',
    /sums are wrong/u,
    ({ draw }) => ({ drawPrices: { [draw.open.statement.draw]: { GBP: 50 } } }),
  ],
  ['takes fewer free tickets', /fewer free tickets/u, () => ({ free: 1 })],
  [
    'asks for more than its plays cost',
    /sums are wrong/u,
    ({ made }) => ({ promise: made.promise({ sats: 4000n }, BITCOIN) }),
  ],
  [
    'is for a draw that had closed',
    /other draws than you chose/u,
    ({ draw }) => ({ madeAt: draw.open.statement.close }),
  ],
  ['is for another game', /other draws than you chose/u, () => ({ game: 'another-game' })],
  [
    'names a draw that is not announced',
    /has not announced/u,
    ({ made }) => ({
      promise: made.promise(
        { play: [{ open: 'ab'.repeat(32), play: made.id, lines: 1, free: 0, sats: 3000n }] },
        BITCOIN,
      ),
    }),
  ],
]
it.each(LIES)('a promise that %s is refused with the reason', async (_what, words, lie) => {
  const set = ordering()
  expect(await promiseFault(set.parts, { ...set.order, ...lie(set) }, null)).toMatch(words)
})

it('a promise is held against the price that was shown for each draw', async () => {
  const { order, parts, draw } = ordering({ price: { GBP: 50 } })
  const shown = { [draw.open.statement.draw]: order.price, 99: { GBP: 50 } }
  expect(await promiseFault(parts, order, null)).toMatch(/sums are wrong/u)
  const drawPrices = { ...shown, [draw.open.statement.draw]: { GBP: 100 } }
  expect(await promiseFault(parts, { ...order, drawPrices }, null)).toBeNull()
})

it('a promise is refused if the browser knows the log by another key', async () => {
  const { order, parts, store } = ordering()
  await store.put('logs', { origin: TEST_ORIGIN, keys: ['ab'.repeat(32)], seenAt: 1, policy: null })
  expect(await promiseFault(parts, order, null)).toMatch(/its key is not the one this browser knows/u)
})

it('a promise gets no verdict if the log cannot be fetched', async () => {
  const { order, parts } = ordering()
  const runtime = { ...parts.runtime, fetch: async () => new Response('', { status: 503 }) }
  await expect(promiseFault({ ...parts, runtime }, order, null)).rejects.toThrow('status 503')
})

const amount = (value: string) => ({ value, code: 'BTC' as const })
const PAYMENT = {
  transaction_id: 'order-1',
  address: ADDRESS,
  uri: `bitcoin:${ADDRESS}?amount=0.00003000`,
  amount: { crypto: amount('0.00003000'), fiat: {} },
  missing: amount('0.00003000'),
  received: amount('0.00000000'),
}

it('a promised payment is accepted, even after a part of it has arrived', async () => {
  const { order, parts, store } = ordering()
  expect(await checkPayment(parts, PAYMENT)).toEqual({ kind: 'unknown' })
  await store.put('orders', order)
  expect(await checkPayment(parts, PAYMENT)).toEqual({ kind: 'promised' })
  const rest = { missing: amount('0.00001000'), received: amount('0.00002000') }
  const uri = `bitcoin:${ADDRESS}?amount=0.00001000`
  expect(await checkPayment(parts, { ...PAYMENT, ...rest, uri })).toEqual({ kind: 'promised' })
})

it('a Lightning invoice is accepted only if the promise names its hash, and for the whole amount', async () => {
  const { order, parts, store, made } = ordering()
  const hash = 'ab'.repeat(32)
  const draft = { network: 'regtest', madeAt: 1, hash, description: '', secret: null, features: [] } as const
  const usual = { descriptionHash: null, expirySeconds: null, minFinalCltv: null }
  const [right, more] = [3_000_000n, 3_001_000n].map((amountMsat) =>
    signBolt11({ ...draft, ...usual, amountMsat }, new Uint8Array(32).fill(5)),
  )
  const offered = (bolt11 = '') => ({
    ...PAYMENT,
    network: 'regtest' as const,
    unified_uri: `${PAYMENT.uri}&lightning=${bolt11}`,
    lightning: { bolt11, payment_hash: hash, expires_at: 1, state: 'open' as const, paid_at: null, is_first: true },
  })
  await store.put('orders', order)
  expect(await checkPayment(parts, offered(right))).toMatchObject({
    kind: 'wrong',
    why: expect.stringMatching(/another payment/u),
  })
  const pay = [
    { by: 'bitcoin', address: ADDRESS },
    { by: 'lightning', hash },
  ] as const
  await store.put('orders', { ...order, promise: made.promise({}, pay) })
  expect(await checkPayment(parts, offered(right))).toEqual({ kind: 'promised' })
  const page = { kind: 'wrong', why: 'The code to scan does not match this page.' }
  expect(await checkPayment(parts, offered(more))).toEqual(page)
  expect(await checkPayment(parts, { ...offered(right), network: 'mainnet' })).toEqual(page)
  expect(await checkPayment(parts, { ...offered(right), unified_uri: PAYMENT.uri })).toEqual(page)
})

const OTHER = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'
it.each([
  [
    'to another address',
    { address: OTHER, uri: `bitcoin:${OTHER}?amount=0.00003000` },
    /another payment than the one shown/u,
  ],
  [
    'of another amount',
    {
      amount: { crypto: amount('0.00004000'), fiat: {} },
      missing: amount('0.00004000'),
      uri: `bitcoin:${ADDRESS}?amount=0.00004000`,
    },
    /another payment/u,
  ],
  ['whose code says another address', { uri: `bitcoin:${OTHER}?amount=0.00003000` }, /does not match this page/u],
  ['whose code says another amount', { uri: `bitcoin:${ADDRESS}?amount=0.00004000` }, /does not match this page/u],
  ['whose code says more', { uri: `${PAYMENT.uri}&pj=https://evil.example` }, /does not match this page/u],
  ['without an address', { address: null, uri: null }, /does not match this page/u],
])('a payment %s is refused', async (_what, changes, why) => {
  const { order, parts, store } = ordering()
  await store.put('orders', order)
  const check = await checkPayment(parts, { ...PAYMENT, ...changes })
  expect(check.kind).toBe('wrong')
  expect(check.kind === 'wrong' && check.why).toMatch(why)
})

/** Orders as the play page does. */
function placing() {
  const set = ordering()
  const sent: { secret: string | undefined; isKept: boolean }[] = []
  const { store, made } = set
  let promise = ''
  set.answers['createPayment'] = async ({ body }: { body: { secret?: string } }) => {
    sent.push({ secret: body.secret, isKept: (await store.get('orders', 'attempt-1'))?.secret === body.secret })
    const own = new PlayersOrder(set.draw, { secret: fromHex(body.secret ?? ''), username: 'player-1', lines: LINES })
    return {
      checkout_url: 'http://localhost/checkout/order-1',
      transaction_id: 'order-1',
      promise: promise || own.promise({}, BITCOIN),
    }
  }
  const order = {
    attempt: 'attempt-1',
    player: 'player-1',
    game: 'test-game',
    days: set.order.days,
    weeks: 1,
    firstDraw: 1,
    free: 0,
    price: { GBP: 100 },
    payto: '',
    tickets: [{ isLuckyDip: false, numbers: [3, 1, 2] }],
    isOwnPage: () => true,
  }
  return {
    ...set,
    sent,
    order,
    lie: (changes: Parameters<typeof made.promise>[0]) => (promise = made.promise(changes, BITCOIN)),
  }
}

it('the order’s secret is kept before the request is sent, and its promise after the answer', async () => {
  const { parts, order, sent, store } = placing()
  await placeOrder(parts, order)
  expect(sent).toEqual([{ secret: toHex(SECRET), isKept: true }])
  expect(await store.get('orders', 'attempt-1')).toMatchObject({ transactionId: 'order-1', lines: [[1, 2, 3]] })
  expect(await checkPayment(parts, PAYMENT)).toEqual({ kind: 'promised' })
})

it('a retry of an attempt sends the same secret', async () => {
  const { parts, order, sent } = placing()
  await placeOrder(parts, order)
  const other = {
    ...parts,
    runtime: { ...parts.runtime, randomBytes: (count: number) => new Uint8Array(count).fill(7) },
  }
  await placeOrder(other, order)
  expect(sent.map(({ secret }) => secret)).toEqual([toHex(SECRET), toHex(SECRET)])
})

it('an order ends if its promise does not fit, or differs from an earlier one', async () => {
  const { parts, order, lie } = placing()
  lie({ lines: 'ab'.repeat(32) })
  await expect(placeOrder(parts, order)).rejects.toThrow(PromiseError)
  const again = placing()
  await placeOrder(again.parts, again.order)
  again.lie({ confirmations: 6 })
  await expect(placeOrder(again.parts, again.order)).rejects.toThrow('promise for this order has changed')
})

it('a promise that could not be checked is left to the payment page of this site, and to no other site', async () => {
  const { parts, order } = placing()
  const runtime = { ...parts.runtime, fetch: async () => new Response('', { status: 503 }) }
  expect(await placeOrder({ ...parts, runtime }, order)).toMatchObject({ transaction_id: 'order-1' })
  const elsewhere = { ...order, isOwnPage: () => false }
  await expect(placeOrder({ ...parts, runtime }, elsewhere)).rejects.toThrow('status 503')
})
