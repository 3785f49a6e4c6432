import fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import type { OrderStatus } from '@fairball/domain/order-status'
import { webhookRoute } from '../../src/modules/payments/webhook-route.ts'
import { installErrorHandler } from '../../src/http/errors.ts'
import { createPayments, watchOrder } from '../../src/modules/payments/service.ts'
import { createOrders } from '../../src/modules/orders/service.ts'
import { received, wallet, winnings } from '../../src/modules/ledger/accounts.ts'
import { createJobQueue } from '../../src/jobs/queue.ts'
import { createBtcpayProvider } from '../../src/ports/payment-provider/btcpay.ts'
import { createOpennodeProvider } from '../../src/ports/payment-provider/opennode.ts'
import type { PaymentProvider } from '../../src/ports/payment-provider/payment-provider.ts'
import { testRuntime, TEST_START_AT, type TestRuntime } from '../../src/runtime/test-runtime.ts'
import { testDatabase } from '../database.ts'
import { FIXTURE_DUE_SATS, moneyFixture } from '../money.ts'
import { type BtcpayDelivery, startBtcpay } from './btcpay.ts'
import { startOpennode } from './opennode.ts'
import { seededNumbers, shuffled } from './outside.ts'
import type { Delivery } from './stand-in.ts'

const DUE = FIXTURE_DUE_SATS
const MINUTE = 60
const DAY = 86_400
const ORDERS = 10
const STORM = 10_000
const PUBLIC_URL = 'http://fairball.test'

/** A provider's stand-in, and the adapter in front of it. */
interface Side {
  readonly provider: PaymentProvider
  readonly deliveries: readonly Delivery[]
  /** how many of the messages are different ones */
  messages(): number
  /** the same message once more, as the provider sends it again */
  again(delivery: Delivery): Delivery
  /** a message that nobody at the provider sent, and that looks genuine: null where that cannot be made */
  leaked(delivery: Delivery, number: (below: number) => number): Delivery | null
  /** a message that nobody at the provider sent */
  forged(delivery: Delivery, number: (below: number) => number): Delivery
  pay(ref: string, sats: bigint, isMined: boolean): string
  mine(ref: string, payment: string): void
  payOverLightning(ref: string): void
  replaceAway(ref: string, payment: string): void
  close(): Promise<void>
}

async function btcpaySide(runtime: TestRuntime): Promise<Side> {
  const keys = { apiKey: 'key', storeId: 'STORE', webhookSecret: 'secret', network: 'regtest' } as const
  const btcpay = await startBtcpay({ ...keys, now: runtime.clock.now })
  return {
    provider: createBtcpayProvider(runtime, { ...keys, baseUrl: btcpay.url, requiredConfirmations: 1 }),
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
    close: btcpay.close,
  }
}

async function opennodeSide(runtime: TestRuntime): Promise<Side> {
  const keys = { apiKey: 'key', network: 'regtest' } as const
  const opennode = await startOpennode({ ...keys, now: runtime.clock.now })
  const asText = (delivery: Delivery): URLSearchParams => new URLSearchParams(Buffer.from(delivery.body).toString())
  return {
    provider: createOpennodeProvider(runtime, {
      ...keys,
      apiUrl: opennode.url,
      publicUrl: PUBLIC_URL,
      requiredConfirmations: 1,
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
    close: opennode.close,
  }
}

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** Orders on a real database that are paid at a provider, with the route at which its messages arrive. */
async function shop(startSide: (runtime: TestRuntime) => Promise<Side>) {
  const runtime = testRuntime({ fetch: globalThis.fetch })
  const database = await testDatabase({ runtime })
  const { db } = database
  const side = await startSide(runtime)
  const money = await moneyFixture({ db, runtime })
  const { ledger, rates } = money
  const queue = createJobQueue({ db, runtime })
  const now = (): number => runtime.clock.now()
  const orders = createOrders({
    db,
    runtime,
    ledger,
    freshRate: (tx) => rates.requireFreshRate(tx, 'GBP', now()),
    checkMayPlay: async () => undefined,
    checkSales: async () => undefined,
    isClockSlow: async () => false,
    watchOrder: (tx, order) => watchOrder(tx, queue, order),
    onOwed: async () => undefined, // what is owed stays where it can be counted
    tell: async () => undefined,
  })
  const payments = createPayments({
    db,
    runtime,
    jobs: queue,
    ledger,
    provider: side.provider,
    applyPayments: orders.applyPayments,
    takeBack: orders.takeBack,
    publicUrl: PUBLIC_URL,
    network: 'regtest',
    canPayFromTestWallet: false,
  })
  queue.register(payments.jobs())
  await payments.start()
  const app = fastify()
  installErrorHandler(app)
  webhookRoute(app, { payments })
  await app.ready()
  const client = await database.connect()
  closing.push(() => app.close(), side.close)
  const walletBefore = await ledger.balance(db, wallet)
  const drawId = await money.draw(1, TEST_START_AT + 100 * DAY)

  return {
    side,
    now,
    runDue: () => queue.runDue(),

    async order() {
      const player = await money.player()
      const orderId = await money.order(player.id, [drawId], { withInvoice: false })
      await payments.openInvoice(orderId)
      const { rows } = await client.query<{ ref: string }>('select ref from invoices where order_id = $1', [orderId])
      return { orderId, playerId: player.id, ref: String(rows[0]?.ref) }
    },

    statusOf: async (orderId: string): Promise<OrderStatus> => (await payments.moneyOf(orderId)).status,
    owedTo: (playerId: bigint) => ledger.balance(db, winnings(playerId)),

    /** What came in, and what of it is not yet anybody's. */
    async booked() {
      const walletNow = await ledger.balance(db, wallet)
      return { came: walletNow - walletBefore, undecided: await ledger.balance(db, received) }
    },

    problems: () => ledger.violations(db),

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

type Shop = Awaited<ReturnType<typeof shop>>

/** What happens to the orders, one kind after the other; `late` after their expiry. */
const KINDS: { name: string; pay: (side: Side, ref: string) => void; late?: true; came: bigint }[] = [
  { name: 'paid', pay: (side, ref) => void side.pay(ref, DUE, true), came: DUE },
  { name: 'paid, then mined', pay: (side, ref) => side.mine(ref, side.pay(ref, DUE, false)), came: DUE },
  { name: 'underpaid', pay: (side, ref) => void side.pay(ref, DUE - 1n, true), came: DUE - 1n },
  { name: 'overpaid', pay: (side, ref) => void side.pay(ref, DUE + 7n, true), came: DUE + 7n },
  { name: 'paid over Lightning', pay: (side, ref) => side.payOverLightning(ref), came: DUE },
  { name: 'replaced away', pay: (side, ref) => side.replaceAway(ref, side.pay(ref, DUE, false)), came: 0n },
  { name: 'unpaid', pay: () => undefined, came: 0n },
  {
    name: 'replaced by another to us',
    pay(side, ref) {
      side.replaceAway(ref, side.pay(ref, DUE, false))
      side.pay(ref, DUE, true)
    },
    came: DUE,
  },
  {
    name: 'paid twice',
    pay(side, ref) {
      side.pay(ref, DUE, true)
      side.pay(ref, DUE, true)
    },
    came: DUE * 2n,
  },
  { name: 'paid late', pay: (side, ref) => void side.pay(ref, DUE, true), late: true, came: DUE },
]

const SIDES = [
  // BTCPay's money is in the operator's own wallet; what OpenNode has of an underpaid charge its payer can take back.
  ['BTCPay', btcpaySide, { underpaid: 'REFUNDED' }],
  ['OpenNode', opennodeSide, { underpaid: 'UNDERPAID' }],
] as const

/** What each kind ends as, and what the player is owed then. */
function endOf(name: string, came: bigint, underpaid: OrderStatus): [OrderStatus, bigint] {
  if (name === 'underpaid') return underpaid === 'REFUNDED' ? ['REFUNDED', came] : [underpaid, 0n]
  return came === 0n ? ['EXPIRED', 0n] : ['PAID', came - DUE]
}

async function happen(one: Shop, options: { withMessages: boolean }) {
  const number = seededNumbers(17)
  const made: { orderId: string; playerId: bigint; ref: string; kind: (typeof KINDS)[number] }[] = []
  for (let place = 0; place < ORDERS; place += 1) {
    const kind = KINDS[place % KINDS.length]
    if (kind !== undefined) made.push({ ...(await one.order()), kind })
  }
  const startAt = one.now()
  for (const { kind, ref } of made) if (kind.late !== true) kind.pay(one.side, ref)
  if (options.withMessages) {
    for (const delivery of shuffled(one.side.deliveries, number)) expect(await one.deliver(delivery)).toBe(200)
    await one.runDue()
    for (const { kind, orderId } of made) {
      const isPaid = kind.came >= DUE && kind.late !== true
      // Nobody waited for a poll: no second has passed.
      expect([kind.name, await one.statusOf(orderId)]).toEqual([
        kind.name,
        isPaid ? 'PAID' : kind.name === 'underpaid' ? 'UNDERPAID' : 'PENDING',
      ])
    }
  }
  await one.moveTo(startAt + 16 * MINUTE)
  const before = one.side.deliveries.length
  for (const { kind, ref } of made) if (kind.late === true) kind.pay(one.side, ref)
  if (options.withMessages) {
    for (const delivery of one.side.deliveries.slice(before)) expect(await one.deliver(delivery)).toBe(200)
    await one.runDue()
  } else await one.moveTo(startAt + 26 * MINUTE)
  return made
}

describe.each(SIDES)('Orders paid at %s', (_name, startSide, { underpaid }) => {
  async function expectEnd(one: Shop, made: Awaited<ReturnType<typeof happen>>): Promise<void> {
    let came = 0n
    for (const { kind, orderId, playerId } of made) {
      const end = endOf(kind.name, kind.came, underpaid)
      expect([kind.name, await one.statusOf(orderId), await one.owedTo(playerId)]).toEqual([kind.name, ...end])
      came += end[0] === 'UNDERPAID' ? 0n : kind.came
    }
    expect(await one.booked()).toEqual({ came, undecided: 0n })
    expect(await one.problems()).toEqual([])
  }

  it('end as their money says when no message ever comes', { timeout: 120_000 }, async () => {
    const one = await shop(startSide)
    await expectEnd(one, await happen(one, { withMessages: false }))
  })

  it(
    'end the same with messages, and 10,000 of these again, shuffled and forged, change nothing',
    { timeout: 240_000 },
    async () => {
      const one = await shop(startSide)
      const made = await happen(one, { withMessages: true })
      await expectEnd(one, made)
      const before = await one.everything()

      const number = seededNumbers(23)
      const genuine = [...one.side.deliveries]
      const messages = one.side.messages()
      const storm = Array.from({ length: STORM }, () => {
        const from = genuine[number(genuine.length)]
        if (from === undefined) throw new Error('there is no message')
        const kind = number(3)
        if (kind === 0) return { delivery: one.side.forged(from, number), status: 401 }
        return { delivery: kind === 1 ? from : one.side.again(from), status: 200 }
      })
      for (const { delivery, status } of shuffled(storm, number)) expect(await one.deliver(delivery)).toBe(status)
      expect(one.side.messages()).toBe(messages)
      await one.runDue()
      expect(await one.everything()).toBe(before)
      await expectEnd(one, made)
    },
  )
})
