import { LotteryError } from '@fairball/domain/errors'
import { GAMES } from '@fairball/domain/seeds'
import { describe, expect, it } from 'vitest'
import { type TestLottery, testLottery } from '../../../test/lottery.ts'
import { createOrder } from './service.ts'

const HERO = 'bitcoin-hero'
const TREASURE = 'treasure'
/** As in the database: a line is the sum of its numbers' bits. */
const maskOf = (numbers: readonly number[]): string =>
  String(numbers.reduce((sum, one) => sum + 2n ** BigInt(one - 1), 0n))

function requestOf(playerId: bigint, lines: readonly number[][], gameKey: string = HERO) {
  const tickets = lines.map((numbers) => ({ numbers, isLuckyDip: false }))
  return { playerId, gameKey, days: gameKey === HERO ? [3] : [2], weeks: 1, tickets, idempotencyKey: null }
}

async function addPlayers({ addPlayer }: TestLottery, count: number): Promise<bigint[]> {
  const players: bigint[] = []
  for (let added = 0; added < count; added += 1) players.push(await addPlayer())
  return players
}

async function transactions({ rows }: TestLottery): Promise<number> {
  const [found] = await rows<{ made: number }>('select count(distinct xmin::text)::int as made from orders')
  return found?.made ?? 0
}

describe('orders that are made at the same moment', () => {
  it('share a transaction; each has its own lines, price and free tickets', async () => {
    const test = await testLottery()
    const { lottery, rows, addPlayer, violations } = test
    const wanted = []
    for (let place = 1; place <= 8; place += 1) {
      const lines = Array.from({ length: place }, (_, line) => [place, 10 + line, 21, 22, 23])
      // The fourth needs no money, and the others have less than they want, or none.
      const free = place === 4 ? place : place % 3
      wanted.push({ playerId: await addPlayer(), lines, free })
    }
    for (const { playerId, free } of wanted)
      if (free > 0)
        await rows('insert into free_tickets (player_id, game_key, won) values ($1, $2, $3)', [playerId, HERO, free])
    await createOrder(lottery.orders, requestOf(await addPlayer(), [[1, 2, 3, 4, 5]]))

    const made = await Promise.allSettled(
      wanted.map(({ playerId, lines }) => createOrder(lottery.orders, requestOf(playerId, lines))),
    )
    for (const [place, { playerId, lines, free }] of wanted.entries()) {
      const one = made[place]
      expect(one).toMatchObject({ status: 'fulfilled', value: { made: { playerId, lineCount: lines.length } } })
      const found = await rows(
        `select o.player_id, o.free_count, o.status, l.masks, (select count(*)::int from plays p where p.order_id = o.id) as plays,
           (select held + used from free_tickets f where f.player_id = o.player_id) as taken
         from orders o join order_lines l on l.order_id = o.id where o.id = $1`,
        [one?.status === 'fulfilled' ? one.value.orderId : null],
      )
      const isFree = free === lines.length
      expect(found).toEqual([
        {
          player_id: String(playerId),
          free_count: free,
          status: isFree ? 'PAID' : 'PENDING',
          masks: lines.map(maskOf),
          plays: isFree ? 1 : 0,
          taken: free === 0 ? null : free,
        },
      ])
    }
    expect(await transactions(test)).toBe(2)
    expect(await violations()).toEqual([])
  })

  it('are made although one of them is refused, and only that player hears why', async () => {
    const test = await testLottery()
    const { lottery, addPlayer, rows } = test
    await createOrder(lottery.orders, requestOf(await addPlayer(), [[1, 2, 3, 4, 5]]))
    const players = await addPlayers(test, 6)
    const refused = players[3]
    const lines = (playerId: bigint) => Array.from({ length: playerId === refused ? 11 : 1 }, () => [1, 2, 3, 4, 5])
    const made = await Promise.allSettled(
      players.map((playerId) => createOrder(lottery.orders, requestOf(playerId, lines(playerId)))),
    )
    expect(made.map(({ status }) => status === 'fulfilled')).toEqual(players.map((playerId) => playerId !== refused))
    expect(made[3]).toMatchObject({ reason: { code: 'LIMIT_REACHED', reason: 'EQUAL_LINES' } })
    expect(await transactions(test)).toBe(2)
    expect(await rows('select from orders where player_id = $1', [refused])).toEqual([])
  })

  it('are made beside one of a player who may not play, although free tickets wait for the order', async () => {
    const test = await testLottery()
    const { lottery, addPlayer, rows } = test
    await createOrder(lottery.orders, requestOf(await addPlayer(), [[1, 2, 3, 4, 5]]))
    const players = await addPlayers(test, 6)
    const refused = players[3]
    await rows('insert into free_tickets (player_id, game_key, won) values ($1, $2, 3)', [refused, HERO])
    const prices: bigint[] = []
    const orders = {
      ...lottery.orders,
      async checkMayPlay(_: unknown, playerId: bigint, priceMinor: bigint) {
        if (playerId !== refused) return
        prices.push(priceMinor)
        throw new LotteryError('SELF_EXCLUDED')
      },
    }
    const made = await Promise.allSettled(
      players.map((playerId) => createOrder(orders, requestOf(playerId, [[1, 2, 3, 4, 5]]))),
    )
    expect(made.map(({ status }) => status === 'fulfilled')).toEqual(players.map((playerId) => playerId !== refused))
    expect(made[3]).toMatchObject({ reason: { code: 'SELF_EXCLUDED' } })
    expect(prices).toEqual([0n])
    expect(await transactions(test)).toBe(2)
    expect(await rows('select held from free_tickets')).toEqual([{ held: 0 }])
  })

  it('are apart from the first order of a game, which takes its part of the bankroll for it', async () => {
    const test = await testLottery({ games: GAMES })
    const { lottery, addPlayer } = test
    await createOrder(lottery.orders, requestOf(await addPlayer(), [[1, 2, 3, 4, 5]]))
    const wanted = [HERO, HERO, HERO, TREASURE, HERO]
    const players = await addPlayers(test, wanted.length)
    const made = await Promise.allSettled(
      wanted.map((gameKey, place) =>
        createOrder(lottery.orders, requestOf(players[place] ?? 0n, [[1, 2, 3, 4, 5]], gameKey)),
      ),
    )
    expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
    const [shared] = await test.rows(
      `select count(*)::int as orders, array_agg(distinct game_key) as games from orders group by xmin::text order by 1 desc limit 1`,
    )
    expect(shared).toEqual({ orders: 4, games: [HERO] })
  })
})
