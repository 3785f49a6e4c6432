import { calls } from '@fairball/contract/calls'
import type { Game } from '@fairball/contract/schemas/game'
import { CURRENCIES } from '@fairball/domain/fiat'
import { gameByKey, GAMES } from '@fairball/domain/seeds'
import { estimatedJackpot } from '@fairball/domain/jackpot'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NOON, openReadSide, type ReadSide } from '../../../test/read-side.ts'
import { bankroll, prizePool, suspense, wallet } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'

let side: ReadSide
beforeAll(async () => {
  side = await openReadSide()
})
beforeEach(() => side.reset())
afterAll(() => side.close())

/** Further draws of bitcoin-lotto, by number and days from now: two Wednesdays. */
const LOTTO_DAYS = [
  [2, 5],
  [3, 12],
] as const

/** A draw of every game, each a day ahead. */
async function openEveryGame(): Promise<void> {
  for (const game of GAMES) await side.rows.draw({ gameKey: game.key, number: 1, startAt: NOON + 86_400 })
}

/** Gives the operator's bankroll and a game's pool some money. */
async function fund(gameKey: string, poolSats: bigint, bankrollSats = 10_000_000_000n): Promise<void> {
  await side.db.transaction(async (tx) => {
    await postTransfer(tx, {
      event: 'test.funded',
      subject: gameKey,
      at: NOON,
      moves: [
        { from: wallet, to: suspense, sats: poolSats + bankrollSats },
        { from: suspense, to: prizePool(gameKey), sats: poolSats },
        { from: suspense, to: bankroll, sats: bankrollSats },
      ],
    })
  })
}

async function games(playerId?: bigint): Promise<Game[]> {
  return (await side.get('/games', playerId)).json<Game[]>()
}

async function gameOf(key: string, playerId?: bigint): Promise<Game> {
  const found = (await games(playerId)).find((game) => game.key === key)
  if (found === undefined) throw new Error(`${key} is not listed`)
  return found
}

describe('the list of games', () => {
  it('the list has every game in the order of the catalogue with its rules', async () => {
    await openEveryGame()
    for (const [number, days] of LOTTO_DAYS)
      await side.rows.draw({ gameKey: 'bitcoin-lotto', number, startAt: NOON + days * 86_400 })
    const list = await games()
    expect(list.map((game) => game.key)).toEqual(GAMES.map((game) => game.key))
    expect(list[0]).toMatchObject({
      id: 1,
      key: 'bitcoin-lotto',
      name: 'Bitcoin Lotto',
      sets: [{ n: 6, N: 49 }],
      pattern: 'solid',
      currency: 'GBP',
      split: { prize_pool: 80, donation: 5, fee: 15 },
      change: null,
      sales_note: null,
      tickets_won: 0,
      advanced_ticket_purchase: {
        days: [
          { day: 3, time_delta_midnight_utc: 72_000, max_weeks: 2 },
          { day: 6, time_delta_midnight_utc: 72_000, max_weeks: 1 },
        ],
        max_weeks_ahead: 4,
      },
      next_draw: {
        number: 1,
        start_at: NOON + 86_400,
        end_at: NOON + 86_400 + 180,
        ticket_sell_closes_at: NOON + 86_400 - 600,
      },
    })
  })

  it('the list shows prices and fixed prizes exactly in pounds and through the rate in every other currency', async () => {
    await openEveryGame()
    const lotto = await gameOf('bitcoin-lotto')
    expect(lotto.ticket_price.fiat['GBP']).toEqual({ value: 2, symbol: '£', position_of_symbol: 'LEFT' })
    expect(lotto.ticket_price.fiat['EUR']?.value).toBe(2.3) // 2.00 × 1000 / 870 = 2.2988…
    const prizes = lotto.prizes.map((row) => [row.matches, row.prize.fiat['GBP']?.value])
    expect(prizes).toEqual([
      [[6], 'Jackpot'],
      [[5], 5000],
      [[4], 100],
      [[3], 10],
      [[2], 'Free ticket'],
    ])
    const codes = CURRENCIES.map((currency) => currency.code)
    expect(Object.keys(lotto.ticket_price.fiat)).toEqual(codes)
    expect(Object.keys(lotto.jackpot.fiat)).toEqual(codes)
    for (const row of lotto.prizes) expect(Object.keys(row.prize.fiat)).toEqual(codes)
  })

  it('the list stays on a draw until ten minutes after its end', async () => {
    await openEveryGame()
    await side.rows.draw({ gameKey: 'bitcoin-hero', number: 2, startAt: NOON + 2 * 86_400 })
    const endAt = (await gameOf('bitcoin-hero')).next_draw.end_at
    side.runtime.clock.set(endAt + 599)
    expect((await gameOf('bitcoin-hero')).next_draw.number).toBe(1)
    side.runtime.clock.set(endAt + 601)
    expect((await gameOf('bitcoin-hero')).next_draw.number).toBe(2)
  })

  it('the list names the draws that an order made now counts for, whatever draw is shown', async () => {
    const startAt = NOON + 86_400
    for (const number of [1, 2, 3])
      await side.rows.draw({ gameKey: 'bitcoin-hero', number, startAt: startAt + (number - 1) * 86_400 })
    const numbersAt = async (at: number) => {
      side.runtime.clock.set(at)
      const { next_draw, open_draws } = await gameOf('bitcoin-hero')
      return [next_draw.number, ...open_draws.map((draw) => draw.number)]
    }
    const { ticket_sell_closes_at: closesAt } = (await gameOf('bitcoin-hero')).next_draw
    expect(await numbersAt(closesAt - 1)).toEqual([1, 1, 2])
    // The job that closes the sales has not run; still nothing is sold any more.
    expect(await numbersAt(closesAt)).toEqual([1, 2, 3])
    expect(await numbersAt(startAt - 180)).toEqual([1, 2, 3])
    expect(await numbersAt(startAt + 1)).toEqual([1, 2, 3])
    expect(await numbersAt(startAt + 540)).toEqual([1, 2, 3])
  })

  it('the list says when the newest finished draw was', async () => {
    await openEveryGame()
    for (const [number, days] of [
      [11, 9],
      [12, 2],
    ] as const)
      await side.rows.draw({ gameKey: 'treasure', number, startAt: NOON - days * 86_400, status: 'settled' })
    await side.rows.draw({ gameKey: 'treasure', number: 13, startAt: NOON - 86_400, status: 'void' })
    expect((await gameOf('treasure')).last_draw_at).toBe(NOON - 2 * 86_400)
    expect((await gameOf('bitcoin-hero')).last_draw_at).toBeNull()
  })

  it('the list never names a void draw as the next one', async () => {
    await side.rows.draw({ gameKey: 'treasure', number: 1, startAt: NOON + 600, status: 'void' })
    await side.rows.draw({ gameKey: 'treasure', number: 2, startAt: NOON + 86_400 })
    expect((await gameOf('treasure')).next_draw.number).toBe(2)
  })

  it('the list leaves out a game without any opened draw', async () => {
    await side.rows.draw({ gameKey: 'treasure', number: 1, startAt: NOON + 600 })
    expect((await games()).map((game) => game.key)).toEqual(['treasure'])
  })

  it('the list counts the free tickets a player can still use, and none for a visitor', async () => {
    await openEveryGame()
    const playerId = await side.rows.player()
    await side.rows.freeTickets(playerId, 'treasure', { won: 7, used: 2, held: 1 })
    expect((await gameOf('treasure', playerId)).tickets_won).toBe(4)
    expect((await gameOf('bitcoin-hero', playerId)).tickets_won).toBe(0)
    expect((await gameOf('treasure')).tickets_won).toBe(0)
  })

  it('the list is 401 with an invalid bearer token', async () => {
    await openEveryGame()
    const answer = await side.app.inject({ url: '/api/v1/games', headers: { authorization: 'Bearer nobody' } })
    expect(answer.statusCode).toBe(401)
  })

  it('the list is RATE_UNAVAILABLE before the first rate was read', async () => {
    await openEveryGame()
    side.runtime.clock.set(NOON + 1)
    await side.forgetRates()
    const answer = await side.get('/games')
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      503,
      'RATE_UNAVAILABLE',
    ])
  })

  it('the list may be cached for a second by caches that visitors share, and is not sent again to a client that has it', async () => {
    await openEveryGame()
    const first = await side.get('/games')
    expect(first.headers['cache-control']).toBe('public, max-age=0, s-maxage=1')
    const etag = String(first.headers['etag'])
    const again = await side.app.inject({ url: '/api/v1/games', headers: { 'if-none-match': `"older", ${etag}` } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const playerId = await side.rows.player()
    expect((await side.get('/games', playerId)).headers['cache-control']).toBe('no-store')
  })
})

describe('the advertised jackpot', () => {
  const game = gameByKey('treasure')
  if (game === null) throw new Error('treasure is a game')
  // Money cannot be removed from a ledger: each test has one of its own.
  let before: ReadSide
  beforeEach(async () => {
    before = side
    side = await openReadSide()
  })
  afterEach(async () => {
    await side.close()
    side = before
  })

  it('the jackpot is the guaranteed one while the pool is smaller', async () => {
    await side.rows.draw({ gameKey: 'treasure', number: 1, startAt: NOON + 86_400 })
    await fund('treasure', 1_000n)
    expect((await gameOf('treasure')).jackpot.crypto).toEqual({ value: '1.00000000', code: 'BTC' })
    expect((await gameOf('treasure')).jackpot.fiat['GBP']?.value).toBe(100_000)
  })

  it('the jackpot never promises more than the operator has', async () => {
    await side.rows.draw({ gameKey: 'treasure', number: 1, startAt: NOON + 86_400 })
    await fund('treasure', 1_000n, 50_000n)
    expect((await gameOf('treasure')).jackpot.crypto.value).toBe('0.00050000')
  })

  it('the jackpot grows with the stakes of the first open draw, less the cost of its fixed prizes', async () => {
    const drawId = await side.rows.draw({ gameKey: 'treasure', number: 1, startAt: NOON + 86_400 })
    const laterId = await side.rows.draw({ gameKey: 'treasure', number: 2, startAt: NOON + 3 * 86_400 })
    await fund('treasure', 200_000_000n)
    const playerId = await side.rows.player()
    const lines = Array.from({ length: 5 }, () => [1, 2, 3, 4, 5])
    await side.rows.order({ playerId, gameKey: 'treasure', lines, drawIds: [drawId, laterId], stakeSats: 12_500n })
    const expected = estimatedJackpot({
      game,
      poolSats: 200_000_000n,
      stakeSats: 12_500n,
      entries: 5,
      floorSats: 100_000_000n,
      satsPerUnit: 1000n,
    })
    expect(expected).toBeGreaterThan(200_000_000n)
    expect(await jackpotSats()).toBe(expected)
  })

  it('the jackpot from close to settlement is that of the closed draw, with its pot', async () => {
    const startAt = NOON + 300
    const closed = {
      gameKey: 'treasure',
      number: 1,
      startAt,
      entries: 40,
      potSats: 300_000_000n,
      floorSats: 90_000_000n,
    }
    const drawId = await side.rows.draw({ ...closed, status: 'closed', rateAt: NOON })
    await side.rows.draw({ gameKey: 'treasure', number: 2, startAt: NOON + 86_400 })
    await fund('treasure', 500_000_000n)
    const expected = estimatedJackpot({
      game,
      poolSats: 300_000_000n,
      stakeSats: 0n,
      entries: 40,
      floorSats: 90_000_000n,
      satsPerUnit: 1000n,
    })
    expect(await jackpotSats()).toBe(expected)
    await side.rows.moveDraw(drawId, 'drawn')
    side.runtime.clock.set(startAt + 60)
    expect(await jackpotSats()).toBe(expected)
    await side.rows.moveDraw(drawId, 'settled')
    expect(await jackpotSats()).toBe(500_000_000n)
  })

  async function jackpotSats(): Promise<bigint> {
    return BigInt((await gameOf('treasure')).jackpot.crypto.value.replace('.', ''))
  }
})

describe('a player’s saved numbers', () => {
  it('saved numbers are returned as saved, ascending, until they are replaced or deleted', async () => {
    const playerId = await side.rows.player()
    const path = '/games/treasure/saved-numbers'
    expect((await side.get(path, playerId)).json()).toEqual({ ok: true, data: [] })
    const saved = await side.send('PUT', path, playerId, {
      lines: [
        [50, 1, 7, 8, 9],
        [2, 3, 4, 5, 6],
      ],
    })
    expect(saved.json()).toEqual({
      ok: true,
      data: [
        [1, 7, 8, 9, 50],
        [2, 3, 4, 5, 6],
      ],
    })
    await side.send('PUT', path, playerId, { lines: [[2, 3, 4, 5, 7]] })
    expect((await side.get(path, playerId)).json()).toEqual({ ok: true, data: [[2, 3, 4, 5, 7]] })
    expect((await side.get(path, await side.rows.player())).json()).toEqual({ ok: true, data: [] })
    expect((await side.get('/games/threasure/saved-numbers', playerId)).json()).toEqual({
      ok: true,
      data: [[2, 3, 4, 5, 7]],
    })
    expect((await side.send('DELETE', path, playerId)).json()).toEqual({ ok: true, data: [] })
    expect((await side.get(path, playerId)).json()).toEqual({ ok: true, data: [] })
  })

  it.each([
    ['too few numbers', [[1, 2, 3, 4]], 'lines.0'],
    ['too many numbers', [[1, 2, 3, 4, 5, 6]], 'lines.0'],
    [
      'a number above the pool',
      [
        [1, 2, 3, 4, 5],
        [1, 2, 3, 4, 51],
      ],
      'lines.1',
    ],
    ['a number twice', [[1, 2, 3, 4, 4]], 'lines.0'],
    ['zero', [[0, 2, 3, 4, 5]], 'lines.0.0'],
    ['a fraction', [[1.5, 2, 3, 4, 5]], 'lines.0.0'],
    ['text', [['1', 2, 3, 4, 5]], 'lines.0.0'],
    ['no line', [], 'lines'],
    ['more than 1,000 lines', Array.from({ length: 1001 }, () => [1, 2, 3, 4, 5]), 'lines'],
    ['no list', 'all', 'lines'],
  ])('saved numbers are refused with %s', async (_what, lines, field) => {
    const answer = await side.send('PUT', '/games/treasure/saved-numbers', await side.rows.player(), { lines })
    expect(answer.statusCode).toBe(400)
    const body = answer.json<{ error: { code: string; fields: Record<string, string> } }>()
    expect(body.error.code).toBe('INVALID_PAYLOAD')
    expect(Object.keys(body.error.fields)).toContain(field)
  })
})

describe('the last played numbers', () => {
  it('the last played numbers are those of the order paid last, whatever was ordered after it and not paid', async () => {
    const playerId = await side.rows.player()
    const drawId = await side.rows.draw({ gameKey: 'treasure', number: 1, startAt: NOON + 86_400 })
    const order = { playerId, gameKey: 'treasure', drawIds: [drawId] }
    await side.rows.order({ ...order, lines: [[1, 2, 3, 4, 5]], paidAt: NOON })
    const many = Array.from({ length: 450 }, (_, index) => [1, 2, 3, 4, 5 + (index % 46)])
    await side.rows.order({ ...order, lines: many, paidAt: NOON + 20 })
    await side.rows.order({ ...order, lines: [[5, 6, 7, 8, 9]], paidAt: NOON + 30, status: 'PENDING' })
    const path = '/games/treasure/last-played-numbers'
    expect((await side.get(path, playerId)).json()).toEqual(many)
    expect((await side.get(path, await side.rows.player())).json()).toEqual([])
  })
})

describe('my games', () => {
  it('my games are those with a paid order', async () => {
    await openEveryGame()
    const playerId = await side.rows.player()
    await side.rows.order({ playerId, gameKey: 'super-game', lines: [[1, 2, 3, 4, 5, 6]], drawIds: [] })
    await side.rows.order({ playerId, gameKey: 'bitcoin-hero', lines: [[1, 2, 3, 4, 5]], drawIds: [] })
    await side.rows.order({ playerId, gameKey: 'treasure', lines: [[1, 2, 3, 4, 5]], drawIds: [], status: 'EXPIRED' })
    const mine = (await side.get('/settings/games', playerId)).json<Game[]>()
    expect(mine.map((game) => game.key)).toEqual(['bitcoin-hero', 'super-game'])
    expect(mine[0]).toMatchObject({ name: 'Bitcoin Hero', next_draw: { number: 1, start_at: NOON + 86_400 } })
    expect((await side.get('/settings/games', await side.rows.player())).json()).toEqual([])
  })
})

describe('a key that is no game', () => {
  it.each([
    ['GET', '/games/nothing/saved-numbers'],
    ['DELETE', '/games/nothing/saved-numbers'],
    ['GET', '/games/nothing/last-played-numbers'],
    ['GET', '/games/nothing/wins'],
    ['GET', '/games/nothing/plays'],
    ['GET', '/games/nothing/draws'],
    ['GET', '/games/nothing/draws/1'],
    ['GET', '/games/nothing/watch'],
    ['GET', '/games/nothing/watch/stream'],
    ['GET', '/games/nothing/statistics'],
    ['GET', '/games/constructor/statistics'],
    ['GET', `/games/${'x'.repeat(251)}/statistics`],
  ] as const)('an unknown game is 404 NOT_FOUND for %s %s', async (method, path) => {
    const answer = await side.send(method, path, await side.rows.player())
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('an unknown game is 404 NOT_FOUND for lines to save and to check', async () => {
    const playerId = await side.rows.player()
    const body = { lines: [[1, 2, 3, 4, 5]] }
    expect((await side.send('PUT', '/games/nothing/saved-numbers', playerId, body)).statusCode).toBe(404)
    expect((await side.send('POST', '/games/nothing/check-numbers', playerId, body)).statusCode).toBe(404)
  })
})

it('every call of the games and results modules is registered', () => {
  const own = [
    'getGames',
    'getMyGames',
    'saveNumbers',
    'getPlays',
    'getWins',
    'getDraw',
    'getWatch',
    'streamWatch',
  ] as const
  for (const name of own) expect(side.app.edge.registered.has(name), `${name} ${calls[name].path}`).toBe(true)
})
