import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { testLottery } from '../../../test/lottery.ts'
import { FIXTURE_DUE_SATS, moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import type { InvoiceSnapshot, PaymentProvider } from '../../ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime } from '../../runtime/test-runtime.ts'
import { createOrder } from '../orders/service.ts'
import { paymentsContext } from './context.ts'
import * as queries from './queries.ts'
import { checkoutAddressOf, checkoutOf, moneyOf, openInvoice, refreshPayments } from './service.ts'

const DUE = FIXTURE_DUE_SATS
const DAY = 86_400

let database: TestDatabase
let money: MoneyFixture
let drawId: bigint
let provider: PaymentProvider
let asked = 0
let node: 'answers' | 'is down' | 'hangs' = 'answers'

beforeAll(async () => {
  database = await testDatabase()
  money = await moneyFixture({
    db: database.db,
    runtime: testRuntime(),
    wrapProvider(real) {
      provider = {
        ...real,
        async get(ref) {
          asked += 1
          if (node === 'is down') throw new Error('no answer')
          if (node === 'hangs') return await Promise.withResolvers<InvoiceSnapshot>().promise
          return await real.get(ref)
        },
      }
      return provider
    },
  })
  drawId = await money.draw(1, TEST_START_AT + 100 * DAY)
})
afterAll(async () => {
  expect(await money.problems()).toEqual([])
  await database.drop()
})

const newOrder = async (): Promise<string> => await money.order((await money.player()).id, [drawId])
const now = (): number => money.runtime.clock.now()
/** The page of a process that has just begun: no answer of the provider is cached. */
const freshPage = (
  with_: { network?: 'mainnet' | 'regtest'; explorerUrl?: string; requiredConfirmations?: () => number } = {},
) =>
  paymentsContext({
    ...money.payments,
    provider,
    requiredConfirmations: () => 1,
    publicUrl: 'http://fairball.test',
    ...with_,
  })

describe('the answer of the checkout page', () => {
  it('the checkout page names each transaction, with its confirmations and its page at the explorer', async () => {
    const orderId = await newOrder()
    await money.pay(orderId, 600n, 2)
    await money.pay(orderId, 400n, 0)
    // Its promise names one confirmation, however many are asked for now.
    const page = freshPage({ network: 'mainnet', requiredConfirmations: () => 3 })
    const { transactions, ...checkout } = await checkoutOf(page, orderId)
    expect(checkout).toMatchObject({ status: 'PROCESSING', confirmations: 0, confirmations_needed: 1, is_live: true })
    expect(transactions.map(({ amount, confirmations }) => [amount.value, confirmations])).toEqual(
      expect.arrayContaining([
        ['0.00000600', 1],
        ['0.00000400', 0],
      ]),
    )
    for (const { txid, link } of transactions) {
      expect(txid).toMatch(/^[0-9a-f]{64}$/)
      expect(link).toBe(`https://mempool.space/tx/${txid}`)
    }
    const configured = await checkoutOf(freshPage({ explorerUrl: 'https://ex.example/tx/' }), orderId)
    expect(configured.transactions.map(({ txid, link }) => link === `https://ex.example/tx/${txid}`)).toEqual([
      true,
      true,
    ])
    const alone = await checkoutOf(freshPage(), orderId)
    expect(alone.transactions.map(({ link }) => link)).toEqual([null, null])
    await money.moveTo(now() + 600)
  })

  it('the checkout page shows what was sent beyond the price', async () => {
    const orderId = await newOrder()
    await money.pay(orderId, DUE + 250n)
    expect(await checkoutOf(money.payments, orderId)).toMatchObject({
      status: 'PAID',
      received: { value: '0.00001250' },
      missing: { value: '0.00000000' },
      excess: { value: '0.00000250' },
    })
  })

  it('the checkout page shows whether the whole amount came only after the deadline', async () => {
    const [inTime, late] = [await newOrder(), await newOrder()]
    await money.pay(inTime, DUE, 0)
    await money.pay(late, DUE - 1n, 0)
    await money.moveTo(now() + 901)
    await money.pay(late, 1n, 0)
    expect(await checkoutOf(money.payments, inTime)).toMatchObject({ is_late: false })
    expect(await checkoutOf(money.payments, late)).toMatchObject({ is_late: true })
    await money.moveTo(now() + 600)
  })

  it('the checkout page reveals nothing about the player, the lines and the payout address', async () => {
    const player = await money.player()
    const orderId = await money.order(player.id, [drawId])
    await money.pay(orderId, DUE - 1n)
    await money.moveTo(now() + 900)
    const checkout = await checkoutOf(money.payments, orderId)
    expect(checkout.status).toBe('REFUNDED')
    expect(Object.keys(checkout).toSorted()).toEqual([
      'address',
      'amount',
      'block_by',
      'can_pay_from_test_wallet',
      'confirmations',
      'confirmations_needed',
      'draw_refs',
      'draws',
      'ended_because',
      'excess',
      'expires_at',
      'game_key',
      'game_name',
      'is_late',
      'is_live',
      'is_taken_back',
      'lightning',
      'line_prices',
      'lines',
      'missing',
      'moved',
      'network',
      'received',
      'return_url',
      'status',
      'transaction_id',
      'transactions',
      'unified_uri',
      'uri',
    ])
    expect(JSON.stringify(checkout)).not.toContain(player.address)
  })

  it.each([
    ['no id', 'nonsense'],
    ['an unknown one', '00000000-0000-4000-8000-000000000000'],
  ])('the checkout page does not exist for %s', async (_title, orderId) => {
    await expect(checkoutOf(money.payments, orderId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('the checkout page does not exist before the invoice does, nor if the provider has a page of its own', async () => {
    const orderId = await money.order((await money.player()).id, [drawId], { withInvoice: false })
    await expect(checkoutOf(money.payments, orderId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { playerId: owner } = await money.db.one(queries.findOrder, [orderId])
    await expect(checkoutAddressOf(money.payments, orderId, owner)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const elsewhere = 'https://pay.example/i/7'
    await money.db.run(queries.storeInvoice, {
      orderId,
      provider: 'btcpay',
      ref: '7',
      address: 'bcrt1qtheirs',
      checkoutUrl: elsewhere,
      expiresAt: now() + 900,
      now: now(),
      promise: 'a promise',
      bolt11: null,
    })
    await expect(checkoutOf(money.payments, orderId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // The game's page leads there instead.
    expect(await checkoutAddressOf(money.payments, orderId, owner)).toEqual({ checkout_url: elsewhere })
    await expect(checkoutAddressOf(money.payments, orderId, owner + 1n)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('the checkout page asks the provider only for what is not confirmed, and once for many visitors', async () => {
    const orderId = await newOrder()
    const page = freshPage()
    asked = 0
    await checkoutOf(page, orderId)
    expect(asked).toBe(0)
    await money.pay(orderId, DUE, 0)
    asked = 0
    await Promise.all(Array.from({ length: 20 }, () => checkoutOf(page, orderId)))
    expect(asked).toBe(1)
    await money.moveTo(now() + 600)
    expect((await moneyOf(money.payments, orderId)).status).toBe('PAID')
    asked = 0
    expect(await checkoutOf(page, orderId)).toMatchObject({ status: 'PAID', confirmations: 1, is_live: true })
    expect(asked).toBe(0)
  })

  it('the checkout page shows what is known while the provider is silent or slow', async () => {
    const orderId = await newOrder()
    await money.pay(orderId, 600n, 0)
    for (const silence of ['is down', 'hangs'] as const) {
      node = silence
      try {
        expect(await checkoutOf(freshPage(), orderId)).toMatchObject({
          status: 'UNDERPAID',
          received: { value: '0.00000600' },
          missing: { value: '0.00000400' },
          confirmations: 0,
          is_live: false,
          transactions: [{ confirmations: 0 }],
        })
      } finally {
        node = 'answers'
      }
    }
    await money.moveTo(now() + 900)
  })
})

it('a payment that the chain took back is shown as such until it counts again', async () => {
  const test = await testLottery()
  const { lottery, runtime, moveTo } = test
  const chain = chainOfPayments(test)
  const { orderId } = await createOrder(lottery.orders, {
    playerId: await test.addPlayer(),
    gameKey: 'bitcoin-hero',
    days: [3, 4],
    weeks: 1,
    tickets: [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }],
    idempotencyKey: null,
  })
  await openInvoice(lottery.payments, orderId)
  const outpoint = await chain.pay(orderId, 2000n, 1)
  await refreshPayments(lottery.payments, orderId)
  expect(await checkoutOf(lottery.payments, orderId)).toMatchObject({ status: 'PAID', is_taken_back: false })

  await chain.toMempool(outpoint)
  expect(await chain.settleDoubts(orderId)).toBe('PROCESSING')
  expect(await checkoutOf(lottery.payments, orderId)).toMatchObject({
    status: 'PROCESSING',
    is_taken_back: true,
    confirmations: 0,
  })
  await chain.mine(outpoint)
  await moveTo(runtime.clock.now() + 60)
  await refreshPayments(lottery.payments, orderId)
  expect(await checkoutOf(lottery.payments, orderId)).toMatchObject({ status: 'PAID', is_taken_back: false })
  expect(await test.violations()).toEqual([])
})
