import { GAMES } from '@fairball/domain/seeds'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { holdAllCommitments } from '../draws/queries.ts'
import { createOrder } from './making.ts'
import { quoteOrder } from './quoting.ts'

const DAY_SECONDS = 86_400
const HERO = 'bitcoin-hero'
const LINE = [1, 2, 3, 4, 5]

/** An order of one line on some days of a game. */
function wantedOf(gameKey: string, days: readonly number[], lines: readonly number[][] = []) {
  const pick = GAMES.find(({ key }) => key === gameKey)?.pick ?? 0
  const tickets = lines.length > 0 ? lines : [Array.from({ length: pick }, (_, place) => place + 1)]
  return { gameKey, days, weeks: 1, tickets: tickets.map((numbers) => ({ numbers, isLuckyDip: false })) }
}

/** The draws that an order got, by start. */
async function drawsOf({ rows }: TestLottery, orderId: string): Promise<number[]> {
  const found = await rows<{ number: number }>(
    `select d.number from orders o join draws d on d.id = any(o.draw_ids) where o.id = $1 order by d.start_at`,
    [orderId],
  )
  return found.map(({ number }) => number)
}

/** For each game: the draws quoted for all its days, and those of the order made next. */
async function quotedAndMade(test: TestLottery) {
  const { lottery } = test
  const playerId = await test.addPlayer()
  const [quoted, made]: [Record<string, number[]>, Record<string, number[]>] = [{}, {}]
  for (const { key, drawTimes } of GAMES) {
    const wanted = wantedOf(key, [...new Set(drawTimes.map(({ day }) => day))])
    quoted[key] = (await quoteOrder(lottery.orders, wanted, playerId)).draws.map(({ number }) => number)
    const { orderId } = await createOrder(lottery.orders, { ...wanted, playerId, idempotencyKey: null })
    made[key] = await drawsOf(test, orderId)
  }
  return { quoted, made }
}

describe('a quote', () => {
  it('a quote commits no game, so it waits for no order that does', async () => {
    const { db, lottery } = await testLottery()
    await db.transaction(async (tx) => {
      await tx.run(holdAllCommitments, [])
      expect(await quoteOrder(lottery.orders, wantedOf(HERO, [3]), null)).toMatchObject({ entries: 1 })
    })
  })

  it('the draws quoted are those of the order: at 00:01, in the closing window, and after a postponed draw', async () => {
    const test = await testLottery({ games: GAMES })
    const midnight = Math.ceil(START_AT / DAY_SECONDS) * DAY_SECONDS
    await test.moveTo(midnight + 60)
    const atMidnight = await quotedAndMade(test)
    expect(atMidnight.quoted).toEqual(atMidnight.made)

    const [draw] = await test.rows<{ closes_at: string }>(
      `select closes_at from draws where game_key = $1 and status = 'open' and closes_at > $2 order by start_at limit 1`,
      [HERO, midnight + 60],
    )
    await test.moveTo(Number(draw?.closes_at) + 30)
    const whileClosing = await quotedAndMade(test)
    expect(whileClosing.quoted).toEqual(whileClosing.made)
    expect(whileClosing.quoted[HERO]?.[0]).not.toBe(atMidnight.quoted[HERO]?.[0])

    // No server closes the next draw in time, which has a play: it is put off.
    await test.buy({ playerId: await test.addPlayer(), gameKey: HERO, lines: [LINE], days: [1, 2, 3, 4, 5, 6, 7] })
    test.runtime.clock.set(Number(draw?.closes_at) + DAY_SECONDS + 1_300)
    await test.lottery.queue.runDue()
    expect(await test.rows(`select from draws where postponed > 0`)).not.toHaveLength(0)
    const afterwards = await quotedAndMade(test)
    expect(afterwards.quoted).toEqual(afterwards.made)
  })

  it('a quote uses the player’s free tickets and holds none; a visitor pays for every line', async () => {
    const { lottery, addPlayer, rows } = await testLottery()
    const playerId = await addPlayer()
    await rows(`insert into free_tickets (player_id, game_key, won) values ($1, $2, 3)`, [playerId, HERO])
    const wanted = wantedOf(HERO, [3, 4], [LINE, LINE])
    expect(await quoteOrder(lottery.orders, wanted, playerId)).toMatchObject({
      entries: 4,
      freeTicketsUsed: 3,
      dueSats: 1_000n,
    })
    expect(await quoteOrder(lottery.orders, wanted, null)).toMatchObject({ freeTicketsUsed: 0, dueSats: 4_000n })
    expect(await rows(`select held from free_tickets`)).toEqual([{ held: 0 }])
    expect(await rows(`select from orders`)).toHaveLength(0)
  })

  it('a quote is refused as its order would be', async () => {
    const { lottery, addPlayer } = await testLottery()
    const playerId = await addPlayer()
    const eleven = wantedOf(
      HERO,
      [3],
      Array.from({ length: 11 }, () => LINE),
    )
    await expect(quoteOrder(lottery.orders, eleven, playerId)).rejects.toMatchObject({ reason: 'EQUAL_LINES' })
    await expect(quoteOrder(lottery.orders, wantedOf('no-game', [3], [LINE]), null)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const tooManyWeeks = { ...wantedOf(HERO, [3], [LINE]), weeks: 99 }
    await expect(quoteOrder(lottery.orders, tooManyWeeks, null)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' })
    const wrongLine = wantedOf(HERO, [3], [[1, 2, 3, 4, 99]])
    await expect(quoteOrder(lottery.orders, wrongLine, null)).rejects.toMatchObject({
      fields: { 'tickets.0.numbers': expect.any(String) },
    })
  })
})
