import { gameByKey, type GameRules, GAMES } from '@fairball/domain/games'
import { describe, expect, it } from 'vitest'
import { START_AT, testLottery } from '../../../test/lottery.ts'
import { explanationOf } from '../../main/explain.ts'
import { listGames } from '../games/service.ts'

const HERO_LINES = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10],
]
const DAY = 86_400

/** The games of this program, one of them with other rules. */
function gamesWith(key: string, changed: Partial<GameRules>): GameRules[] {
  return GAMES.map((game) => (game.key === key ? { ...game, ...changed } : game))
}

function gamesWithout(key: string): GameRules[] {
  return GAMES.filter((game) => game.key !== key)
}

/** What the operator reads when a start is refused; fails if it is not. */
async function refusalOf(start: Promise<void>): Promise<string> {
  return await start.then(
    () => expect.fail('the start was not refused'),
    (error: unknown) => explanationOf(error),
  )
}

describe('the rules that open draws were announced with', () => {
  it('a start with another price and prize is refused, and names game, draws, lines and the last draw', async () => {
    const { restart, rows } = await testLottery()
    const hero = gameByKey('bitcoin-hero')
    const tiers = hero?.tiers.map((tier) => (tier.matches === 4 ? { ...tier, prizeMinor: 500_00 } : tier)) ?? []
    const refused = await refusalOf(restart({ games: gamesWith('bitcoin-hero', { priceMinor: 150, tiers }) }))
    expect(refused).toContain('Bitcoin Hero (bitcoin-hero), draws 1 to 15')
    expect(refused).toContain('announced:  price GBP 100\n  now:        price GBP 150')
    expect(refused).toContain('announced:  tier 4 fixed 30000\n  now:        tier 4 fixed 50000')
    const [last] = await rows<{ start_at: string }>(`select max(start_at) as start_at from draws where game_key = $1`, [
      'bitcoin-hero',
    ])
    expect(refused).toContain(`the last starts at ${new Date(Number(last?.start_at) * 1000).toISOString()}`)
    expect(refused).not.toMatch(/treasure|tier 3|Error:|\bat .*\.ts/i)
  })

  it('a start with another guaranteed jackpot or cover is refused, as the rules name them', async () => {
    const { restart } = await testLottery()
    const changed = { guaranteedMinor: 10_000_00, coverMinor: 3_000_00 }
    const refused = await refusalOf(restart({ games: gamesWith('bitcoin-hero', changed) }))
    expect(refused).toContain('announced:  floor 2000000\n  now:        floor 1000000')
    expect(refused).toContain('announced:  cover 200000\n  now:        cover 300000')
    expect(refused).not.toContain('price')
  })

  it('a start may change a colour, the calendar and the limit of lines', async () => {
    const { restart, rows, lottery } = await testLottery()
    await restart({ games: gamesWith('bitcoin-hero', { color: '#123456', maxEntriesPerDraw: 5, maxWeeksAhead: 4 }) })
    const [open] = await rows<{ draws: string }>(
      `select count(*) as draws from draws where game_key = 'bitcoin-hero' and status = 'open'`,
    )
    expect(Number(open?.draws)).toBeGreaterThan(15)
    expect(await listGames(lottery.games, null)).toHaveLength(GAMES.length)
  })

  it('a refused start writes nothing: no draw is opened, and nothing joins the log', async () => {
    const { restart, rows, runtime } = await testLottery()
    const written = () =>
      rows(`select (select count(*) from draws) as draws, (select max(index) from log_leaves) as newest`)
    const before = await written()
    runtime.clock.set(START_AT + 3 * DAY)
    await refusalOf(restart({ games: gamesWith('treasure', { priceMinor: 300 }) }))
    expect(await written()).toEqual(before)
  })
})

describe('a game that is no longer in the program', () => {
  it('a start without a game is refused while the game has unfinished draws, and names them', async () => {
    const { restart } = await testLottery()
    const refused = await refusalOf(restart({ games: gamesWithout('treasure') }))
    expect(refused).toContain('treasure')
    expect(refused).toContain('draws 1 to 9 are not finished')
  })

  it('a start without a game is refused while one of its pools holds money, and names the satoshis', async () => {
    const { restart, rows, addPlayer, buy, moveTo } = await testLottery()
    const playerId = await addPlayer()
    await buy({ playerId, gameKey: 'treasure', lines: [[1, 2, 3, 4, 5]], days: [5] })
    await moveTo(START_AT + 4 * DAY)
    // As if the draws without plays had never been opened.
    await rows(`delete from jobs where kind = 'draws.close'`)
    await rows(`update draws set status = 'void' where game_key = 'treasure' and status = 'open'`)
    const refused = await refusalOf(restart({ games: gamesWithout('treasure') }))
    expect(refused).toMatch(/treasure: \d+ sats in its prize_pool/)
  })

  it('a start without a game succeeds once nothing of the game is left', async () => {
    const { restart, rows } = await testLottery()
    await rows(`insert into games (key, position) values ('of-old', 9)`)
    await restart()
  })

  it('a process that was not refused draws, settles and pays the game’s sold draw, and opens none', async () => {
    const { lottery, takeOver, rows, addPlayer, buy, moveTo, violations, runtime } = await testLottery()
    const playerId = await addPlayer()
    const lines = Array.from({ length: 500 }, (_, index) => [
      1 + (index % 7),
      8 + (index % 6),
      14 + (index % 8),
      22 + (index % 5),
      27 + (index % 10),
    ])
    await buy({ playerId, gameKey: 'treasure', lines, days: [5] })
    await buy({ playerId, gameKey: 'bitcoin-hero', lines: HERO_LINES, days: [5] })
    await takeOver({ games: gamesWithout('treasure') }) // no start, so no guard
    await moveTo(START_AT + 4 * DAY)
    expect(
      await rows(`select number, status, entries from draws where game_key = 'treasure' order by number limit 2`),
    ).toEqual([
      { number: 1, status: 'settled', entries: 500 },
      { number: 2, status: 'open', entries: null },
    ])
    const [opened] = await rows<{ last: number }>(`select max(number) as last from draws where game_key = 'treasure'`)
    expect(opened?.last).toBe(9)
    const [won] = await rows<{ sats: string }>(`select coalesce(sum(amount_sats), 0) as sats from wins`)
    const sentSats = (await lottery.chain.movements('out')).reduce((sum, movement) => sum + movement.sats, 0n)
    expect(sentSats).toBe(BigInt(won?.sats ?? 0))
    expect(runtime.logged.filter((line) => line['gameKey'] === 'treasure')).toMatchObject([
      { level: 'error', msg: 'a game that this program does not have: no draws of it are opened' },
    ])
    expect(await violations()).toEqual([])
  })
})
