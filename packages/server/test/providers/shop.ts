import type { OrderStatus } from '@fairball/domain/order-status'
import fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { installErrorHandler } from '../../src/http/errors.ts'
import { JobQueue } from '../../src/jobs/queue.ts'
import type { OrderNews } from '../../src/kernel/facts.ts'
import { received, wallet, winnings } from '../../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../../src/modules/ledger/service.ts'
import { ordersContext } from '../../src/modules/orders/service.ts'
import {
  beginPayments,
  moneyOf,
  openInvoice,
  paymentJobs,
  paymentsContext,
  watchOrder,
} from '../../src/modules/payments/service.ts'
import { webhookRoute } from '../../src/modules/payments/webhook-route.ts'
import { createBtcpayProvider } from '../../src/ports/payment-provider/btcpay.ts'
import { createOpennodeProvider } from '../../src/ports/payment-provider/opennode.ts'
import type { PaymentProvider } from '../../src/ports/payment-provider/payment-provider.ts'
import { TEST_START_AT, testRuntime, type TestRuntime } from '../../src/runtime/test-runtime.ts'
import { testDatabase } from '../database.ts'
import { factsTold } from '../facts.ts'
import { FIXTURE_DUE_SATS as DUE, moneyFixture } from '../money.ts'
import { type BtcpayDelivery, startBtcpay } from './btcpay.ts'
import { startOpennode } from './opennode.ts'
import type { Delivery } from './stand-in.ts'

const DAY = 86_400
const PUBLIC_URL = 'http://fairball.test'

/** A provider's stand-in, and the adapter in front of it. */
export interface Side {
  readonly provider: PaymentProvider
  readonly deliveries: readonly Delivery[]
  /** how many of the messages differ */
  messages(): number
  /** the same message once more, as the provider redelivers it */
  again(delivery: Delivery): Delivery
  /** a message that the provider did not send, and that looks genuine: null if that cannot be made */
  leaked(delivery: Delivery, number: (below: number) => number): Delivery | null
  /** a message that the provider did not send */
  forged(delivery: Delivery, number: (below: number) => number): Delivery
  pay(ref: string, sats: bigint, isMined: boolean): string
  mine(ref: string, payment: string): void
  payOverLightning(ref: string): void
  replaceAway(ref: string, payment: string): void
  /** the payer takes the money back at the provider; null if that is impossible */
  readonly takeBack: ((ref: string) => void) | null
  /** how many requests were made for an invoice so far */
  asked(ref: string): number
  close(): Promise<void>
}

/** BTCPay Server. */
export async function btcpaySide(runtime: TestRuntime): Promise<Side> {
  const keys = { apiKey: 'key', storeId: 'STORE', webhookSecret: 'secret', network: 'regtest' } as const
  const btcpay = await startBtcpay({ ...keys, now: runtime.clock.now })
  return {
    provider: createBtcpayProvider(runtime, { ...keys, baseUrl: btcpay.url, requiredConfirmations: () => 1 }),
    deliveries: btcpay.deliveries,
    messages: () => new Set(btcpay.deliveries.map(({ event }) => event['originalDeliveryId'])).size,
    again: (delivery) => btcpay.redeliver(delivery as BtcpayDelivery),
    leaked: () => null,
    forged(delivery, number) {
      const { 'btcpay-sig': good = '' } = delivery.headers
      const changed = Buffer.from(
        Buffer.from(delivery.body)
          .toString()
          .replace(/"type": "\w+"/, '"type": "InvoiceSettled" '),
      )
      const forgeries = [{ headers: {} }, { headers: { 'btcpay-sig': good.slice(0, -2) } }, { body: changed }]
      return { ...delivery, ...forgeries[number(forgeries.length)] }
    },
    pay: (ref, sats, isMined) => btcpay.pay(ref, { sats, confirmations: isMined ? 1 : 0 }),
    mine: (ref, payment) => btcpay.confirm(ref, payment, 1),
    payOverLightning: (ref) => void btcpay.pay(ref, { sats: DUE, over: 'lightning' }),
    replaceAway: btcpay.replaceAway,
    takeBack: null,
    asked: (ref) => btcpay.exchanges.filter(({ path }) => path.endsWith(`/invoices/${ref}`)).length,
    close: btcpay.close,
  }
}

/** OpenNode. */
export async function opennodeSide(runtime: TestRuntime): Promise<Side> {
  const keys = { apiKey: 'key', network: 'regtest' } as const
  const opennode = await startOpennode({ ...keys, now: runtime.clock.now })
  const asText = (delivery: Delivery): URLSearchParams => new URLSearchParams(Buffer.from(delivery.body).toString())
  return {
    provider: createOpennodeProvider(runtime, {
      ...keys,
      apiUrl: opennode.url,
      publicUrl: PUBLIC_URL,
      requiredConfirmations: () => 1,
    }),
    deliveries: opennode.deliveries,
    messages: () => new Set(opennode.deliveries.map((delivery) => String(asText(delivery)))).size,
    again: (delivery) => delivery,
    leaked(delivery, number) {
      const form = asText(delivery)
      form.set('status', ['paid', 'refunded', 'expired'][number(3)] ?? '')
      form.set('price', String(number(5)))
      return { ...delivery, body: Buffer.from(form.toString()) }
    },
    forged(delivery, number) {
      const form = asText(delivery)
      const good = form.get('hashed_order') ?? ''
      form.set('hashed_order', number(2) === 0 ? good.slice(0, -2) : '')
      form.set('status', 'paid')
      return { ...delivery, body: Buffer.from(form.toString()) }
    },
    pay: (ref, sats, isMined) => opennode.pay(ref, { sats, isMined }),
    mine: (ref) => opennode.mine(ref),
    payOverLightning: opennode.payOverLightning,
    replaceAway: opennode.replaceAway,
    takeBack: opennode.takeBack,
    asked: (ref) => opennode.exchanges.filter(({ path }) => path.endsWith(`/charge/${ref}`)).length,
    close: opennode.close,
  }
}

/**
 * Orders on a real database that are paid at a provider, with the route at which its messages arrive. Debts are not
 * paid out, so that they can be counted.
 */
export async function shop(startSide: (runtime: TestRuntime) => Promise<Side>) {
  const runtime = testRuntime({ fetch: globalThis.fetch })
  const database = await testDatabase({ runtime })
  const { db } = database
  const side = await startSide(runtime)
  const money = await moneyFixture({ db, runtime })
  const { rates } = money
  const queue = new JobQueue({ db, runtime })
  const news: OrderNews[] = []
  const now = (): number => runtime.clock.now()
  const orders = ordersContext({
    db,
    runtime,
    facts: factsTold({ 'order.changed': [async (_tx, one) => void news.push(one)] }),
    fairness: money.orders.fairness,
    freshRate: (tx, currency) => rates.requireFreshRate(tx, currency, now()),
    checkMayPlay: async () => undefined,
    checkSales: async () => undefined,
    isClockWrong: async () => false,
    appendSoon: async () => undefined,
    watchOrder: (tx, order) => watchOrder(tx, queue, order),
  })
  const payments = paymentsContext({
    db,
    runtime,
    jobs: queue,
    provider: side.provider,
    orders,
    onOwnCoins: async () => undefined,
    publicUrl: PUBLIC_URL,
    network: 'regtest',
    canPayFromTestWallet: false,
  })
  queue.register(paymentJobs(payments))
  await beginPayments(payments)
  const app = fastify()
  installErrorHandler(app)
  webhookRoute(app, payments)
  await app.ready()
  const client = await database.connect()
  const walletBefore = await balanceOf(db, wallet)
  const drawId = await money.draw(1, TEST_START_AT + 100 * DAY)

  onTestFinished(async () => {
    await app.close()
    await side.close()
  })

  return {
    side,
    now,
    /** the messages to the players, oldest first */
    news: news as readonly OrderNews[],
    rows: async (text: string, values: unknown[] = []) =>
      (await client.query<Record<string, unknown>>(text, values)).rows,
    runDue: () => queue.runDue(),

    async order() {
      const player = await money.player()
      const orderId = await money.order(player.id, [drawId], { withInvoice: false })
      await openInvoice(payments, orderId)
      const { rows } = await client.query<{ ref: string }>('select ref from invoices where order_id = $1', [orderId])
      return { orderId, playerId: player.id, ref: String(rows[0]?.ref) }
    },

    statusOf: async (orderId: string): Promise<OrderStatus> => (await moneyOf(payments, orderId)).status,
    owedTo: (playerId: bigint) => balanceOf(db, winnings(playerId)),

    /** What came in, and how much of it is still unattributed. */
    async booked() {
      const walletNow = await balanceOf(db, wallet)
      return { came: walletNow - walletBefore, undecided: await balanceOf(db, received) }
    },

    problems: () => ledgerViolations(db),

    /** A message comes in. @returns the HTTP status */
    async deliver({ headers, body }: Delivery): Promise<number> {
      const path = side.provider.webhook?.path ?? ''
      const answer = await app.inject({ method: 'POST', url: path, headers, payload: Buffer.from(body) })
      return answer.statusCode
    },

    async moveTo(at: number): Promise<void> {
      await queue.runDue()
      for (let next = await queue.nextAt(); next !== null && next <= at; next = await queue.nextAt()) {
        runtime.clock.set(Math.max(next, now()))
        await queue.runDue()
      }
      runtime.clock.set(at)
    },

    /** Moves the clock in one step, as for a program that was down meanwhile. */
    async jumpTo(at: number): Promise<void> {
      runtime.clock.set(at)
      await queue.runDue()
    },

    /** Everything that is known of money and orders. */
    async everything(): Promise<string> {
      const texts: string[] = []
      for (const table of ['orders', 'payments', 'invoices', 'transfers', 'postings', 'payables', 'unknown_deposits']) {
        const { rows } = await client.query<{ row: string }>(`select t::text as row from ${table} t order by 1`)
        texts.push(table, ...rows.map(({ row }) => row))
      }
      return texts.join('\n')
    },
  }
}

export type Shop = Awaited<ReturnType<typeof shop>>
