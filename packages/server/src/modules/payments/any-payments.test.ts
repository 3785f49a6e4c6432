import { canMoveOrder, type OrderStatus } from '@fairball/domain/order-status'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { losses, received } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { createOrder } from '../orders/service.ts'
import { moneyOf, openInvoice, refreshPayments } from './service.ts'
import { casesOf } from '../../../test/share.ts'

const HERO = 'bitcoin-hero'
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A quarter of an hour before a draw, ten minutes before its sales close. */
const FIRST_MORNING_AT = START_AT + 5 * HOUR + 45 * MINUTE
const RUNS = casesOf({ all: 500, share: 12 })
const SEED = 11

/** Parts of the price that a player sends at the same time, in percent. */
const PARTS = [1, 40, 60, 99, 100, 100, 100, 130, 200]
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
  [11, 12, 13, 14, 15],
]

const some = fc.nat(20)
/** Everything that can happen to the payments of an order, in any order. */
const EVENTS = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), part: fc.constantFrom(...PARTS), mined: fc.boolean() }),
  },
  // What the player owes, in one payment or in parts, and a little less or more.
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('payMissing' as const),
      parts: fc.integer({ min: 1, max: 3 }),
      moreSats: fc.constantFrom(-1n, 0n, 0n, 0n, 5n),
      mined: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('lose' as const), which: some }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('toMempool' as const), which: some }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('comeBack' as const), which: some, mined: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine' as const), which: some }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      seconds: fc.oneof(
        fc.integer({ min: 1, max: 20 * MINUTE }),
        fc.integer({ min: 1, max: 20 * MINUTE }),
        fc.integer({ min: HOUR, max: 30 * HOUR }),
      ),
    }),
  },
  // A whole reorganisation: all payments vanish, time passes, and they are mined again.
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('reorganise' as const),
      keepsWaiting: fc.boolean(),
      seconds: fc.constantFrom(0, 0, 8 * MINUTE, 14 * MINUTE),
    }),
  },
  // A reorganisation in which the payments are spent elsewhere for good.
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('loseAll' as const) }) },
  // Checks in the middle of a doubt: a single one, and several at the same time.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const), workers: fc.integer({ min: 1, max: 4 }) }) },
)

const SCENARIO = fc.record({
  hasAddress: fc.boolean(),
  freeTickets: fc.integer({ min: 0, max: 4 }),
  lines: fc.integer({ min: 1, max: 3 }),
  // Today's draw, which closes ten minutes after the order is made, tomorrow's and the one after.
  daysAhead: fc.constantFrom([0], [0, 1], [1, 2], [0, 1, 2]),
  // Most begin with a payment in full, as most orders do.
  paidPercent: fc.constantFrom(0, 100, 100, 150),
  events: fc.array(EVENTS, { minLength: 3, maxLength: 8 }),
})

type Scenario = typeof SCENARIO extends fc.Arbitrary<infer S> ? S : never
type Event = Scenario['events'][number]
const plain = { hasAddress: true, freeTickets: 0, lines: 2, daysAhead: [0, 1] as const }
const pay = (part: number): Event => ({ kind: 'pay', part, mined: true })
const payMissing = (parts: number, moreSats: 0n | 5n = 0n): Event => ({
  kind: 'payMissing',
  parts,
  moreSats,
  mined: true,
})
const pass = (seconds: number): Event => ({ kind: 'pass', seconds })
const loseAll: Event = { kind: 'loseAll' }

/** Cases that must come up whatever the seed: an order paid again, with less, more, and in parts. */
const EXAMPLES: [Scenario][] = [
  [{ ...plain, paidPercent: 0, events: [pay(60), payMissing(2), loseAll, pay(40), payMissing(1)] }],
  [{ ...plain, paidPercent: 100, events: [loseAll, pay(99), pass(HOUR)] }],
  // The excess was paid out before the payment vanished: what is then needed is more than the price.
  [{ ...plain, paidPercent: 150, events: [pass(MINUTE), loseAll, pay(100), payMissing(2), pay(1)] }],
  [{ ...plain, paidPercent: 100, events: [{ kind: 'lose', which: 0 }, pay(130), loseAll, payMissing(3, 5n)] }],
  // One and a half times the price is paid, and the half paid out. One of the two payments vanishes, and what was
  // returned is not taken for a payment.
  ...[0, 1].map((which): [Scenario] => {
    const events: Event[] = [pay(50), pass(MINUTE), { kind: 'lose', which }, pay(49), pass(20 * MINUTE)]
    return [{ ...plain, paidPercent: 100, events }]
  }),
]

it(`money in is money kept and money owed, whatever a chain does to the payments of an order, in ${RUNS} lives`, async () => {
  const test = await testLottery()
  const { lottery, db, rows, runtime, moveTo } = test
  const now = (): number => runtime.clock.now()
  const chain = chainOfPayments(test)
  const moves = await watchMoves(rows)
  const reached = new Set<string>()

  await fc.assert(
    fc.asyncProperty(SCENARIO, async ({ hasAddress, freeTickets, lines, daysAhead, paidPercent, events }) => {
      // All lives share one lottery; each begins on a day of its own.
      const beginAt = FIRST_MORNING_AT + Math.ceil((now() - FIRST_MORNING_AT) / DAY) * DAY
      await moveTo(beginAt)
      const today = Math.floor(beginAt / DAY) + 3 // days since a Monday
      const playerId = await test.addPlayer(hasAddress ? {} : { address: null })
      await rows(`insert into free_tickets (player_id, game_key, won) values ($1, $2, $3)`, [
        playerId,
        HERO,
        freeTickets,
      ])
      const tickets = LINES.slice(0, lines).map((numbers) => ({ numbers, isLuckyDip: false }))
      const { orderId } = await createOrder(lottery.orders, {
        playerId,
        gameKey: HERO,
        days: daysAhead.map((ahead) => ((today + ahead) % 7) + 1),
        weeks: 1,
        tickets,
        idempotencyKey: null,
      })
      await openInvoice(lottery.payments, orderId)
      const { dueSats } = await moneyOf(lottery.payments, orderId)
      if (dueSats === 0n) return
      const lost: Record<string, unknown>[] = []
      const percentOf = (percent: number): bigint => (dueSats * BigInt(percent) + 99n) / 100n

      const check = async (): Promise<OrderStatus> => {
        const status = await chain.settleDoubts(orderId)
        reached.add(status)
        await assertBooks(orderId)
        return status as OrderStatus
      }
      if (paidPercent > 0) await chain.pay(orderId, percentOf(paidPercent), 1)
      await check()
      for (const event of events) {
        const paying = await chain.outputsTo(orderId)
        const chosen = 'which' in event ? paying[event.which % Math.max(1, paying.length)] : undefined
        switch (event.kind) {
          case 'pay':
            await chain.pay(orderId, percentOf(event.part), event.mined ? 1 : 0)
            break
          case 'payMissing': {
            const before = await moneyOf(lottery.payments, orderId)
            const waiting = await unconfirmedOf(orderId)
            const sats = before.missingSats + event.moreSats
            if (before.missingSats === 0n || sats <= 0n) break
            const part = sats / BigInt(event.parts)
            for (let left = event.parts; left > 0; left -= 1) {
              const sent = left === 1 ? sats - part * BigInt(event.parts - 1) : part
              if (sent > 0n) await chain.pay(orderId, sent, event.mined ? 1 : 0)
            }
            const isInTime = now() < beginAt + 15 * MINUTE
            const status = await check()
            if (isInTime && event.mined && event.moreSats >= 0n && waiting === 0n) {
              expect(status, 'what was asked for was sent').toBe('PAID')
              if ((await timesReversed(orderId)) > 0) reached.add('paid again with what was missing')
            }
            continue
          }
          case 'lose':
            if (chosen !== undefined) lost.push(await chain.lose(chosen.outpoint))
            break
          case 'toMempool':
            if (chosen !== undefined) await chain.toMempool(chosen.outpoint)
            break
          case 'mine':
            if (chosen !== undefined) await chain.mine(chosen.outpoint)
            break
          case 'comeBack': {
            const [back] = lost.splice(event.which % Math.max(1, lost.length), 1)
            if (back !== undefined) await chain.comeBack(back, event.mined ? 1 : 0)
            break
          }
          case 'reorganise': {
            const gone: Record<string, unknown>[] = []
            for (const { outpoint } of paying) gone.push(await chain.lose(outpoint))
            if (event.keepsWaiting) for (const one of gone) await chain.comeBack(one, 0)
            await check()
            await moveTo(now() + event.seconds)
            await check()
            if (event.keepsWaiting) for (const { outpoint } of paying) await chain.mine(outpoint)
            else for (const one of gone) await chain.comeBack(one, 1)
            break
          }
          case 'loseAll':
            for (const { outpoint } of paying) lost.push(await chain.lose(outpoint))
            break
          case 'pass':
            await moveTo(now() + event.seconds)
            break
          case 'look':
            // Nothing is checked after these: the doubt may continue.
            await Promise.all(Array.from({ length: event.workers }, () => refreshPayments(lottery.payments, orderId)))
            continue
        }
        await check()
      }
      await check()
    }),
    { numRuns: RUNS, seed: SEED, examples: EXAMPLES },
  )

  for (const { old_status: from, new_status: to } of await moves()) {
    expect(canMoveOrder({ from, to }), `${from} to ${to}`).toBe(true)
    reached.add(`${from} to ${to}`)
  }
  const refunds = await rows(`select from refunds r join orders o on o.id = r.order_id where o.times_reversed > 0`)
  if (refunds.length > 0) reached.add('refunded after a reorganisation')
  // The lives are worth something only if they cover the cases.
  for (const wanted of [
    'PENDING',
    'PAID',
    'UNDERPAID',
    'REFUNDED',
    'EXPIRED',
    'PROCESSING',
    'PAID to PROCESSING',
    'PROCESSING to PAID',
    'UNDERPAID to PAID',
    'UNDERPAID to EXPIRED',
    'EXPIRED to REFUNDED',
    'paid again with what was missing',
    'refunded after a reorganisation',
  ])
    expect([...reached]).toContain(wanted)

  async function unconfirmedOf(orderId: string): Promise<bigint> {
    const [row] = await rows<{ sats: string }>(
      `select coalesce(sum(sats), 0) as sats from payments where order_id = $1 and confirmed_at is null and gone_at is null`,
      [orderId],
    )
    return BigInt(row?.sats ?? 0)
  }

  async function timesReversed(orderId: string): Promise<number> {
    const [row] = await rows<{ times: number }>(`select times_reversed as times from orders where id = $1`, [orderId])
    return row?.times ?? 0
  }

  /** The books of every order there ever was, and all messages about this one. */
  async function assertBooks(orderId: string): Promise<void> {
    expect(await test.violations()).toEqual([])
    const orders = await rows<Record<string, string>>(
      `select o.id, o.status, o.due_sats, o.entry_count, o.free_count, o.line_count, o.lost_sats, o.expires_at,
        (select coalesce(sum(sats), 0) from payments where order_id = o.id and confirmed_at is not null) as came,
        (select coalesce(sum(sats), 0) from payments
          where order_id = o.id and confirmed_at is null and gone_at is null) as unconfirmed,
        (select coalesce(sum(sats), 0) from payables where order_id = o.id) as given,
        (select coalesce(sum(sats), 0) from refunds where order_id = o.id) as refunded,
        (select coalesce(sum(sats), 0) from payables where order_id = o.id and kind = 'refund') as refunds,
        (select count(*) from plays p where p.order_id = o.id) as plays,
        (select count(*) from plays p join draws d on d.id = p.draw_id
          where p.order_id = o.id and d.status = 'open') as open_plays,
        (select coalesce(array_agg(place order by place), '{}') from plays where order_id = o.id) as places,
        (select coalesce(sum(p.free_count), 0) from plays p where p.order_id = o.id) as free_played,
        cardinality(o.draw_ids) as draws, f.won, f.used, f.held
      from orders o join free_tickets f on f.player_id = o.player_id`,
    )
    // Money in, and what the operator added, is money kept, money returned or owed, and money that waits.
    const books = orders.map((order) => ({ order, ...booksOf(order) }))
    const sumOf = (name: 'waitingSats' | 'lostSats'): bigint => books.reduce((sum, one) => sum + one[name], 0n)
    expect(sumOf('waitingSats'), 'money that waits').toBe(await balanceOf(db, received))
    expect(sumOf('lostSats'), 'what the operator lost').toBe(await balanceOf(db, losses))

    for (const { order, waitingSats } of books) {
      const sats = (name: string): bigint => BigInt(order[name] ?? 0)
      const status = order['status'] as OrderStatus
      expect(waitingSats, 'money that waits for one order').toBeGreaterThanOrEqual(0n)
      expect(sats('refunded')).toBe(sats('refunds'))
      expect(sats('used')).toBe(sats('free_played'))
      const isOpen = ['PENDING', 'PROCESSING', 'UNDERPAID'].includes(status)
      expect(sats('held')).toBe(isOpen ? sats('free_count') - sats('free_played') : 0n)
      if (status === 'PAID' || status === 'REFUNDED') expect(waitingSats).toBe(0n)
      if (status === 'PAID') expect(sats('plays')).toBe(sats('draws'))
      else expect(sats('open_plays')).toBe(0n)
    }

    const one = books.find(({ order }) => order['id'] === orderId)
    if (one === undefined) throw new Error('no order')
    const { order, waitingSats, stakedSats, lostSats } = one
    const status = order['status'] as OrderStatus
    // What it needs until it is PAID (again), and how much of that is visible.
    const restSats = BigInt(order['due_sats'] ?? 0) - stakedSats + lostSats
    const unconfirmedSats = BigInt(order['unconfirmed'] ?? 0)
    const inSightSats = waitingSats + unconfirmedSats
    const { missingSats } = await moneyOf(lottery.payments, orderId)
    if (status === 'PAID' || status === 'REFUNDED') expect(missingSats).toBe(0n)
    else expect(missingSats, 'what the player is asked for').toBe(inSightSats < restSats ? restSats - inSightSats : 0n)
    if (status !== 'PAID' && status !== 'REFUNDED') {
      const due: OrderStatus = inSightSats >= restSats ? 'PROCESSING' : inSightSats > 0n ? 'UNDERPAID' : 'PENDING'
      if (now() < Number(order['expires_at'])) {
        expect(waitingSats, 'enough is PAID').toBeLessThan(restSats)
        expect(status).toBe(due)
      } else if (inSightSats === 0n) expect(status).toBe('EXPIRED')
      else expect(unconfirmedSats, 'what still waits is on its way').toBeGreaterThan(0n)
    }
  }
}, 3_600_000)

/** How the money of an order divides, in sats. */
function booksOf(order: Record<string, string>) {
  const sats = (name: string): bigint => BigInt(order[name] ?? 0)
  const places = order['places'] as unknown as number[] // an array of integers
  const stakedSats = places.reduce((sum, place) => sum + stakeOf(order, place), 0n)
  const lostSats = sats('lost_sats')
  return { stakedSats, lostSats, waitingSats: sats('came') + lostSats - stakedSats - sats('given') }
}

/** Records every change of an order's status, even those inside one check. */
async function watchMoves(rows: (text: string) => Promise<Record<string, unknown>[]>) {
  await rows('create table moves (id bigint generated always as identity, old_status text, new_status text)')
  await rows(`create function note_move() returns trigger language plpgsql as $$ begin
    insert into moves (old_status, new_status) values (old.status, new.status); return null; end $$`)
  await rows(`create trigger moves after update on orders for each row when (old.status <> new.status)
    execute function note_move()`)
  return async () =>
    (await rows('select old_status, new_status from moves order by id')) as unknown as {
      old_status: OrderStatus
      new_status: OrderStatus
    }[]
}

/** The cost of the entries of one of the order's draws: free ones first, equal shares, the remainder to the first. */
function stakeOf(order: Record<string, string>, place: number): bigint {
  const [due, entries, free, lines] = ['due_sats', 'entry_count', 'free_count', 'line_count'].map((name) =>
    BigInt(order[name] ?? 0),
  ) as [bigint, bigint, bigint, bigint]
  const paid = entries - free
  let sats = 0n
  for (let entry = BigInt(place) * lines; entry < BigInt(place + 1) * lines; entry += 1n)
    if (entry >= free) sats += due / paid + (entry - free < due % paid ? 1n : 0n)
  return sats
}
