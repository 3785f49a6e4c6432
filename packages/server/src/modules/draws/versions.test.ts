import { gameByKey, STARTER } from '@fairball/domain/seeds'
import { beforeAll, describe, expect, it } from 'vitest'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { dropGames, listGames } from '../games/service.ts'
import { listVersions, openDrawsOf } from '../games/version-views.ts'
import { findViolations } from '../invariants/service.ts'
import { createOrder } from '../orders/service.ts'
import { moneyOf, openInvoice, refreshPayments } from '../payments/service.ts'
import { announceVersion, insertGame, openDraws, TooEarly } from './service.ts'

const DAY = 86_400
const seed = gameByKey('bitcoin-hero') ?? expect.fail('there is no such game')
/** A game on Mondays and Thursdays. */
const hero = { ...seed, drawTimes: seed.drawTimes.filter(({ day }) => day === 1 || day === 4) }

/** Announces another price of bitcoin-hero, from the earliest moment allowed. */
async function announcePrice({ lottery, db }: TestLottery, priceMinor: number, fromAt: number | null = null) {
  return await db.transaction((tx) =>
    announceVersion(lottery.draws, tx, {
      gameKey: 'bitcoin-hero',
      rules: { ...hero, priceMinor },
      fromAt,
      kinds: [priceMinor > hero.priceMinor ? 'price-up' : 'price-down'],
      reason: 'a test',
      actor: 'test',
    }),
  )
}

const drawsOf = (world: TestLottery) =>
  world.rows<{ number: number; version: number; price_minor: string; scheduled_at: string; stake_sats: string | null }>(
    `select number, version, price_minor, scheduled_at, stake_sats from draws where game_key = 'bitcoin-hero' order by number`,
  )

describe('a price that changes while draws are open', { timeout: 60_000 }, () => {
  let world: TestLottery
  let firstDearer = 0
  beforeAll(async () => {
    world = await testLottery({ games: [hero] })
  })

  it('a version is announced after the newest opened draw and a week ahead, never earlier', async () => {
    const [last] = (await drawsOf(world)).slice(-1)
    firstDearer = (last?.number ?? 0) + 1
    const earliestAt = Number(last?.scheduled_at) + 1
    await expect(announcePrice(world, 150, earliestAt - 1)).rejects.toEqual(
      expect.objectContaining({ name: TooEarly.name, earliestAt, afterDraw: last?.number }),
    )
    const { statementHash } = await announcePrice(world, 150)
    const { games } = world.lottery
    dropGames(games)
    const [game] = await listGames(games, null)
    const change = { version: 2, from_draw: firstDearer, from_at: earliestAt, kinds: ['price-up'] }
    expect(game?.change).toEqual({ ...change, statement: statementHash })
    expect(game?.ticket_price.fiat['GBP']?.value).toBe(1)
    const versions = await listVersions(games, 'bitcoin-hero')
    expect(versions.map(({ version, from_draw, rules }) => [version, from_draw, rules.price_minor])).toEqual([
      [2, firstDearer, 150],
      [1, 1, 100],
    ])
  })

  it('open draws sell and settle at their price, later ones at the new one, and an order over both costs the sum', async () => {
    const playerId = await world.addPlayer()
    // The days of the last draw at the old price are sold together with the first at the new one.
    await world.moveTo(world.runtime.clock.now() + 8 * DAY)
    const lines = [
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10],
    ]
    const days = [1, 4]
    const orderId = await world.buy({ playerId, gameKey: 'bitcoin-hero', lines, days, weeks: 2 })
    const [order] = await world.rows<{ due_sats: string; price_minor: string; prices: string[] }>(
      `select due_sats, price_minor, draw_prices_minor as prices from orders where id = $1`,
      [orderId],
    )
    const prices = order?.prices.map(Number) ?? []
    expect(new Set(prices)).toEqual(new Set([100, 150]))
    expect(prices).toEqual(prices.toSorted((one, other) => one - other))
    dropGames(world.lottery.games)
    const [game] = await listGames(world.lottery.games, null)
    expect(game?.change).toMatchObject({ version: 2, from_draw: firstDearer })
    const open = await openDrawsOf(world.lottery.games, 'bitcoin-hero', world.runtime.clock.now())
    expect(open.map(({ number, ticket_price }) => [number, ticket_price.fiat['GBP']?.value])).toEqual(
      open.map(({ number }) => [number, number < firstDearer ? 1 : 1.5]),
    )
    const sum = prices.reduce((total, price) => total + 2 * price, 0)
    expect([Number(order?.price_minor), Number(order?.due_sats)]).toEqual([sum, sum * 10])
    expect(await moneyOf(world.lottery.payments, orderId)).toMatchObject({ missingSats: 0n })

    await world.moveTo(world.runtime.clock.now() + 15 * DAY)
    const settled = (await drawsOf(world)).filter((draw) => Number(draw.stake_sats) > 0)
    expect(settled).toHaveLength(4)
    for (const draw of settled) {
      const isDearer = draw.number >= firstDearer
      expect([draw.version, Number(draw.price_minor), Number(draw.stake_sats)]).toEqual(
        isDearer ? [2, 150, 3000] : [1, 100, 2000],
      )
    }
    expect(await findViolations(world.db)).toEqual([])
    expect(await world.violations()).toEqual([])
  })
})

it.each([150, 60])(
  'a play that moves into a draw at %i keeps its stake, and the ledger balances',
  { timeout: 60_000 },
  async (price) => {
    const world = await testLottery({ games: [hero] })
    const { rows, runtime, lottery } = world
    await announcePrice(world, price)
    await world.moveTo(runtime.clock.now() + 10 * DAY)
    const playerId = await world.addPlayer()
    const [last] = await rows<{ day: number; closes_at: string }>(
      `select weekday as day, closes_at from draws where version = 1 order by number desc limit 1`,
    )
    await world.moveTo(Number(last?.closes_at) - 60)
    const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
    const order = { playerId, gameKey: 'bitcoin-hero', days: [last?.day ?? 0], weeks: 1, tickets, idempotencyKey: null }
    const { orderId } = await createOrder(lottery.orders, order)
    await openInvoice(lottery.payments, orderId)
    const { address, missingSats } = await moneyOf(lottery.payments, orderId)
    expect(missingSats).toBe(1000n)
    // Paid in time, and confirmed after the close.
    await world.moveTo(Number(last?.closes_at) + 30)
    await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
    await refreshPayments(lottery.payments, orderId)
    await world.moveTo(runtime.clock.now() + 5 * DAY)
    expect(
      await rows(
        `select d.price_minor::int as price, p.price_minor::int as sold_at, p.stake_sats::int as kept, d.stake_sats::int as counted, d.status
        from plays p join draws d on d.id = p.draw_id`,
      ),
    ).toEqual([{ price, sold_at: 100, kept: 1000, counted: price * 10, status: 'settled' }])
    expect(await findViolations(world.db)).toEqual([])
    expect(await world.violations()).toEqual([])
  },
)

it('two processes sell a draw at one price, even if one has read the games before they changed', async () => {
  const world = await testLottery({ games: [hero] })
  const { rows, runtime, lottery } = world
  const stale = await world.beside({})
  await announcePrice(world, 150)
  const before = await listGames(stale.games, null)
  await world.moveTo(runtime.clock.now() + 20 * DAY)
  Object.assign(stale.games.catalogue, { read: async () => before })
  const playerId = await world.addPlayer()
  const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
  const order = { playerId, gameKey: 'bitcoin-hero', days: [1], weeks: 1, tickets, idempotencyKey: null }
  for (const process of [lottery, stale]) await createOrder(process.orders, order)
  expect(await rows(`select draw_prices_minor as prices, due_sats from orders`)).toEqual([
    { prices: ['150'], due_sats: '1500' },
    { prices: ['150'], due_sats: '1500' },
  ])
})

it('a game that is new is announced, and opens its draws at once', async () => {
  const { lottery, db, rows, violations } = await testLottery({ games: [hero] })
  await db.transaction(async (tx) => {
    await insertGame(tx, STARTER, { createdAt: lottery.runtime.clock.now() })
    const about = { kinds: ['new'], reason: 'a test', actor: 'test' } as const
    await announceVersion(lottery.draws, tx, { gameKey: STARTER.key, rules: STARTER, fromAt: null, ...about })
    await openDraws(lottery.draws, tx, STARTER.key)
  })
  dropGames(lottery.games)
  const games = await listGames(lottery.games, null)
  expect(games.map(({ id, key, open_draws }) => [id, key, open_draws[0]?.number])).toEqual([
    [1, 'bitcoin-hero', 1],
    [2, 'starter', 1],
  ])
  expect(await rows(`select count(*)::int as draws from draws where game_key = 'starter'`)).toEqual([{ draws: 15 }])
  expect(await findViolations(db)).toEqual([])
  expect(await violations()).toEqual([])
})
