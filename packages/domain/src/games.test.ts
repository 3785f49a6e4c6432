import { describe, expect, it } from 'vitest'
import {
  canonicalGameKey,
  checkGameRules,
  endAfterStart,
  gameByKey,
  GAMES,
  type GameRules,
  problemsOfGame,
} from './games.ts'
import { combinations } from './combinations.ts'

const [lotto] = GAMES as readonly [GameRules, ...GameRules[]]

describe('the seeded games', () => {
  it('are six, in the order of the table', () => {
    expect(
      GAMES.map(({ key, pick, pool, priceMinor, maxWeeksAhead }) => [key, pick, pool, priceMinor, maxWeeksAhead]),
    ).toEqual([
      ['bitcoin-lotto', 6, 49, 200, 4],
      ['bitcoin-hero', 5, 36, 100, 2],
      ['treasure', 5, 50, 250, 4],
      ['ether-lotto', 6, 45, 150, 4],
      ['mega-ball', 7, 47, 300, 8],
      ['super-game', 6, 59, 200, 8],
    ])
  })

  it.each(GAMES)('$name keeps every rule of decisions section 4', (game) => {
    expect(problemsOfGame(game)).toEqual([])
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

  it('answer to their keys, treasure to its misspelling too', () => {
    expect(gameByKey('threasure')?.key).toBe('treasure')
    expect(canonicalGameKey('threasure')).toBe('treasure')
    expect(canonicalGameKey('anything')).toBe('anything')
    expect(gameByKey('Bitcoin-Lotto')).toBeNull()
    expect(gameByKey('')).toBeNull()
  })
})

describe('a game is not offered', () => {
  it.each<[string, Partial<GameRules>]>([
    ['with a floor above 20% of price × combinations', { guaranteedMinor: 560_000_000 }],
    ['with a floor below its highest fixed prize', { guaranteedMinor: 499_999 }],
    ['with a pool above 64', { pool: 65 }],
    ['with lines as long as the pool', { pick: 49, tiers: [{ matches: 49, kind: 'jackpot' }] }],
    ['without a price', { priceMinor: 0 }],
    ['without a draw', { drawTimes: [] }],
    ['with a draw twice', { drawTimes: [...lotto.drawTimes, ...lotto.drawTimes] }],
    ['with sales that close less than 300 s before the start', { closesBeforeSeconds: 299 }],
    ['without a week', { maxWeeksAhead: 0 }],
    ['without a jackpot', { tiers: lotto.tiers.slice(1) }],
    ['with a jackpot for fewer numbers', { tiers: [{ matches: 5, kind: 'jackpot' }] }],
    ['with tiers out of order', { tiers: lotto.tiers.toReversed() }],
    ['with a fraction of a penny', { priceMinor: 0.5 }],
    ['without entries', { maxEntriesPerDraw: 0 }],
  ])('%s', (_, change) => {
    expect(problemsOfGame({ ...lotto, ...change })).not.toEqual([])
    expect(() => checkGameRules({ ...lotto, ...change })).toThrow(RangeError)
  })
})
