import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { START_AT, TEST_BITCOIN, testLottery } from '../../../test/lottery.ts'
import { casesOf } from '../../../test/share.ts'
import { CHANNEL_SATS } from '../../ports/lightning/test-node.ts'
import { findViolations } from '../invariants/service.ts'
import { lightning } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { createOrder } from '../orders/service.ts'
import { checkoutOf, followProvider, moneyOf, openInvoice, refreshPayments } from './service.ts'

const HERO = 'bitcoin-hero'
const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const FIRST_MORNING_AT = START_AT + 5 * 3600 + 45 * MINUTE
const RUNS = casesOf({ all: 300, share: 6 })
const SEED = 23

/** Everything that can happen to an order that is paid over Lightning, or on the chain, or both, in any order. */
const EVENTS = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('payLightning' as const),
      percent: fc.constantFrom(99, 100, 100, 150, 200, 201),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('payChain' as const),
      percent: fc.constantFrom(1, 40, 100, 130),
      mined: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('loseChain' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('node' as const), mode: fc.constantFrom('ok' as const, 'down' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 20 * MINUTE }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const), workers: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('follow' as const), workers: fc.integer({ min: 1, max: 3 }) }),
  },
)
const SCENARIO = fc.record({
  isDownAtFirst: fc.boolean(),
  isPaidAtOnce: fc.boolean(),
  events: fc.array(EVENTS, { minLength: 2, maxLength: 8 }),
})

type Scenario = typeof SCENARIO extends fc.Arbitrary<infer S> ? S : never

/** Cases that must come up whatever the seed: paid both ways, and taken by a node that is away afterwards. */
const EXAMPLES: [Scenario][] = [
  [
    {
      isDownAtFirst: false,
      isPaidAtOnce: true,
      events: [
        { kind: 'look', workers: 3 },
        { kind: 'payChain', percent: 100, mined: true },
        { kind: 'look', workers: 2 },
      ],
    },
  ],
  [
    {
      isDownAtFirst: false,
      isPaidAtOnce: true,
      events: [
        { kind: 'node', mode: 'down' },
        { kind: 'look', workers: 2 },
        { kind: 'pass', seconds: 20 * MINUTE },
      ],
    },
  ],
]

it(`an order is paid once whatever happens over Lightning and on the chain, in ${RUNS} lives`, async () => {
  const test = await testLottery()
  await test.restart({ bitcoin: { ...TEST_BITCOIN, lightning: 'test' } })
  const { lottery, db, rows, runtime, moveTo } = test
  const node = lottery.lightning?.test
  if (node == null) throw new Error('this lottery takes no Lightning')
  const chain = chainOfPayments(test)
  const now = (): number => runtime.clock.now()
  const reached = new Set<string>()

  const assertBooks = async (): Promise<void> => {
    expect(await findViolations(db)).toEqual([])
    const [{ msat } = { msat: '0' }] = await rows<{ msat: string }>(
      `select coalesce(sum(received_msat), 0) as msat from test_ln_invoices`,
    )
    const booked = await balanceOf(db, lightning)
    // What the node took and nobody has looked at yet is held, and not booked.
    expect(booked).toBeLessThanOrEqual(CHANNEL_SATS + BigInt(msat) / 1000n)
  }

  await fc.assert(
    fc.asyncProperty(SCENARIO, async ({ isDownAtFirst, isPaidAtOnce, events }) => {
      await node.setMode('ok')
      const beginAt = FIRST_MORNING_AT + Math.ceil((now() - FIRST_MORNING_AT) / DAY) * DAY
      await moveTo(beginAt)
      const playerId = await test.addPlayer()
      if (isDownAtFirst) await node.setMode('down')
      const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
      const today = Math.floor(beginAt / DAY) + 3
      const days = [today % 7, (today + 1) % 7].map((day) => day + 1)
      const order = { playerId, gameKey: HERO, days, weeks: 1, tickets, idempotencyKey: null }
      const { orderId } = await createOrder(lottery.orders, order)
      await openInvoice(lottery.payments, orderId)
      const { dueSats } = await moneyOf(lottery.payments, orderId)
      const shown = (await checkoutOf(lottery.payments, orderId)).lightning
      const hash = shown?.payment_hash ?? ''
      const percentOf = (percent: number): bigint => (dueSats * BigInt(percent) + 99n) / 100n
      let isTaken = false

      const payLightning = async (percent: number): Promise<void> => {
        const msat = percent === 99 ? dueSats * 1000n - 1n : percentOf(percent) * 1000n
        const { lightning: invoice } = await checkoutOf(lottery.payments, orderId)
        const taken = await node.payIn(hash, msat).catch(() => false)
        if (!taken) return
        expect([percent >= 100 && percent <= 200, isTaken], 'the node takes it whole, and once').toEqual([true, false])
        expect(invoice?.state, 'nothing is taken that was not offered').not.toBe('unavailable')
        isTaken = true
      }
      const look = async (): Promise<unknown> => await refreshPayments(lottery.payments, orderId)

      if (isPaidAtOnce) await payLightning(100)
      for (const event of events) {
        switch (event.kind) {
          case 'payLightning':
            await payLightning(event.percent)
            break
          case 'payChain':
            await chain.pay(orderId, percentOf(event.percent), event.mined ? 1 : 0)
            break
          case 'loseChain':
            for (const { outpoint } of await chain.outputsTo(orderId))
              if (!outpoint.startsWith('ln:')) await chain.lose(outpoint)
            break
          case 'node':
            await node.setMode(event.mode)
            break
          case 'pass':
            await moveTo(now() + event.seconds)
            break
          case 'look':
            await Promise.all(Array.from({ length: event.workers }, look))
            break
          case 'follow':
            await Promise.all(
              Array.from({ length: event.workers }, () => followProvider(lottery.payments).catch(() => undefined)),
            )
            break
        }
        await assertBooks()
      }
      // In the end the node is back, and what it took is found by following it.
      await node.setMode('ok')
      await followProvider(lottery.payments)
      await lottery.queue.runDue()
      const status = await chain.settleDoubts(orderId)
      await assertBooks()
      expect(await test.violations()).toEqual([])
      reached.add(status)
      const [{ counted, sats } = { counted: 0, sats: '0' }] = await rows<{ counted: number; sats: string }>(
        `select count(*)::int as counted, coalesce(sum(sats), 0) as sats from payments where order_id = $1 and network = 'LIGHTNING' and confirmed_at is not null`,
        [orderId],
      )
      expect(counted, 'what the node took counts once').toBe(isTaken ? 1 : 0)
      if (!isTaken) return
      reached.add('taken')
      expect(BigInt(sats)).toBeGreaterThanOrEqual(dueSats)
      expect(['PAID', 'REFUNDED']).toContain(status)
      if (await hasChainMoney(orderId)) reached.add('both ways')
    }),
    { numRuns: RUNS, seed: SEED, examples: EXAMPLES },
  )
  for (const wanted of ['PAID', 'taken', 'both ways']) expect([...reached]).toContain(wanted)

  async function hasChainMoney(orderId: string): Promise<boolean> {
    return (
      (
        await rows(`select from payments where order_id = $1 and network = 'ONCHAIN' and confirmed_at is not null`, [
          orderId,
        ])
      ).length > 0
    )
  }
})
