import { canMoveOrder, type OrderStatus } from '@fairball/domain/order-status'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chainOfPayments } from '../../../test/chain-of-payments.ts'
import { testLottery } from '../../../test/lottery.ts'
import { losses, received } from '../ledger/accounts.ts'

const HERO = 'bitcoin-hero'
const MINUTE = 60
const HOUR = 60 * MINUTE

/** Parts of the price a player sends at once, in percent. */
const PARTS = [1, 40, 60, 99, 100, 100, 100, 130, 200]
const LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
  [11, 12, 13, 14, 15],
]

const some = fc.nat(20)
/** What can happen to the payments of an order, in any order. */
const EVENTS = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), part: fc.constantFrom(...PARTS), mined: fc.boolean() }),
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
  // A whole reorganisation: everything goes, time passes, and it is mined again.
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('reorganise' as const),
      keepsWaiting: fc.boolean(),
      seconds: fc.constantFrom(0, 0, 8 * MINUTE, 14 * MINUTE),
    }),
  },
  // Looks in the middle of a doubt: one alone, and several at once.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const), workers: fc.integer({ min: 1, max: 4 }) }) },
)

const SCENARIO = fc.record({
  hasAddress: fc.boolean(),
  freeTickets: fc.integer({ min: 0, max: 4 }),
  lines: fc.integer({ min: 1, max: 3 }),
  days: fc.constantFrom([3], [3, 4], [4, 5], [3, 4, 5]),
  // Most begin with a payment in full, as most orders do.
  paidPercent: fc.constantFrom(0, 100, 100, 150),
  events: fc.array(EVENTS, { minLength: 3, maxLength: 8 }),
})

const reached = new Set<string>()

/** Each scenario has a database, and those of one test are there until it ends. */
const RUNS_A_TEST = 12
const SEEDS = [11, 12, 13]

it.each(SEEDS)(
  'money in is money kept and money owed, whatever a chain does to the payments of an order, seed %s',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(SCENARIO, async ({ hasAddress, freeTickets, lines, days, paidPercent, events }) => {
        const test = await testLottery()
        const { lottery, db, rows, runtime, moveTo } = test
        const now = (): number => runtime.clock.now()
        const chain = chainOfPayments(test)
        const playerId = await test.addPlayer(hasAddress ? {} : { address: null })
        await rows(`insert into free_tickets (player_id, game_key, won) values ($1, $2, $3)`, [
          playerId,
          HERO,
          freeTickets,
        ])
        const moves = await watchMoves(rows)
        const tickets = LINES.slice(0, lines).map((numbers) => ({ numbers, isLuckyDip: false }))
        const { orderId } = await lottery.orders.create({
          playerId,
          gameKey: HERO,
          days,
          weeks: 1,
          tickets,
          idempotencyKey: null,
        })
        await lottery.payments.openInvoice(orderId)
        const { dueSats } = await lottery.payments.moneyOf(orderId)
        if (dueSats === 0n) return
        const lost: Record<string, unknown>[] = []

        const check = async (): Promise<void> => {
          reached.add(await chain.settleDoubts(orderId))
          await assertBooks()
        }
        if (paidPercent > 0) await chain.pay(orderId, (dueSats * BigInt(paidPercent)) / 100n, 1)
        await check()
        for (const event of events) {
          const paying = await chain.outputsTo(orderId)
          const chosen = 'which' in event ? paying[event.which % Math.max(1, paying.length)] : undefined
          switch (event.kind) {
            case 'pay':
              await chain.pay(orderId, (dueSats * BigInt(event.part) + 99n) / 100n, event.mined ? 1 : 0)
              break
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
            case 'pass':
              await moveTo(now() + event.seconds)
              break
            case 'look':
              // Nothing is checked after these: the doubt may go on.
              await Promise.all(Array.from({ length: event.workers }, () => lottery.payments.refresh(orderId)))
              continue
          }
          await check()
        }
        await check()
        for (const { old_status: from, new_status: to } of await moves()) {
          expect(canMoveOrder({ from, to }), `${from} to ${to}`).toBe(true)
          reached.add(`${from} to ${to}`)
        }

        async function assertBooks(): Promise<void> {
          expect(await test.violations()).toEqual([])
          const [money] = await rows<Record<string, string>>(
            `select o.status, o.due_sats, o.entry_count, o.free_count, o.line_count, o.lost_sats,
              (select coalesce(sum(sats), 0) from payments where order_id = o.id and confirmed_at is not null) as came,
              (select coalesce(sum(sats), 0) from payables where order_id = o.id) as given,
              (select coalesce(sum(sats), 0) from refunds where order_id = o.id) as refunded,
              (select coalesce(sum(sats), 0) from payables where order_id = o.id and kind = 'refund') as refunds,
              (select count(*) from plays p where p.order_id = o.id) as plays,
              (select count(*) from plays p join draws d on d.id = p.draw_id
                where p.order_id = o.id and d.status = 'open') as open_plays,
              (select coalesce(array_agg(place order by place), '{}') from plays where order_id = o.id) as places,
              (select coalesce(sum(p.free_count), 0) from plays p where p.order_id = o.id) as free_played,
              cardinality(o.draw_ids) as draws, f.won, f.used, f.held
            from orders o join free_tickets f on f.player_id = o.player_id where o.id = $1`,
            [orderId],
          )
          if (money === undefined) throw new Error('no order')
          const sats = (name: string): bigint => BigInt(money[name] ?? 0)
          const waiting = await lottery.ledger.balance(db, received)
          const lostSats = await lottery.ledger.balance(db, losses)
          const status = money['status'] as OrderStatus
          const places = money['places'] as unknown as number[]
          const staked = places.reduce((sum, place) => sum + stakeOf(money, place), 0n)
          // Money in, and what the operator added, is money kept, money given back or owed, and money that waits.
          expect(sats('came') + lostSats, 'the books of the order').toBe(staked + sats('given') + waiting)
          expect(sats('lost_sats')).toBe(lostSats)
          expect(sats('refunded')).toBe(sats('refunds'))
          expect(sats('used')).toBe(sats('free_played'))
          const isOpen = ['PENDING', 'PROCESSING', 'UNDERPAID'].includes(status)
          expect(sats('held')).toBe(isOpen ? sats('free_count') - sats('free_played') : 0n)
          if (status === 'PAID' || status === 'REFUNDED') expect(waiting).toBe(0n)
          if (status === 'PAID') expect(sats('plays')).toBe(sats('draws'))
          else expect(sats('open_plays')).toBe(0n)
        }
      }),
      { numRuns: RUNS_A_TEST, seed },
    )
  },
  300_000,
)

it('reached every status an order can have, and left PAID and came back to it', () => {
  // The scenarios are worth something only if they get around.
  for (const wanted of [
    'PAID',
    'UNDERPAID',
    'REFUNDED',
    'EXPIRED',
    'PROCESSING',
    'PAID to PROCESSING',
    'PROCESSING to PAID',
  ])
    expect([...reached]).toContain(wanted)
})

/** Notes every move of an order's status, also those inside one look. */
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

/** What the entries of one of the order's draws cost: free ones first, equal shares, the remainder to the first. */
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
