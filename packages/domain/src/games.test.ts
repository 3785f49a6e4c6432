import { describe, expect, it } from 'vitest'
import {
  checkGameRules,
  type DrawTime,
  endAfterStart,
  GAME_KEY_PATTERN,
  type GameRules,
  type GameWithRules,
  type PrizeTier,
  problemsOfGame,
  type Weekday,
} from './games.ts'
import { rulesFromJson, rulesToJson } from './game-json.ts'
import { gameByKey, GAMES, STARTER } from './seeds.ts'
import { combinations } from './combinations.ts'

const [lotto] = GAMES as readonly [GameWithRules, ...GameWithRules[]]

describe('the seeded games', () => {
  it('the games have their names and colours', () => {
    expect(GAMES.map(({ name, accent }) => `${name} ${accent}`)).toEqual([
      'Bitcoin Lotto #FF9A1F',
      'Bitcoin Hero #FF6F96',
      'Treasure #22C58F',
      'Ether Lotto #A08BFF',
      'Mega Ball #55ABFF',
      'Super Game #FFD43B',
    ])
  })

  it('there are six games, in the order of the table', () => {
    expect(
      GAMES.map(({ key, pick, pool, priceMinor, weeksAhead }) => [key, pick, pool, priceMinor, weeksAhead]),
    ).toEqual([
      ['bitcoin-lotto', 6, 49, 200, 4],
      ['bitcoin-hero', 5, 36, 100, 2],
      ['treasure', 5, 50, 250, 4],
      ['ether-lotto', 6, 45, 150, 4],
      ['mega-ball', 7, 47, 300, 8],
      ['super-game', 6, 59, 200, 8],
    ])
  })

  it.each([...GAMES, STARTER])('$name keeps every rule, and its rules are the same from JSON', (game) => {
    expect(problemsOfGame(game)).toEqual([])
    expect(game.key).toMatch(GAME_KEY_PATTERN)
    expect(rulesToJson(rulesFromJson(rulesToJson(game)))).toEqual(rulesToJson(game))
    expect(game).toMatchObject(rulesFromJson(rulesToJson(game)))
    expect(() => checkGameRules(game)).not.toThrow()
  })

  it.each(GAMES)(
    '$name guarantees at most 20% of price × combinations and at least its highest fixed prize',
    (game) => {
      const prizes = game.tiers.map((tier) => (tier.kind === 'fixed' ? tier.prizeMinor : 0))
      expect(BigInt(game.guaranteedMinor) * 5n <= BigInt(game.priceMinor) * combinations(game.pool, game.pick)).toBe(
        true,
      )
      expect(game.guaranteedMinor).toBeGreaterThanOrEqual(Math.max(...prizes))
    },
  )

  it.each([
    [
      'bitcoin-lotto',
      [
        [6, 'jackpot'],
        [5, 5000],
        [4, 100],
        [3, 10],
        [2, 'free'],
      ],
      500_000,
      20_000,
    ],
    [
      'bitcoin-hero',
      [
        [5, 'jackpot'],
        [4, 300],
        [3, 5],
        [2, 'free'],
      ],
      20_000,
      2_000,
    ],
    [
      'treasure',
      [
        [5, 'jackpot'],
        [4, 3000],
        [3, 50],
        [2, 'free'],
      ],
      100_000,
      12_000,
    ],
    [
      'ether-lotto',
      [
        [6, 'jackpot'],
        [5, 2000],
        [4, 50],
        [3, 5],
        [2, 'free'],
      ],
      250_000,
      10_000,
    ],
    [
      'mega-ball',
      [
        [7, 'jackpot'],
        [6, 50_000],
        [5, 1000],
        [4, 50],
        [3, 'free'],
      ],
      1_000_000,
      100_000,
    ],
    [
      'super-game',
      [
        [6, 'jackpot'],
        [5, 10_000],
        [4, 250],
        [3, 20],
        [2, 'free'],
      ],
      1_000_000,
      40_000,
    ],
  ])('%s pays its prizes in pounds', (key, prizes, floor, cover) => {
    const game = gameByKey(key)
    expect(
      game?.tiers.map((tier) => [tier.matches, tier.kind === 'fixed' ? tier.prizeMinor / 100 : tier.kind]),
    ).toEqual(prizes)
    expect(game).toMatchObject({ guaranteedMinor: floor * 100, coverMinor: cover * 100 })
  })

  it.each([
    ['bitcoin-lotto', '3 6', 20 * 60, 600, 180],
    ['bitcoin-hero', '1 2 3 4 5 6 7', 18 * 60, 300, 160],
    ['treasure', '2 5', 19 * 60 + 30, 600, 160],
    ['ether-lotto', '1 4', 20 * 60 + 30, 600, 180],
    ['mega-ball', '5', 21 * 60, 600, 200],
    ['super-game', '7', 17 * 60, 600, 180],
  ])('%s is drawn on days %s', (key, days, minuteOfDay, closesBeforeSeconds, seconds) => {
    const game = gameByKey(key) ?? lotto
    expect(game.drawTimes.map((time) => time.day).join(' ')).toBe(days)
    expect(game.drawTimes.every((time) => time.minuteOfDay === minuteOfDay)).toBe(true)
    expect(game.closesBeforeSeconds).toBe(closesBeforeSeconds)
    expect(endAfterStart(game)).toBe(seconds)
  })

  it('games are found by their keys', () => {
    expect(gameByKey('treasure')?.name).toBe('Treasure')
    expect(gameByKey('Bitcoin-Lotto')).toBeNull()
    expect(gameByKey('')).toBeNull()
  })
})

describe('an invalid game', () => {
  const [top, five, four] = lotto.tiers as readonly [PrizeTier, PrizeTier, PrizeTier, ...PrizeTier[]]
  const afternoon: DrawTime = { day: 3, minuteOfDay: 900 }
  const free = (matches: number): PrizeTier => ({ matches, kind: 'free' })
  const split = (prizePool: number, donation: number, fee: number) => ({ split: { prizePool, donation, fee } })
  const times = (...drawTimes: DrawTime[]) => ({ drawTimes })

  it.each<[string, Partial<GameRules>, string, string]>([
    ['in no currency of the product', { currency: 'XAU' }, 'currency', 'currencies'],
    ['with a floor above 20% of price × combinations', { guaranteedMinor: 559_352_641 }, 'guaranteed_minor', '20%'],
    ['with a floor below its highest fixed prize', { guaranteedMinor: 499_999 }, 'guaranteed_minor', 'at least'],
    ['with a pool above 64', { pool: 65 }, 'pool', 'from 2 to 64'],
    ['with a pool of one', { pool: 1, pick: 0, tiers: [{ matches: 0, kind: 'jackpot' }] }, 'pool', 'from 2 to 64'],
    ['with lines as long as the pool', { pool: 20, pick: 20 }, 'pick', 'fewer numbers than the pool'],
    ['with lines without numbers', { pick: 0 }, 'pick', 'fewer numbers than the pool'],
    ['without a price', { priceMinor: 0, guaranteedMinor: 0, tiers: [top] }, 'price_minor', 'above zero'],
    ['with a fraction of a penny', { priceMinor: 200.5 }, 'price_minor', 'whole number'],
    ['without a draw', times(), 'draw_times', 'at least once a week'],
    ['with a duplicate draw', times(afternoon, afternoon), 'draw_times[1]', '780 seconds apart'],
    ['with two draws too close', times(afternoon, { day: 3, minuteOfDay: 912 }), 'draw_times[1]', 'apart'],
    [
      'with two draws too close over the end of the week',
      times({ day: 1, minuteOfDay: 5 }, { day: 7, minuteOfDay: 1435 }),
      'draw_times[0]',
      'apart',
    ],
    ['on an eighth day', times(afternoon, { day: 8 as Weekday, minuteOfDay: 900 }), 'draw_times[1].day', 'Days are'],
    ['on a day before the first', times({ day: 0 as Weekday, minuteOfDay: 900 }), 'draw_times[0].day', 'Days are'],
    ['at 24:00', times(afternoon, { day: 3, minuteOfDay: 1440 }), 'draw_times[1].minute_of_day', 'minutes of a day'],
    ['before 0:00', times({ day: 3, minuteOfDay: -1 }), 'draw_times[0].minute_of_day', 'minutes of a day'],
    ['with sales that close too late', { closesBeforeSeconds: 299 }, 'closes_before_seconds', '300 seconds to a day'],
    ['with sales that close too early', { closesBeforeSeconds: 86_401 }, 'closes_before_seconds', '300 seconds to'],
    ['without a week', { weeksAhead: 0 }, 'weeks_ahead', 'at least one week'],
    ['with more than 120 open draws', { weeksAhead: 60 }, 'weeks_ahead', 'more than 120 draws'],
    ['without a jackpot', { tiers: [] }, 'tiers[0]', 'The first tier is the jackpot'],
    ['with a jackpot for fewer numbers', { tiers: [{ matches: 5, kind: 'jackpot' }] }, 'tiers[0]', 'The first tier'],
    ['with a second jackpot', { tiers: [top, { matches: 5, kind: 'jackpot' }] }, 'tiers[1].kind', 'one jackpot'],
    ['with tiers out of order', { tiers: [top, four, five] }, 'tiers[2].matches', 'from more matches to fewer'],
    ['with two prizes for the same matches', { tiers: [top, five, five] }, 'tiers[2].matches', 'from more matches'],
    ['with a prize for −1 matches', { tiers: [top, free(-1)] }, 'tiers[1].matches', 'from more matches to fewer'],
    ['with a prize for half a match', { tiers: [top, five, free(1.5)] }, 'tiers[2].matches', 'from more matches'],
    [
      'with a fixed prize of zero',
      { tiers: [top, { matches: 4, kind: 'fixed', prizeMinor: 0 }] },
      'tiers[1].prize_minor',
      'whole numbers of hundredths',
    ],
    ['with a floor in fractions of a penny', { guaranteedMinor: 50_000_000.5 }, 'guaranteed_minor', 'whole number'],
    ['with a cover below zero', { coverMinor: -1 }, 'cover_minor', 'whole number'],
    ['with shares of more than 100%', split(80, 5, 16), 'split', 'sum to 100'],
    ['with a broken percent', split(80.5, 4.5, 15), 'split.prize_pool', 'whole percents'],
    ['with less than half for prizes', split(49, 36, 15), 'split.prize_pool', 'At least 50 percent'],
    ['without entries', { mostEntries: 0 }, 'most_entries', 'at least one entry'],
  ])('a game %s is refused', (_, change, at, problem) => {
    const rules = { ...lotto, ...change }
    expect(problemsOfGame(rules)).toContainEqual({ at, problem: expect.stringContaining(problem) })
    expect(() => checkGameRules(rules)).toThrow(RangeError)
  })

  it('each broken rule is named separately', () => {
    const rules = { ...lotto, weeksAhead: 0, mostEntries: 0 }
    expect(() => checkGameRules(rules)).toThrow(/^weeks_ahead: .*one week\. most_entries: A player/)
    expect(problemsOfGame({ ...lotto, mostEntries: 0 })).toHaveLength(1)
  })
})

describe('a valid game', () => {
  it.each<[string, Partial<GameRules>]>([
    // C(49, 6) × £2 × 20%: 559,352,640 pence exactly.
    ['guarantee exactly 20% of price × combinations', { guaranteedMinor: 559_352_640 }],
    ['guarantee exactly its highest fixed prize', { guaranteedMinor: 500_000 }],
    ['guarantee nothing if it has no fixed prizes', { guaranteedMinor: 0, tiers: lotto.tiers.slice(0, 1) }],
    [
      'leave one number of the pool out of a line',
      { pick: 48, tiers: [{ matches: 48, kind: 'jackpot' }], guaranteedMinor: 0 },
    ],
    ['have 64 numbers', { pool: 64 }],
    ['give a prize for no match at all', { tiers: [...lotto.tiers, { matches: 0, kind: 'free' }] }],
    ['cost a penny, and add nothing to prizes', { priceMinor: 1, coverMinor: 0, guaranteedMinor: 500_000 }],
    [
      'be drawn at 0:00 on Monday and 23:47 on Sunday',
      {
        drawTimes: [
          { day: 1, minuteOfDay: 0 },
          { day: 7, minuteOfDay: 1427 },
        ],
      },
    ],
    ['close its sales a day before the start', { closesBeforeSeconds: 86_400 }],
    ['be played for one week with one entry', { weeksAhead: 1, mostEntries: 1 }],
  ])('a game may %s', (_, change) => {
    expect(problemsOfGame({ ...lotto, ...change })).toEqual([])
  })
})
