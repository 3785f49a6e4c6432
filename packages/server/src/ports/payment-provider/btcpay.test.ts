import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type BtcpayDelivery,
  type BtcpayStandIn,
  type BtcpayStandInOptions,
  signatureOf,
  startBtcpay,
} from '../../../test/providers/btcpay.ts'
import { addressAt, hashOf } from '../../../test/providers/coins.ts'
import { type Json, type JsonObject, objectOf, schemasOf } from '../../../test/providers/openapi.ts'
import { outside, seededNumbers, shuffled } from '../../../test/providers/outside.ts'
import { addressIn } from '../../../test/relays.ts'
import { type BtcpayOptions, createBtcpayProvider } from './btcpay.ts'
import type { CheckoutRequest, SeenOutput } from './payment-provider.ts'
import { casesOf } from '../../../test/share.ts'

/** Deliveries of a storm: genuine ones once more, and forged ones. */
const DELIVERIES = casesOf({ all: 10_000, share: 1_000 })

const KEY = 'e3a1c9b7-planted-api-key'
const SECRET = 'planted-webhook-secret'
const STORE = '9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776'
const ORDER = '0d9f1c1e-63a7-4a8e-9b39-3f4f6c1d2e5a'
const DUE = 12_345n
const MINUTE = 60
const DAY = 86_400

/** The parts of the published description that the tests need; its shape is what the helpers below read. */
const OPENAPI = JSON.parse(
  readFileSync(new URL('../../../test/providers/btcpay-openapi.json', import.meta.url), 'utf8'),
) as JsonObject

const standIns: BtcpayStandIn[] = []
afterEach(async () => {
  for (const standIn of standIns) expect(problemsWith(standIn)).toEqual([]) // whatever else a test checks
  await Promise.all(standIns.splice(0).map((standIn) => standIn.close()))
})

/** A server, our adapter for it, and one order to be paid. */
async function shop(
  options: Partial<
    BtcpayOptions & Pick<BtcpayStandInOptions, 'permissions' | 'hasLightning'> & { fetch: typeof globalThis.fetch }
  > = {},
) {
  const runtime = outside(options.fetch)
  const { permissions, hasLightning = true, fetch: _fetch, ...ours } = options
  const btcpay = await startBtcpay({
    apiKey: KEY,
    storeId: STORE,
    webhookSecret: SECRET,
    network: 'regtest',
    now: runtime.clock.now,
    hasLightning,
    ...(permissions === undefined ? {} : { permissions }),
  })
  standIns.push(btcpay)
  const provider = createBtcpayProvider(runtime, {
    baseUrl: btcpay.url,
    apiKey: KEY,
    storeId: STORE,
    webhookSecret: SECRET,
    network: 'regtest',
    requiredConfirmations: () => 1,
    ...ours,
  })
  const request = (more: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
    orderId: ORDER,
    amountSats: DUE,
    description: 'Bitcoin Lotto: 3 lines',
    expiresAt: runtime.clock.now() + 15 * MINUTE,
    returnUrl: `https://lottery.example/game/bitcoin-lotto?transaction_id=${ORDER}`,
    ...more,
  })
  return {
    runtime,
    btcpay,
    provider,
    request,
    /** Makes the order's invoice. @returns its id */
    open: async () => (await provider.createCheckout(request())).ref,
    read: (delivery: BtcpayDelivery) => provider.webhook?.read(delivery.headers, delivery.body) ?? null,
    logged: () => JSON.stringify(runtime.logged),
  }
}

const shown = (outputs: readonly SeenOutput[]): string[] =>
  outputs.map(({ sats, confirmations, network }) => `${sats} ${network} ${confirmations}`)

describe('a checkout at BTCPay', () => {
  it('a checkout is quoted in bitcoin, as a decimal text, with what keeps control in our hands', async () => {
    const { btcpay, provider, request, runtime } = await shop()
    const checkout = await provider.createCheckout(request())
    const asked = btcpay.exchanges.find(({ method }) => method === 'POST')
    expect(asked?.path).toBe(`/api/v1/stores/${STORE}/invoices`)
    expect(asked?.headers.authorization).toBe(`token ${KEY}`)
    expect(asked?.body).toEqual({
      amount: '0.00012345',
      currency: 'BTC',
      metadata: { orderId: ORDER, itemDesc: 'Bitcoin Lotto: 3 lines', source: 'fairball' },
      checkout: {
        speedPolicy: 'MediumSpeed',
        paymentMethods: ['BTC-CHAIN', 'BTC-LN'],
        lazyPaymentMethods: false,
        expirationMinutes: 15,
        monitoringMinutes: 14 * 24 * 60,
        paymentTolerance: 0,
        redirectURL: `https://lottery.example/game/bitcoin-lotto?transaction_id=${ORDER}`,
        redirectAutomatically: true,
      },
    })
    expect(checkout).toEqual({
      ref: expect.any(String),
      checkoutUrl: `${btcpay.url}/i/${checkout.ref}`,
      address: addressAt(1, 'regtest'),
      expiresAt: runtime.clock.now() + 15 * MINUTE,
    })
  })

  it.each([
    [1, 'MediumSpeed'],
    [2, 'LowMediumSpeed'],
    [3, 'LowSpeed'],
    [6, 'LowSpeed'],
  ])('a checkout waits for %i confirmations with %s, never with less', async (requiredConfirmations, speedPolicy) => {
    const { btcpay, open } = await shop({ requiredConfirmations: () => requiredConfirmations })
    await open()
    const body = objectOf(btcpay.exchanges.find(({ method }) => method === 'POST')?.body)
    expect(objectOf(body['checkout'])['speedPolicy']).toBe(speedPolicy)
  })

  it.each([0, 7, 1.5])('a start is refused with %d confirmations, which no store can wait for', async (depth) => {
    await expect(shop({ requiredConfirmations: () => depth })).rejects.toThrow('BITCOIN_CONFIRMATIONS')
  })

  it('a checkout requested twice is one invoice', async () => {
    const { btcpay, provider, request } = await shop()
    const first = await provider.createCheckout(request())
    expect(await provider.createCheckout(request())).toEqual(first)
    expect(btcpay.count()).toBe(1)
  })

  const isCreation = (request: { method: string }): boolean => request.method === 'POST'
  it.each(['lost', 'half'] as const)(
    'whose answer is %s is looked up by the order and not made again',
    async (fault) => {
      const { btcpay, provider, request, logged } = await shop()
      btcpay.fail(fault, 1, isCreation)
      const { ref } = await provider.createCheckout(request())
      expect(btcpay.count()).toBe(1)
      expect((await provider.createCheckout(request())).ref).toBe(ref)
      expect(logged()).toContain('an invoice whose answer was lost was found')
    },
  )

  it('a checkout whose answer and look-up are both lost fails, and the next attempt finds the one invoice', async () => {
    const { btcpay, provider, request } = await shop()
    btcpay.fail('lost', 1, isCreation)
    btcpay.fail(503, 1, ({ method, query }) => method === 'GET' && query.has('orderId') && btcpay.count() === 1)
    await expect(provider.createCheckout(request())).rejects.toThrow('did not answer')
    await provider.createCheckout(request())
    expect(btcpay.count()).toBe(1)
  })

  it.each([429, 500, 503, 'html', 'huge', 'moved'] as const)(
    'a checkout that meets %s fails, makes none unrequested, and works the next time',
    async (fault) => {
      const { btcpay, provider, request } = await shop()
      btcpay.fail(fault, 1, isCreation)
      await expect(provider.createCheckout(request())).rejects.toThrow(/btcpay/)
      expect(btcpay.exchanges.filter(isCreation)).toHaveLength(1)
      await provider.createCheckout(request())
      expect(btcpay.count()).toBe(1)
    },
  )

  it('a checkout without an answer is given up after five seconds', async () => {
    const { btcpay, provider, request, runtime } = await shop()
    btcpay.fail('silent')
    const asked = provider.createCheckout(request())
    const outcome = expect(asked).rejects.toThrow('did not answer')
    await expect.poll(() => btcpay.exchanges.length).toBe(1)
    runtime.pass(4_999)
    runtime.pass(1)
    await outcome
  })

  it('a checkout does not use an invoice of another amount, of another order or of the past', async () => {
    const { btcpay, provider, request, runtime } = await shop()
    await provider.createCheckout(request({ amountSats: DUE + 1n }))
    await provider.createCheckout(request({ orderId: `${ORDER}-other` }))
    const { ref } = await provider.createCheckout(request())
    expect(btcpay.count()).toBe(3)
    btcpay.pay(ref, { sats: DUE, confirmations: 1 })
    runtime.clock.set(runtime.clock.now() + 16 * MINUTE)
    expect((await provider.createCheckout(request())).ref).not.toBe(ref)
  })

  it('a checkout does not use an invoice of another order, even if the server lists more than requested', async () => {
    const one = await shop({ fetch: (input, init) => fetch(addressIn(input).replace(/\?orderId=[^&]*/, ''), init) })
    const first = await one.provider.createCheckout(one.request({ orderId: `${ORDER}-other` }))
    expect((await one.provider.createCheckout(one.request())).ref).not.toBe(first.ref)
  })

  it.each(['mainnet', 'signet', 'testnet4'] as const)(
    'a checkout on %s is not shown to a player when we are on regtest',
    async (other) => {
      const { btcpay, provider, request } = await shop()
      btcpay.moveTo(other)
      await expect(provider.createCheckout(request())).rejects.toThrow('BITCOIN_NETWORK')
    },
  )

  it('a checkout on testnet 4 is told apart from one on signet by its Lightning invoice', async () => {
    const { btcpay, provider, request } = await shop({ network: 'testnet4' })
    btcpay.moveTo('signet')
    await expect(provider.createCheckout(request())).rejects.toThrow('not on testnet4')
    btcpay.moveTo('testnet4')
    await provider.createCheckout(request())
  })

  it('a checkout of a store without Lightning still has an address', async () => {
    const { provider, request } = await shop({ hasLightning: false })
    expect((await provider.createCheckout(request())).address).toBe(addressAt(1, 'regtest'))
  })
})

describe('an invoice of BTCPay', () => {
  type Shop = Awaited<ReturnType<typeof shop>>
  /** state of BTCPay → what pays the order */
  const STATES: [string, (shop: Shop, ref: string) => void, string, string[]][] = [
    ['nothing came', () => undefined, 'New/None', []],
    [
      'a part is in the mempool',
      ({ btcpay }, ref) => void btcpay.pay(ref, { sats: 345n }),
      'New/PaidPartial',
      ['345 ONCHAIN 0'],
    ],
    [
      'all of it is in the mempool',
      ({ btcpay }, ref) => void btcpay.pay(ref, { sats: DUE }),
      'Processing/None',
      ['12345 ONCHAIN 0'],
    ],
    [
      'too much is in the mempool',
      ({ btcpay }, ref) => void btcpay.pay(ref, { sats: DUE + 5n }),
      'Processing/PaidOver',
      ['12350 ONCHAIN 0'],
    ],
    [
      'all of it is mined',
      ({ btcpay }, ref) => btcpay.confirm(ref, btcpay.pay(ref, { sats: DUE }), 1),
      'Settled/None',
      ['12345 ONCHAIN 1'],
    ],
    [
      'it was underpaid and topped up',
      ({ btcpay }, ref) => {
        const first = btcpay.pay(ref, { sats: 345n })
        btcpay.confirm(ref, btcpay.pay(ref, { sats: 12_000n }), 1)
        btcpay.confirm(ref, first, 2)
      },
      'Settled/None',
      ['12000 ONCHAIN 1', '345 ONCHAIN 1'],
    ],
    [
      'too much is mined',
      ({ btcpay }, ref) => btcpay.confirm(ref, btcpay.pay(ref, { sats: DUE * 2n }), 1),
      'Settled/PaidOver',
      ['24690 ONCHAIN 1'],
    ],
    [
      'it was paid twice, and only the first is mined',
      ({ btcpay }, ref) => {
        const first = btcpay.pay(ref, { sats: DUE })
        btcpay.pay(ref, { sats: DUE + 1n })
        btcpay.confirm(ref, first, 1)
      },
      'Settled/PaidOver',
      ['12345 ONCHAIN 1', '12346 ONCHAIN 0'],
    ],
    [
      'it was paid over Lightning',
      ({ btcpay }, ref) => void btcpay.pay(ref, { sats: DUE, over: 'lightning' }),
      'Settled/None',
      ['12345 LIGHTNING 1000000'],
    ],
    [
      'one part came over Lightning, the other is in the mempool',
      ({ btcpay }, ref) => {
        btcpay.pay(ref, { sats: 45n, over: 'lightning' })
        btcpay.pay(ref, { sats: 12_300n })
      },
      'Processing/None',
      ['12300 ONCHAIN 0', '45 LIGHTNING 1000000'],
    ],
    ['it ran out unpaid', ({ runtime }) => runtime.clock.set(runtime.clock.now() + DAY), 'Expired/None', []],
    [
      'it ran out with a part',
      ({ btcpay, runtime }, ref) => {
        btcpay.confirm(ref, btcpay.pay(ref, { sats: 345n }), 1)
        runtime.clock.set(runtime.clock.now() + DAY)
      },
      'Expired/PaidPartial',
      ['345 ONCHAIN 1'],
    ],
    [
      'it is paid late, and mined',
      ({ btcpay, runtime }, ref) => {
        runtime.clock.set(runtime.clock.now() + 20 * MINUTE)
        btcpay.confirm(ref, btcpay.pay(ref, { sats: DUE }), 3)
      },
      'Expired/PaidLate',
      ['12345 ONCHAIN 1'],
    ],
    [
      'it is paid late, and not mined',
      ({ btcpay, runtime }, ref) => {
        runtime.clock.set(runtime.clock.now() + 20 * MINUTE)
        btcpay.pay(ref, { sats: DUE })
      },
      'Expired/PaidLate',
      ['12345 ONCHAIN 0'],
    ],
    [
      'its payment did not confirm while BTCPay looked',
      ({ btcpay, runtime }, ref) => {
        btcpay.pay(ref, { sats: DUE })
        runtime.clock.set(runtime.clock.now() + 15 * DAY)
      },
      'Invalid/None',
      ['12345 ONCHAIN 0'],
    ],
    [
      'a person marked it settled without money',
      ({ btcpay }, ref) => btcpay.mark(ref, 'Settled'),
      'Settled/Marked',
      [],
    ],
    [
      'a person marked a late one settled',
      ({ btcpay, runtime }, ref) => {
        runtime.clock.set(runtime.clock.now() + 20 * MINUTE)
        btcpay.confirm(ref, btcpay.pay(ref, { sats: DUE }), 1)
        btcpay.mark(ref, 'Settled')
      },
      'Settled/Marked',
      ['12345 ONCHAIN 1'],
    ],
    [
      'a person marked a paid one invalid',
      ({ btcpay }, ref) => {
        btcpay.confirm(ref, btcpay.pay(ref, { sats: DUE }), 1)
        btcpay.mark(ref, 'Invalid')
      },
      'Invalid/Marked',
      ['12345 ONCHAIN 1'],
    ],
    [
      'its payment was replaced by one to somebody else',
      ({ btcpay }, ref) => btcpay.replaceAway(ref, btcpay.pay(ref, { sats: DUE })),
      'New/None',
      [],
    ],
    [
      'its payment was replaced by another to us',
      ({ btcpay }, ref) => {
        btcpay.replaceAway(ref, btcpay.pay(ref, { sats: DUE }))
        btcpay.pay(ref, { sats: DUE })
      },
      'Processing/None',
      ['12345 ONCHAIN 0'],
    ],
  ]

  it.each(STATES)('an invoice is paid by its payments when %s (%s)', async (_case, happen, state, outputs) => {
    const one = await shop()
    const ref = await one.open()
    happen(one, ref)
    expect(one.btcpay.stateOf(ref)).toBe(state)
    const snapshot = await one.provider.get(ref)
    expect(shown(snapshot.outputs).toSorted()).toEqual(outputs.toSorted())
    expect(objectOf(snapshot.raw as Json)['status']).toBe(state.split('/')[0])
    expect(objectOf(snapshot.raw as Json)['additionalStatus']).toBe(state.split('/')[1])
  })

  it('an invoice counts a settled payment at the required depth, and one less deep not yet', async () => {
    const { btcpay, open, provider } = await shop({ requiredConfirmations: () => 3 })
    const ref = await open()
    const payment = btcpay.pay(ref, { sats: DUE })
    btcpay.confirm(ref, payment, 5)
    expect(shown((await provider.get(ref)).outputs)).toEqual(['12345 ONCHAIN 0'])
    btcpay.confirm(ref, payment, 6)
    expect(shown((await provider.get(ref)).outputs)).toEqual(['12345 ONCHAIN 3'])
  })

  it('an invoice returns to nothing when its payment is replaced, without a message, and the next check finds it', async () => {
    const { btcpay, open, provider } = await shop()
    const ref = await open()
    const payment = btcpay.pay(ref, { sats: DUE })
    expect(btcpay.stateOf(ref)).toBe('Processing/None')
    const before = btcpay.deliveries.length
    btcpay.replaceAway(ref, payment)
    expect(btcpay.stateOf(ref)).toBe('New/None')
    expect(btcpay.deliveries).toHaveLength(before)
    const { outputs, raw } = await provider.get(ref)
    expect(outputs).toEqual([])
    // The operator sees what happened to it.
    expect(raw).toMatchObject({ status: 'New', payments: [{ id: payment, status: 'Invalid' }] })
  })

  it('an invoice is not read from an endless answer', async () => {
    const { btcpay, open, provider } = await shop()
    const ref = await open()
    btcpay.fail('huge')
    await expect(provider.get(ref)).rejects.toMatchObject({ cause: { message: 'the answer is too large' } })
  })

  it('an invoice names an output by transaction and place, a Lightning payment by its hash, each with the time it came', async () => {
    const { btcpay, open, provider, runtime } = await shop()
    const ref = await open()
    const at = runtime.clock.now()
    btcpay.pay(ref, { sats: 300n, txid: hashOf('a') })
    runtime.clock.set(at + 30)
    btcpay.pay(ref, { sats: 45n, over: 'lightning', txid: hashOf('b') })
    expect((await provider.get(ref)).outputs.map(({ outpoint, seenAt }) => ({ outpoint, seenAt }))).toEqual([
      { outpoint: `${hashOf('a')}:0`, seenAt: at },
      { outpoint: `ln:${hashOf('b')}:0`, seenAt: at + 30 },
    ])
  })

  it('an invoice that BTCPay has deleted has no outputs and is final', async () => {
    const { btcpay, open, provider } = await shop()
    const ref = await open()
    btcpay.forget(ref)
    expect(await provider.get(ref)).toMatchObject({ outputs: [], isFinal: true, isUnknown: true })
  })

  it('an invoice is final once BTCPay has stopped checking, not before', async () => {
    const { open, provider, runtime } = await shop()
    const ref = await open()
    runtime.clock.set(runtime.clock.now() + 13 * DAY)
    expect((await provider.get(ref)).isFinal).toBe(false)
    runtime.clock.set(runtime.clock.now() + 2 * DAY)
    expect((await provider.get(ref)).isFinal).toBe(true)
  })

  it('an invoice is final once it and its payments are settled, until another payment comes', async () => {
    const { btcpay, open, provider } = await shop()
    const ref = await open()
    const isFinal = async () => (await provider.get(ref)).isFinal
    const first = btcpay.pay(ref, { sats: DUE })
    expect(await isFinal()).toBe(false)
    btcpay.confirm(ref, first, 1)
    expect(await isFinal()).toBe(true)
    const second = btcpay.pay(ref, { sats: DUE })
    expect(await isFinal()).toBe(false)
    btcpay.confirm(ref, second, 1)
    expect(await isFinal()).toBe(true)
  })

  it('an invoice is not final while one of its payments is gone: that is still to be noticed', async () => {
    const { btcpay, open, provider } = await shop()
    const gone = await open()
    btcpay.replaceAway(gone, btcpay.pay(gone, { sats: 345n, confirmations: 1 }))
    btcpay.pay(gone, { sats: DUE, confirmations: 1 })
    expect(btcpay.stateOf(gone)).toBe('Settled/None')
    expect((await provider.get(gone)).isFinal).toBe(false)
  })

  it('an invoice that a person calls settled without any money is not final', async () => {
    const { btcpay, open, provider } = await shop()
    const ref = await open()
    btcpay.mark(ref, 'Settled')
    expect(await provider.get(ref)).toMatchObject({ outputs: [], isFinal: false })
  })

  it.each(['lost', 'half', 'html', 'huge', 'moved', 429, 500, 503] as const)(
    'an invoice is unknown, and not unpaid, while the server answers %s',
    async (fault) => {
      const { btcpay, open, provider } = await shop()
      const ref = await open()
      btcpay.pay(ref, { sats: DUE })
      for (const when of [/\/invoices\/[^/]+$/, /\/payment-methods$/]) {
        btcpay.fail(fault, 1, ({ path }) => when.test(path))
        await expect(provider.get(ref)).rejects.toThrow()
      }
      expect(shown((await provider.get(ref)).outputs)).toEqual(['12345 ONCHAIN 0'])
    },
  )
})

describe('a message of BTCPay', () => {
  it('a message leads to its invoice; what it claims is not read', async () => {
    const { btcpay, open, read } = await shop()
    const ref = await open()
    btcpay.pay(ref, { sats: DUE, confirmations: 1 })
    expect(btcpay.deliveries.map(({ type }) => type)).toEqual([
      'InvoiceCreated',
      'InvoiceReceivedPayment',
      'InvoiceProcessing',
      'InvoiceSettled',
      'InvoicePaymentSettled',
    ])
    for (const delivery of btcpay.deliveries) expect(read(delivery)).toEqual({ ref, key: delivery.event['deliveryId'] })
  })

  it('a redelivered message, with another id and other bytes, has the key of the first', async () => {
    const { btcpay, open, read } = await shop()
    await open()
    const [first] = btcpay.deliveries
    const again = btcpay.redeliver(first!)
    const third = btcpay.redeliver(again)
    expect(Buffer.compare(first!.body, again.body)).not.toBe(0)
    expect(read(again)).toEqual(read(first!))
    expect(read(third)).toEqual(read(first!))
  })

  it('a message of an unknown kind, or without an invoice, is still genuine', async () => {
    const { btcpay, open, read } = await shop()
    const ref = await open()
    expect(read(btcpay.sendEvent('InvoiceRefund', { invoiceId: ref }))?.ref).toBe(ref)
    expect(read(btcpay.sendEvent('InvoiceDreamtOf', { invoiceId: ref, mood: 7 }))?.ref).toBe(ref)
    expect(read(btcpay.sendEvent('PayoutCreated', { payoutId: 'P1' }))?.ref).toBe('')
  })

  it('a message is refused when anything about its signature or its bytes is wrong', async () => {
    const { btcpay, open, provider } = await shop()
    await open()
    const { body, headers } = btcpay.deliveries[0]!
    const good = headers['btcpay-sig']!
    const read = provider.webhook!.read
    expect(read({ 'btcpay-sig': good }, body)).not.toBeNull()
    const spaces = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString())))
    const forged: [Record<string, string | string[] | undefined>, Uint8Array][] = [
      [{}, body],
      [{ 'btcpay-sig': '' }, body],
      [{ 'btcpay-sig': [good, good] }, body],
      [{ 'btcpay-sig': good.slice(0, -1) }, body],
      [{ 'btcpay-sig': `${good}0` }, body],
      [{ 'btcpay-sig': good.slice('sha256='.length) }, body],
      [{ 'btcpay-sig': good.toUpperCase() }, body],
      [{ 'btcpay-sig': signatureOf(body, 'another secret') }, body],
      [{ 'btcpay-sig': signatureOf(body, '') }, body],
      [{ 'btcpay-sig': good }, body.subarray(0, -1)],
      [{ 'btcpay-sig': good }, Buffer.concat([body, Buffer.from(' ')])],
      [{ 'btcpay-sig': good }, spaces], // the same content in other bytes
      [{ 'btcpay-sig': good }, new Uint8Array(0)],
    ]
    for (const [given, bytes] of forged) expect(read(given, bytes)).toBeNull()
  })

  it('a signed message without readable content is refused', async () => {
    const { provider } = await shop()
    for (const text of ['', '{', 'null', '[]', '"text"', '{"invoiceId":7}', `"${'x'.repeat(300_000)}"`]) {
      const body = Buffer.from(text)
      expect(provider.webhook!.read({ 'btcpay-sig': signatureOf(body, SECRET) }, body)).toBeNull()
    }
  })

  it('thousands of repeated, shuffled and forged messages change nothing that the invoices themselves do not say', async () => {
    const { btcpay, provider, request, runtime } = await shop()
    const number = seededNumbers(6)
    const refs: string[] = []
    for (let order = 0; order < 30; order += 1) {
      const { ref } = await provider.createCheckout(request({ orderId: `${ORDER}-${order}` }))
      refs.push(ref)
      const sats = [DUE, DUE - 1n, DUE * 2n][order % 3]!
      if (order % 4 === 3) continue
      const payment = btcpay.pay(ref, { sats, over: order % 5 === 0 ? 'lightning' : 'chain' })
      if (order % 6 === 1) btcpay.replaceAway(ref, payment)
      else if (order % 4 !== 2) btcpay.confirm(ref, payment, 1)
    }
    runtime.clock.set(runtime.clock.now() + 20 * MINUTE)
    for (const ref of refs.slice(0, 8)) btcpay.pay(ref, { sats: DUE, confirmations: 1 })
    const truth = new Map<string, SeenOutput[]>()
    for (const ref of refs) truth.set(ref, [...(await provider.get(ref)).outputs])

    const genuine = btcpay.deliveries.slice()
    const messages = new Set(genuine.map(({ event }) => event['deliveryId']))
    const deliveries = genuine.map((delivery) => ({ delivery, isForged: false }))
    while (deliveries.length < DELIVERIES) {
      const from = genuine[number(genuine.length)]!
      const kind = number(5)
      if (kind < 2) deliveries.push({ delivery: kind === 0 ? from : btcpay.redeliver(from), isForged: false })
      else deliveries.push({ delivery: forgedFrom(from, genuine[number(genuine.length)]!, number), isForged: true })
    }

    const inbox = new Map<string, string>()
    const asked = btcpay.exchanges.length
    for (const { delivery, isForged } of shuffled(deliveries, number)) {
      const hint = provider.webhook!.read(delivery.headers, delivery.body)
      expect(hint === null).toBe(isForged)
      if (hint === null || inbox.has(hint.key)) continue
      inbox.set(hint.key, hint.ref)
      expect((await provider.get(hint.ref)).outputs).toEqual(truth.get(hint.ref))
    }
    expect(new Set(inbox.keys())).toEqual(messages)
    expect(btcpay.exchanges.length - asked).toBe(2 * messages.size)
    expect(btcpay.exchanges.filter(({ method }) => method === 'POST')).toHaveLength(30)
  })
})

/** A message that BTCPay never sent. */
function forgedFrom(one: BtcpayDelivery, other: BtcpayDelivery, number: (below: number) => number): BtcpayDelivery {
  const changed = Buffer.from(JSON.stringify({ ...one.event, type: 'InvoiceSettled', overPaid: false, forged: true }))
  const good = one.headers['btcpay-sig'] ?? ''
  const forgeries = [
    { body: changed },
    { body: changed, headers: { 'btcpay-sig': signatureOf(changed, `${SECRET}.`) } },
    { body: changed, headers: { 'btcpay-sig': other.headers['btcpay-sig'] ?? '' } },
    { headers: {} },
    { headers: { 'btcpay-sig': good.slice(0, number(good.length)) } },
    { body: one.body.subarray(0, number(one.body.length)) },
  ]
  return { ...one, ...forgeries[number(forgeries.length)] }
}

describe('a start with BTCPay', () => {
  it('a start succeeds with a valid key, store and wallet, and asks again only after ten minutes', async () => {
    const { btcpay, provider, runtime } = await shop()
    await provider.assertFit()
    expect(btcpay.exchanges).toHaveLength(2)
    await provider.assertFit()
    expect(btcpay.exchanges).toHaveLength(2)
    runtime.pass(10 * 60_000)
    await provider.assertFit()
    expect(btcpay.exchanges).toHaveLength(4)
  })

  it.each([
    [{ apiKey: 'another-key' }, 'BTCPAY_API_KEY'],
    [{ storeId: 'AnotherStore' }, 'BTCPAY_STORE_ID'],
    [{ permissions: ['cancreateinvoice'] }, 'btcpay.store.canviewinvoices'],
    [{ permissions: ['cancreateinvoice', 'canviewinvoices'] }, 'btcpay.store.canviewwallet'],
    [{ network: 'mainnet' as const }, 'not on mainnet'],
    [{ network: 'signet' as const }, 'not on signet'],
  ])('a start is refused with %o, which the message names', async (options, words) => {
    const { provider } = await shop(options)
    await expect(provider.assertFit()).rejects.toMatchObject({
      name: 'ProviderUnfit',
      message: expect.stringContaining(words),
    })
  })

  it('a key that may not make invoices is found at the first one', async () => {
    const { provider, request } = await shop({ permissions: ['canviewinvoices', 'canviewwallet'] })
    await expect(provider.createCheckout(request())).rejects.toThrow('btcpay.store.cancreateinvoice')
  })

  it('a start is refused after the store got another wallet', async () => {
    const { btcpay, provider, request } = await shop()
    await provider.assertFit()
    btcpay.moveTo('mainnet')
    await expect(provider.createCheckout(request())).rejects.toThrow('not on regtest')
    await expect(provider.assertFit()).rejects.toThrow('not on regtest')
  })

  it.each([500, 429, 'lost', 'html'] as const)(
    'a start that meets %s is no verdict on the configuration',
    async (fault) => {
      const { btcpay, provider } = await shop()
      btcpay.fail(fault)
      await expect(provider.assertFit()).rejects.toMatchObject({ name: 'ProviderSilent' })
      await provider.assertFit()
    },
  )

  it.each([{ apiKey: 'a key\r\nx: y' }, { webhookSecret: '' }])(
    'a start is refused immediately with %o',
    async (options) => {
      await expect(shop(options)).rejects.toMatchObject({ name: 'ProviderUnfit' })
    },
  )
})

it('BTCPay’s key and secret enter no log line and no message, whatever goes wrong', async () => {
  const { btcpay, open, provider, request, logged } = await shop()
  const ref = await open()
  const said: string[] = []
  for (const fault of ['lost', 'half', 'html', 'huge', 'moved', 429, 500] as const)
    for (const ask of [
      () => provider.get(ref),
      () => provider.createCheckout(request({ orderId: `${ORDER}-${fault}` })),
    ]) {
      btcpay.fail(fault)
      await ask().catch((error: unknown) => said.push(everythingOf(error)))
    }
  await shop({ apiKey: `${KEY}\n` }).catch((error: unknown) => said.push(everythingOf(error)))
  expect(said.length).toBeGreaterThan(10)
  for (const text of [...said, logged()]) {
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(SECRET)
  }
})

/** An error with its stack and every cause. */
function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error)
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? '' : everythingOf(error.cause)}`
}

describe('late money without a message', () => {
  it('late money is found within the hour, as long as BTCPay follows the invoice', async () => {
    const { btcpay, provider, request, runtime } = await shop()
    const opened = async (order: string) => (await provider.createCheckout(request({ orderId: order }))).ref
    const [late, part, unpaid, paid] = [await opened('1'), await opened('2'), await opened('3'), await opened('4')]
    btcpay.pay(paid, { sats: DUE, confirmations: 1 })
    btcpay.pay(part, { sats: 345n })
    const start = await provider.follow!(null)
    expect(start).toEqual({ cursor: String(runtime.clock.now()), refs: [], unknown: [] })
    runtime.clock.set(runtime.clock.now() + 3 * DAY)
    btcpay.pay(late, { sats: DUE })
    expect(btcpay.stateOf(unpaid)).toBe('Expired/None')
    const { cursor, refs } = await provider.follow!(start.cursor)
    expect(refs.toSorted()).toEqual([late, part].toSorted())
    expect((await provider.follow!(start.cursor)).refs).toEqual(refs) // requested again: nothing is lost

    const asked = btcpay.exchanges.length
    runtime.clock.set(runtime.clock.now() + 3_599)
    expect(await provider.follow!(cursor)).toEqual({ cursor, refs: [], unknown: [] })
    expect(btcpay.exchanges).toHaveLength(asked)
    runtime.clock.set(runtime.clock.now() + 1)
    expect((await provider.follow!(cursor)).refs).toHaveLength(2)
    runtime.clock.set(runtime.clock.now() + 12 * DAY)
    expect((await provider.follow!(cursor)).refs).toEqual([])
  })

  it('late money is found behind many unpaid invoices, and other invoices in the store are left alone', async () => {
    const { btcpay, provider, request, runtime } = await shop()
    const { ref } = await provider.createCheckout(request())
    for (let other = 0; other < 600; other += 1) btcpay.addInvoiceOfOthers(`shop-${other}`, 500n)
    const strange = btcpay.addInvoiceOfOthers(ORDER, 500n)
    runtime.clock.set(runtime.clock.now() + DAY)
    for (const id of [ref, strange]) btcpay.pay(id, { sats: DUE })
    expect((await provider.follow!(null)).refs).toEqual([ref])
  })
})

it('the next request is at a moment that all checks share', async () => {
  const { provider } = await shop()
  expect([0, 29, 30, 31].map((now) => provider.nextLookAt(now, 'payment'))).toEqual([30, 30, 60, 60])
  expect([0, 59, 60].map((now) => provider.nextLookAt(now, 'confirmation'))).toEqual([60, 60, 120])
})

describe('the balance at BTCPay', () => {
  it('the balance is what is confirmed in the store’s wallet, and what Lightning holds if the key may read it', async () => {
    const permissions = ['cancreateinvoice', 'canviewinvoices', 'canviewwallet', 'canuselightningnode']
    const { btcpay, provider, open } = await shop({ permissions })
    const ref = await open()
    btcpay.pay(ref, { sats: 700n, confirmations: 1 })
    btcpay.pay(ref, { sats: 50n })
    btcpay.pay(ref, { sats: 45n, over: 'lightning' })
    expect(await provider.balance?.()).toEqual([
      { name: 'deposits', sats: 700n },
      { name: 'lightning', sats: 45n },
    ])
  })

  it('the balance leaves Lightning out if the key may not read it, or the store has none', async () => {
    for (const { provider } of [
      await shop(),
      await shop({ hasLightning: false, permissions: ['canviewwallet', 'canuselightningnode'] }),
    ])
      expect(await provider.balance?.()).toEqual([{ name: 'deposits', sats: 0n }])
  })

  it('the balance is unknown if the key may not read the wallet, or BTCPay is silent', async () => {
    const { provider } = await shop({ permissions: ['canviewinvoices'] })
    await expect(provider.balance?.()).rejects.toThrow('btcpay.store.canviewwallet')
    const silent = await shop()
    silent.btcpay.fail(503)
    await expect(silent.provider.balance?.()).rejects.toThrow('btcpay answered 503')
  })
})

/**
 * The operation that the published description has for a route: it no longer knows the nested ones of single invoices.
 */
function operationOf(method: string, path: string): JsonObject {
  const described = path
    .replace(/^\/api\/v1\/stores\/[^/]+\/invoices\/[^/]+/, '/api/v1/invoices/{invoiceId}')
    .replace(/^\/api\/v1\/stores\/[^/]+/, '/api/v1/stores/{storeId}')
    .replace('/payment-methods/BTC-CHAIN/', '/payment-methods/{paymentMethodId}/')
    .replace('/lightning/BTC/', '/lightning/{cryptoCode}/')
  return objectOf(objectOf(objectOf(OPENAPI['paths'])[described])[method.toLowerCase()])
}

const { problemsOf, resolved } = schemasOf(OPENAPI)
const schemaOf = (content: Json | undefined): Json | undefined =>
  objectOf(objectOf(objectOf(content)['content'])['application/json'])['schema']

/** How our requests, and the stand-in's answers and messages, break the published description. */
function problemsWith(standIn: BtcpayStandIn): string[] {
  const ofExchanges = standIn.exchanges.flatMap(({ method, path, query, body, status, answer }) => {
    const operation = operationOf(method, path)
    const at = `${method} ${path}`
    if (operation['responses'] === undefined) return [`${at} is not described`]
    const known = (operation['parameters'] as Json[]).map((parameter) => resolved(parameter))
    const parameters = [...query.keys()].filter(
      (name) => !known.some((one) => one['name'] === name && one['in'] === 'query'),
    )
    const response = objectOf(operation['responses'])[status]
    const answers = status === 200 && answer !== undefined ? problemsOf(schemaOf(response), answer) : []
    const requests = operation['requestBody'] === undefined ? [] : problemsOf(schemaOf(operation['requestBody']), body)
    return [...parameters.map((name) => `?${name} is not described`), ...answers, ...requests].map(
      (one) => `${at}: ${one}`,
    )
  })
  const events = objectOf(OPENAPI['x-webhooks'])
  const ofMessages = standIn.deliveries
    .filter(({ type }) => type.startsWith('Invoice') && type !== 'InvoiceDreamtOf')
    .flatMap(({ type, event }) => {
      const described = objectOf(objectOf(events[type])['post'])['requestBody']
      // These are sent, and are missing from the description (payments.md section 1a).
      const isUnknown = ['InvoiceExpiredPaidPartial', 'InvoicePaidAfterExpiration', 'InvoiceRefund'].includes(type)
      if (isUnknown) return described === undefined ? [] : [`${type} is described by now`]
      return problemsOf(schemaOf(described), event).map((one) => `${type}: ${one}`)
    })
  return [...ofExchanges, ...ofMessages]
}

describe('the published description of BTCPay’s API', () => {
  it('every request of ours and every answer and message of the stand-in fits the description, in each of these tests', async () => {
    const { btcpay, open, provider } = await shop()
    await provider.assertFit()
    const ref = await open()
    btcpay.pay(ref, { sats: DUE, confirmations: 1 })
    btcpay.pay(ref, { sats: 45n, over: 'lightning' })
    await provider.get(ref)
    expect(btcpay.exchanges.length).toBeGreaterThanOrEqual(7)
    expect(problemsWith(btcpay)).toEqual([])
  })

  it.each<[string, Partial<Record<string, Json>>, string]>([
    ['an amount that is a number', { amount: 0.0001 }, 'type number'],
    ['an amount with an exponent', { amount: '1e-4' }, 'no decimal'],
    ['a member nobody knows', { amuont: '1' }, 'not described'],
    ['half a minute', { checkout: { expirationMinutes: 14.5 } }, 'no minutes'],
    ['a speed that does not exist', { checkout: { speedPolicy: 'Fast' } }, 'none of the values'],
    ['a tolerance of everything', { checkout: { paymentTolerance: 101 } }, 'too large'],
    ['methods that are no list', { checkout: { paymentMethods: 'BTC-CHAIN' } }, 'type string'],
  ])('the description is broken by a request with %s, and the check says so', (_case, body, words) => {
    const operation = operationOf('POST', `/api/v1/stores/${STORE}/invoices`)
    const problems = problemsOf(schemaOf(operation['requestBody']), { currency: 'BTC', ...body })
    expect(problems.join()).toContain(words)
  })
})
