import { gameByKey } from '@fairball/domain/seeds'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery, type TestLottery, type TestLotteryOptions } from '../../../test/lottery.ts'
import { testRelay } from '../../../test/relays.ts'
import { gamesPlayedBy } from '../games/service.ts'
import { findViolations } from '../invariants/service.ts'
import { createOrder, movePlaysOfVoidDraw } from '../orders/service.ts'
import { moneyOf, openInvoice, refreshPayments } from '../payments/service.ts'
import { balanceOfPlayer } from '../payouts/service.ts'
import { announceVersion } from './service.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const hero = gameByKey('bitcoin-hero') ?? expect.fail('there is no such game')
const heir = { ...hero, drawTimes: hero.drawTimes.filter(({ day }) => day === 5) }
const seed = gameByKey('treasure') ?? expect.fail('there is no such game')
/** A game on Thursdays at 20:00, with three draws open: the first is a day and eight hours ahead. */
const ending = { ...seed, drawTimes: [{ day: 4 as const, minuteOfDay: 1200 }], weeksAhead: 2 }
const FIRST_AT = START_AT + DAY + 8 * HOUR
const LAST_AT = FIRST_AT + 14 * DAY
/** The wallet of the demo pays at 1,000 sats a pound. */
const SATS = 1000n

/** A lottery of two games, one of which retires into the other, or into the partners. */
async function retiringLottery(into: string, options: TestLotteryOptions = {}): Promise<TestLottery> {
  const games = into === 'partners' ? [ending] : [heir, ending]
  const world = await testLottery({ games, ...options })
  const { db, lottery } = world
  await db.transaction((tx) =>
    announceVersion(lottery.draws, tx, {
      gameKey: ending.key,
      rules: ending,
      fromAt: null,
      kinds: ['retire'],
      reason: 'a test',
      actor: 'test',
      into,
    }),
  )
  return world
}

async function hold({ db, violations }: TestLottery): Promise<void> {
  expect(await findViolations(db)).toEqual([])
  expect(await violations()).toEqual([])
}

/** Lines that cover many numbers, so that some of them win something small. */
function lines(count: number): number[][] {
  return Array.from({ length: count }, (_, line) =>
    Array.from({ length: ending.pick }, (_number, place) => ((line * 7 + place * (1 + (line % 9))) % ending.pool) + 1),
  ).filter((line) => new Set(line).size === ending.pick)
}

const stateOf = async ({ rows }: TestLottery): Promise<string | undefined> =>
  (await rows<{ state: string }>(`select state from games where key = $1`, [ending.key]))[0]?.state

const balances = async ({ rows }: TestLottery, subject: string) =>
  Object.fromEntries(
    (
      await rows<{ kind: string; sats: string }>(
        `select a.kind, sum(p.amount_sats) as sats from ledger_accounts a join postings p on p.account_id = a.id
          where a.subject = $1 group by 1 order by 1`,
        [subject],
      )
    ).map(({ kind, sats }) => [kind, BigInt(sats)]),
  )

const mailsTo = async ({ rows }: TestLottery, playerId: bigint): Promise<string[]> =>
  (await rows<{ title: string }>(`select title from messages where player_id = $1 order by id`, [playerId])).map(
    ({ title }) => title,
  )

describe('a game that retires into another', { timeout: 120_000 }, () => {
  it('its draws are played, its pools move, its free tickets are paid out, and the ledger balances', async () => {
    const world = await retiringLottery(heir.key)
    const { rows, lottery } = world
    expect(
      await rows(`select number, scheduled_at::int as at from draws where game_key = $1 order by number`, [ending.key]),
    ).toEqual([
      { number: 1, at: FIRST_AT },
      { number: 2, at: FIRST_AT + 7 * DAY },
      { number: 3, at: LAST_AT },
    ])
    const playerId = await world.addPlayer({ address: null }) // what is owed stays owed
    await world.buy({ playerId, gameKey: ending.key, lines: lines(60), days: [4], weeks: 2 })
    await world.moveTo(LAST_AT - HOUR)
    expect(await stateOf(world)).toBe('retiring')
    const other = await world.addPlayer()
    await world.buy({ playerId: other, gameKey: ending.key, lines: [[1, 2, 3, 4, 5]], days: [4] })
    // The next close of the heir comes before the job: it takes the pools itself, as the protocol demands.
    await world.moveTo(LAST_AT)
    await rows(`update jobs set run_at = $1 where kind = 'games.finish'`, [LAST_AT + 2 * DAY])
    await world.moveTo(LAST_AT + DAY)
    expect(await stateOf(world)).toBe('retiring')
    expect((await balances(world, ending.key))['prize_pool']).toBe(0n)
    await hold(world)
    await world.moveTo(LAST_AT + 3 * DAY)
    expect(await stateOf(world)).toBe('retired')
    expect(await rows(`select count(*)::int as draws from draws where game_key = $1`, [ending.key])).toEqual([
      { draws: 3 },
    ])

    const [tickets] = await rows<{ won: number; used: number; paid_out: number; sats: string }>(
      `select f.won, f.used, f.paid_out, b.sats from free_tickets f
        join payables b on b.source = 'free-tickets:' || f.game_key || ':' || f.player_id where f.player_id = $1`,
      [playerId],
    )
    expect(tickets?.won).toBeGreaterThan(0)
    expect(tickets).toMatchObject({ used: 0, paid_out: tickets?.won })
    expect(BigInt(tickets?.sats ?? 0)).toBe((BigInt(tickets?.won ?? 0) * BigInt(ending.priceMinor) * SATS) / 100n)
    expect(await mailsTo(world, playerId)).toContain('Your free tickets of Treasure are paid out')
    const owed = (await balanceOfPlayer(lottery.payouts, playerId)).waiting.items.filter(
      (item) => item.play_id === null,
    )
    expect(owed.map((item) => item.game_key)).toEqual([ending.key])

    const left = await balances(world, ending.key)
    expect(left).toMatchObject({ prize_pool: 0n, donation_pool: 0n, fee_reserve: 0n, stakes_held: 0n })
    const inherited = await rows<{ kind: string; sats: string }>(
      `select a.kind, p.amount_sats as sats from transfers t join postings p on p.transfer_id = t.id
        join ledger_accounts a on a.id = p.account_id
        where t.key = $1 and a.subject = $2 order by 1`,
      [`game.retired:${ending.key}`, heir.key],
    )
    expect(inherited.map(({ kind }) => kind)).toEqual(['donation_pool', 'fee_reserve', 'prize_pool'])
    // The next close of the heir states what came.
    const added = `%\nadded ${inherited.at(-1)?.sats}\n%`
    expect(await rows(`select from log_leaves where type = 'close' and text like $1`, [added])).toHaveLength(1)
    await hold(world)
    // It stays among the games of its players.
    expect(await gamesPlayedBy(lottery.games, playerId)).toEqual([
      { key: ending.key, name: ending.name, color: ending.accent, jackpot: null, next_draw: null, open_draws: [] },
    ])
    // A retired game sells nothing.
    const order = { playerId, gameKey: ending.key, days: [4], weeks: 1, idempotencyKey: null }
    await expect(
      createOrder(lottery.orders, { ...order, tickets: [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }] }),
    ).rejects.toMatchObject({ code: 'GAME_NOT_AVAILABLE' })
  })

  it('players of it are told at the announcement', async () => {
    const world = await testLottery({ games: [heir, ending] })
    const { db, lottery, runtime } = world
    const playerId = await world.addPlayer()
    const other = await world.addPlayer()
    await world.buy({ playerId, gameKey: ending.key, lines: [[1, 2, 3, 4, 5]], days: [4] })
    await world.buy({ playerId: other, gameKey: heir.key, lines: [[1, 2, 3, 4, 5]], days: [5] })
    const about = { gameKey: ending.key, rules: ending, fromAt: null, reason: 'a test', actor: 'test' }
    await db.transaction((tx) => announceVersion(lottery.draws, tx, { ...about, kinds: ['retire'], into: heir.key }))
    await world.moveTo(runtime.clock.now() + 1)
    expect(await mailsTo(world, playerId)).toContain('Treasure comes to an end')
    expect(await mailsTo(world, other)).not.toContain('Treasure comes to an end')
  })

  it('an order whose payment is confirmed after its last close is refunded in full', async () => {
    const world = await retiringLottery(heir.key)
    const { lottery, rows } = world
    const playerId = await world.addPlayer()
    const [last] = await rows<{ closes_at: string }>(`select closes_at from draws where game_key = $1 and number = 3`, [
      ending.key,
    ])
    const closesAt = Number(last?.closes_at)
    await world.moveTo(closesAt - 60)
    const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
    const order = { playerId, gameKey: ending.key, days: [4], weeks: 1, tickets, idempotencyKey: 'once' }
    const { orderId } = await createOrder(lottery.orders, order)
    await openInvoice(lottery.payments, orderId)
    const { address, missingSats } = await moneyOf(lottery.payments, orderId)
    await world.moveTo(closesAt + 30)
    await lottery.chain.payIn({ address: address ?? '', sats: missingSats, minedConfirmations: 1 })
    await refreshPayments(lottery.payments, orderId)
    await world.moveTo(LAST_AT + DAY)
    expect(
      await rows(`select status, (select sats from refunds where order_id = id) as sats from orders where id = $1`, [
        orderId,
      ]),
    ).toEqual([{ status: 'REFUNDED', sats: String(missingSats) }])
    expect(await stateOf(world)).toBe('retired')
    // The same request again is about the same order; another one is refused.
    expect(await createOrder(lottery.orders, order)).toMatchObject({ orderId, made: null })
    await expect(createOrder(lottery.orders, { ...order, idempotencyKey: 'twice' })).rejects.toMatchObject({
      code: 'GAME_NOT_AVAILABLE',
    })
    await hold(world)
  })

  it('a last draw that is void gives back the stakes and free tickets of its plays', async () => {
    const relay = testRelay(START_AT - DAY)
    const world = await retiringLottery(heir.key, {
      fetch: relay.fetch,
      beacon: { current: 'drand', relays: relay.relays, chain: relay.chain },
    })
    const { runtime, rows } = world
    relay.now = runtime.clock.now
    const playerId = await world.addPlayer()
    await world.moveTo(FIRST_AT + DAY)
    await world.buy({ playerId, gameKey: ending.key, lines: lines(3), days: [4], weeks: 2 })
    await world.moveTo(LAST_AT - HOUR)
    relay.withholds = () => true
    await world.moveTo(LAST_AT + 2)
    for (const seconds of [7 * DAY, 61, 7 * DAY, 61]) {
      runtime.clock.set(runtime.clock.now() + seconds)
      await world.restart()
      await world.lottery.queue.runDue()
    }
    relay.withholds = () => false
    await world.moveTo(runtime.clock.now() + DAY)
    expect(await rows(`select status from draws where game_key = $1 and number = 3`, [ending.key])).toEqual([
      { status: 'void' },
    ])
    const [returned] = await rows<{ sats: string; due: string }>(
      `select b.sats, o.due_sats as due from payables b join plays p on b.source = 'play:' || p.id join orders o on o.id = p.order_id`,
    )
    expect(BigInt(returned?.sats ?? 0) * 2n).toBe(BigInt(returned?.due ?? 0))
    expect(await mailsTo(world, playerId)).toContain('Draw 3 of Treasure was not held')
    expect(await stateOf(world)).toBe('retired')
    await hold(world)
  })
})

it('plays of a game that goes on wait for a draw, and get nothing back, while none is open', async () => {
  const world = await testLottery({ games: [ending] })
  const playerId = await world.addPlayer()
  await world.buy({ playerId, gameKey: ending.key, lines: lines(1), days: [4] })
  await world.rows(`update draws set status = 'void' where number > 1`)
  const [draw] = await world.rows<{ id: string }>(`select id from draws where number = 1`)
  const voided = { id: BigInt(draw?.id ?? 0), number: 1, gameKey: ending.key, wasClosed: false }
  await expect(world.db.transaction((tx) => movePlaysOfVoidDraw(world.lottery.orders, tx, voided))).rejects.toThrow(
    'no open draw is left',
  )
})

it('the last game retires into the partners, who get equal parts of its pools', { timeout: 60_000 }, async () => {
  const address = 'bcrt1q0ht9tyks4vh7p5p904t340cr9nvahy7um9zdem'
  const partners = ['one', 'two'].map((id) => ({ id, name: id, url: `https://${id}.example`, address }))
  const world = await retiringLottery('partners', { partners })
  const playerId = await world.addPlayer()
  await world.buy({ playerId, gameKey: ending.key, lines: lines(9), days: [4], weeks: 2 })
  await world.moveTo(LAST_AT + DAY)
  expect(await stateOf(world)).toBe('retired')
  const shares = await world.rows<{ partner_id: string; sats: string }>(
    `select partner_id, sats from payables where source like 'retired:%' order by partner_id`,
  )
  expect(shares.map(({ partner_id }) => partner_id)).toEqual(['one', 'two'])
  const [one = 0n, two = 0n] = shares.map(({ sats }) => BigInt(sats))
  expect(two).toBeGreaterThan(0n)
  expect(one - two === 0n || one - two === 1n).toBe(true)
  await hold(world)
})
