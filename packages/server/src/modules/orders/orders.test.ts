import { describe, expect, it, vi } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { closeDraw } from '../draws/service.ts'
import { moneyOf, openInvoice, paymentOf, refreshPayments, statusOf } from '../payments/service.ts'
import { lockPlayer } from './queries.ts'
import { createOrder } from './service.ts'

const LINE = [1, 2, 3, 4, 5]
const OTHER_LINE = [6, 7, 8, 9, 10]
const FIRST_START_AT = START_AT + 15 * 60

/** As many lines as the game allows one player in a draw, all different. */
const LINES = Array.from({ length: 1000 }, (_, place) => [
  1 + (place % 10),
  11 + (Math.floor(place / 10) % 10),
  21 + Math.floor(place / 100),
  31,
  32,
])

function request(playerId: bigint, lines: number[][], idempotencyKey: string | null = null) {
  return {
    playerId,
    gameKey: 'bitcoin-hero',
    days: [3],
    weeks: 1,
    tickets: lines.map((numbers) => ({ numbers, isLuckyDip: false })),
    idempotencyKey,
  }
}

describe('orders made at the same moment', () => {
  it('orders with the same idempotency key are one order', async () => {
    const { lottery, addPlayer, rows } = await testLottery()
    const playerId = await addPlayer()
    const made = await Promise.all(
      Array.from({ length: 8 }, () => createOrder(lottery.orders, request(playerId, [LINE], 'same'))),
    )
    expect(new Set(made.map((order) => order.orderId)).size).toBe(1)
    expect(await rows(`select from orders`)).toHaveLength(1)
  })

  it('orders with the same secret are one order: it makes the ids of plays, and is never used twice', async () => {
    const { lottery, addPlayer, rows } = await testLottery()
    const [one, other] = [await addPlayer(), await addPlayer()]
    const secret = new Uint8Array(32).fill(1)
    const made = await Promise.allSettled(
      [one, other, one].map((playerId) => createOrder(lottery.orders, { ...request(playerId, [LINE]), secret })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(createOrder(lottery.orders, { ...request(other, [LINE]), secret })).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      fields: { secret: 'Was used for another order.' },
    })
    expect(await rows(`select from orders`)).toHaveLength(1)
  })

  it('concurrent orders spend each free ticket once', async () => {
    const { lottery, addPlayer, rows, violations } = await testLottery()
    const playerId = await addPlayer()
    await rows(`insert into free_tickets (player_id, game_key, won) values ($1, 'bitcoin-hero', 3)`, [playerId])
    const made = await Promise.all(
      [2, 2, 2].map((count) =>
        createOrder(
          lottery.orders,
          request(
            playerId,
            Array.from({ length: count }, () => LINE),
          ),
        ),
      ),
    )
    expect(made.filter((order) => order.made?.dueSats === 0n)).toHaveLength(1)
    // The one that they cover is paid at once; the two others wait for money.
    expect(await rows(`select due_sats = 0 as "isFree", status from orders order by due_sats`)).toEqual([
      { isFree: true, status: 'PAID' },
      { isFree: false, status: 'PENDING' },
      { isFree: false, status: 'PENDING' },
    ])
    const [tickets] = await rows(`select won, used, held from free_tickets`)
    expect(tickets).toEqual({ won: 3, used: 2, held: 1 })
    expect(await violations()).toEqual([])
  })

  it('concurrent orders stay within ten equal lines in one draw', async () => {
    const { lottery, addPlayer } = await testLottery()
    const playerId = await addPlayer()
    const five = Array.from({ length: 5 }, () => LINE)
    const made = await Promise.allSettled(
      Array.from({ length: 4 }, () => createOrder(lottery.orders, request(playerId, five))),
    )
    expect(made.filter((order) => order.status === 'fulfilled')).toHaveLength(2)
    for (const order of made)
      if (order.status === 'rejected')
        expect(order.reason).toMatchObject({ code: 'LIMIT_REACHED', reason: 'EQUAL_LINES' })
  })
})

it('an order is refused with the name of its limit: lines in a draw, and unpaid orders', async () => {
  const { lottery, addPlayer } = await testLottery()
  const place = (playerId: bigint, lines: number[][]) => createOrder(lottery.orders, request(playerId, lines))
  const [many, often] = [await addPlayer(), await addPlayer()]
  await place(many, LINES)
  const oneMore = place(many, [[32, 33, 34, 35, 36]])
  await expect(oneMore).rejects.toMatchObject({ code: 'LIMIT_REACHED', reason: 'GAME_LINES' })
  for (const line of LINES.slice(0, 40)) await place(often, [line])
  await expect(place(often, [LINE])).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', reason: 'OPEN_ORDERS' })
})

describe('an order and its draw', () => {
  it('an order that waited for another one of its player is for no draw that closed meanwhile', async () => {
    const { lottery, db, runtime, rows, addPlayer } = await testLottery()
    const playerId = await addPlayer()
    const first = await createOrder(lottery.orders, request(playerId, [LINE]))
    const drawOf = async (orderId: string) => (await paymentOf(lottery.payments, orderId, playerId)).order.draws[0]
    const draw = await drawOf(first.orderId)
    const waiting = await db.transaction(async (tx) => {
      await tx.one(lockPlayer, [playerId])
      const second = createOrder(lottery.orders, request(playerId, [LINE]))
      await vi.waitFor(async () =>
        expect(
          await rows(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
        ).toHaveLength(1),
      )
      runtime.clock.set(FIRST_START_AT)
      return { second }
    })
    const second = await drawOf((await waiting.second).orderId)
    expect(second?.number).toBeGreaterThan(draw?.number ?? 0)
  })

  it('an order becomes PAID once, however many workers see its payment at the same moment', async () => {
    const { lottery, addPlayer, rows, violations } = await testLottery()
    const playerId = await addPlayer()
    const { orderId } = await createOrder(lottery.orders, request(playerId, [LINE, OTHER_LINE]))
    await openInvoice(lottery.payments, orderId)
    const { address, missingSats } = await moneyOf(lottery.payments, orderId)
    await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
    await Promise.all(Array.from({ length: 6 }, () => refreshPayments(lottery.payments, orderId)))
    expect(await rows(`select from plays`)).toHaveLength(1)
    expect(await rows(`select from transfers where event = 'order.paid'`)).toHaveLength(1)
    expect(await violations()).toEqual([])
  })

  it('an order moves to the next draw if its draw closed before the payment was confirmed, and the player is told', async () => {
    const { lottery, addPlayer, rows, moveTo, runtime, violations } = await testLottery()
    const playerId = await addPlayer()
    await moveTo(FIRST_START_AT - 301)
    const { orderId } = await createOrder(lottery.orders, request(playerId, [LINE]))
    await openInvoice(lottery.payments, orderId)
    const { address, missingSats } = await moneyOf(lottery.payments, orderId)
    await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 0 })
    await refreshPayments(lottery.payments, orderId)
    expect(await statusOf(lottery.payments, orderId, playerId)).toBe('PROCESSING')
    await moveTo(runtime.clock.now() + 700) // a block has come, and the draw has closed
    expect(await statusOf(lottery.payments, orderId, playerId)).toBe('PAID')
    const [play] = await rows<{ number: number; stake_sats: string; moved: boolean }>(
      `select d.number, p.stake_sats, p.moved_from_draw_id is not null as moved from plays p join draws d on d.id = p.draw_id`,
    )
    expect(play).toEqual({ number: 2, stake_sats: '1000', moved: true })
    const titles = await rows<{ title: string }>(`select title from messages where player_id = $1`, [playerId])
    expect(titles.map((row) => row.title)).toContain('Your Bitcoin Hero lines moved to a later draw')
    expect(await violations()).toEqual([])
  })

  it('two workers at the same time close, draw and settle a draw once', async () => {
    const { lottery, addPlayer, buy, rows, runtime, violations } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: [LINE, OTHER_LINE], days: [3] })
    for (const at of [FIRST_START_AT - 300, FIRST_START_AT + 3, FIRST_START_AT + 101]) {
      runtime.clock.set(at)
      await Promise.all(Array.from({ length: 4 }, () => lottery.queue.runDue()))
    }
    const [draw] = await rows(`select status, entries from draws where game_key = 'bitcoin-hero' and number = 1`)
    expect(draw).toEqual({ status: 'settled', entries: 2 })
    for (const type of ['close', 'result']) {
      expect(await rows(`select from log_leaves where type = $1`, [type])).toHaveLength(1)
    }
    expect(await violations()).toEqual([])
  })

  it('an order in a void draw moves with its stake, and its money is in the next draw’s pot', async () => {
    const { db, lottery, addPlayer, buy, rows, runtime, moveTo, violations } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: [LINE], days: [3] })
    // Three times the server is down from before the close until after the round.
    for (let time = 0; time < 3; time += 1) {
      await rows(`update jobs set run_at = run_at + 100000 where kind = 'draws.close' and key = 'draws.close:' || (
        select id from draws where game_key = 'bitcoin-hero' and number = 1)`)
      const [draw] = await rows<{ start_at: string }>(
        `select start_at from draws where game_key = 'bitcoin-hero' and number = 1`,
      )
      runtime.clock.set(Number(draw?.start_at) + 10)
      const [first] = await rows<{ id: string }>(`select id from draws where game_key = 'bitcoin-hero' and number = 1`)
      await db.transaction((tx) => closeDraw(lottery.draws, tx, BigInt(first?.id ?? 0)))
    }
    const [draw] = await rows(`select status, postponed from draws where game_key = 'bitcoin-hero' and number = 1`)
    expect(draw).toEqual({ status: 'void', postponed: 2 })
    const [play] = await rows(
      `select d.number, p.stake_sats from plays p join draws d on d.id = p.draw_id where p.player_id = $1`,
      [playerId],
    )
    expect(play).toEqual({ number: 2, stake_sats: '1000' })
    await moveTo(runtime.clock.now() + 86_400)
    const [second] = await rows(`select status, pot_sats from draws where game_key = 'bitcoin-hero' and number = 2`)
    expect(second).toEqual({ status: 'settled', pot_sats: '800' })
    expect(await violations()).toEqual([])
  })

  it('an order paid after it expired is held to the limits of a new one', async () => {
    const { lottery, addPlayer, runtime, moveTo, violations } = await testLottery()
    const playerId = await addPlayer()
    const ten = Array.from({ length: 10 }, () => LINE)
    const orders: string[] = []
    // Thursday's draw: Wednesday's first one closes before the orders are paid.
    for (let count = 0; count < 2; count += 1) {
      const { orderId } = await createOrder(lottery.orders, { ...request(playerId, ten), days: [4] })
      await openInvoice(lottery.payments, orderId)
      orders.push(orderId)
      await moveTo(runtime.clock.now() + 901)
    }
    for (const orderId of orders) {
      const { address, missingSats } = await moneyOf(lottery.payments, orderId)
      await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
      await refreshPayments(lottery.payments, orderId)
    }
    const statuses = await Promise.all(orders.map((orderId) => statusOf(lottery.payments, orderId, playerId)))
    expect(statuses).toEqual(['PAID', 'REFUNDED'])
    expect(await violations()).toEqual([])
  })

  it('of two late payments at the same moment, one spends no free ticket and no limit that the other has taken', async () => {
    const { lottery, addPlayer, rows, runtime, moveTo, violations } = await testLottery()
    const lines = (count: number) => Array.from({ length: count }, () => LINE)
    // Both need the same two free tickets. The other player's orders have six of ten equal lines in one draw each.
    const [withTickets, withLines] = [await addPlayer(), await addPlayer()]
    const expired = async (playerId: bigint, count: number): Promise<string> => {
      const { orderId } = await createOrder(lottery.orders, { ...request(playerId, lines(count)), days: [4] })
      await openInvoice(lottery.payments, orderId)
      await moveTo(runtime.clock.now() + 901)
      return orderId
    }
    await rows(`insert into free_tickets (player_id, game_key, won) values ($1, 'bitcoin-hero', 2)`, [withTickets])
    const pairs = [
      [await expired(withTickets, 3), await expired(withTickets, 3)],
      [await expired(withLines, 6), await expired(withLines, 6)],
    ]
    for (const pair of pairs) {
      for (const orderId of pair) {
        const { address, missingSats } = await moneyOf(lottery.payments, orderId)
        await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
      }
      const statuses = await Promise.all(
        [...pair, ...pair].map((orderId) => refreshPayments(lottery.payments, orderId)),
      )
      expect(new Set(statuses)).toEqual(new Set(['PAID', 'REFUNDED']))
    }
    const most = await rows(`select sum(line_count)::int as lines from plays group by player_id order by 1`)
    expect(most).toEqual([{ lines: 3 }, { lines: 6 }])
    expect(await rows(`select used, held from free_tickets`)).toEqual([{ used: 2, held: 0 }])
    expect(await violations()).toEqual([])
  })
})
