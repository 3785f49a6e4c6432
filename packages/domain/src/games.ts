import { assert } from './assert.ts'
import { SECONDS_AFTER_LAST_BALL } from './draw-phase.ts'
import { combinations } from './combinations.ts'
import { MAX_POOL, SHORTEST_CLOSING_SECONDS } from './protocol/numbers.ts'

/** The keys of the seeded games (decisions section 4). */
export type GameKey = 'bitcoin-lotto' | 'bitcoin-hero' | 'treasure' | 'ether-lotto' | 'mega-ball' | 'super-game'

/** Days of the week as the product counts them, in UTC: Monday 1 to Sunday 7 (spec section 9). */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** The prize of an entry for a number of matches: the jackpot, a fixed prize in whole pence, or a free ticket. */
export type PrizeTier =
  | { readonly matches: number; readonly kind: 'jackpot' }
  | { readonly matches: number; readonly kind: 'fixed'; readonly prizeMinor: number }
  | { readonly matches: number; readonly kind: 'free' }

/** The time of a weekly draw, in UTC. */
export interface DrawTime {
  readonly day: Weekday
  /** 0 to 1439 */
  readonly minuteOfDay: number
}

/** The rules of a game. A draw keeps the rules it was opened with; a change affects only draws not yet opened. */
export interface GameRules {
  readonly key: GameKey
  readonly name: string
  /** the game's colour, `#RRGGBB` (the design language's table) */
  readonly color: string
  /** numbers per line, n; from 1 */
  readonly pick: number
  /** the highest number to choose, N: numbers are 1 to N; more than `pick`, at most 64 */
  readonly pool: number
  /** price of one entry, in whole pence */
  readonly priceMinor: number
  /** the weekly draws, by day and time */
  readonly drawTimes: readonly DrawTime[]
  /** maximum number of weeks of an order, from 1 */
  readonly maxWeeksAhead: number
  /** seconds before the start at which sales close; at least 300 */
  readonly closesBeforeSeconds: number
  /** from the jackpot down */
  readonly tiers: readonly PrizeTier[]
  /** the guaranteed jackpot (floor), in whole pence */
  readonly guaranteedMinor: number
  /** maximum that the operator adds to the fixed prizes of one draw, in whole pence */
  readonly coverMinor: number
  /** maximum number of entries of one player in one draw */
  readonly maxEntriesPerDraw: number
}

/** Time to draw each ball, in seconds (decisions section 4). */
export const secondsPerBall = 20
/** Maximum number of entries with equal lines of one player in one draw (decisions section 4). */
export const MAX_EQUAL_LINES = 10
/** Maximum number of lines of one order (decisions section 4). */
export const MAX_LINES = 1000

const EVERY_DAY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7]

/** The six seeded games, in display order (decisions section 4). */
export const GAMES: readonly GameRules[] = [
  {
    key: 'bitcoin-lotto',
    name: 'Bitcoin Lotto',
    color: '#FF9A1F',
    pick: 6,
    pool: 49,
    priceMinor: 200,
    drawTimes: on([3, 6], 20, 0),
    maxWeeksAhead: 4,
    closesBeforeSeconds: 600,
    tiers: [jackpot(6), fixed(5, 5_000), fixed(4, 100), fixed(3, 10), free(2)],
    guaranteedMinor: 500_000_00,
    coverMinor: 20_000_00,
    maxEntriesPerDraw: 5000,
  },
  {
    key: 'bitcoin-hero',
    name: 'Bitcoin Hero',
    color: '#FF6F96',
    pick: 5,
    pool: 36,
    priceMinor: 100,
    drawTimes: on(EVERY_DAY, 18, 0),
    maxWeeksAhead: 2,
    closesBeforeSeconds: 300,
    tiers: [jackpot(5), fixed(4, 300), fixed(3, 5), free(2)],
    guaranteedMinor: 20_000_00,
    coverMinor: 2_000_00,
    maxEntriesPerDraw: 1000,
  },
  {
    key: 'treasure',
    name: 'Treasure',
    color: '#22C58F',
    pick: 5,
    pool: 50,
    priceMinor: 250,
    drawTimes: on([2, 5], 19, 30),
    maxWeeksAhead: 4,
    closesBeforeSeconds: 600,
    tiers: [jackpot(5), fixed(4, 3_000), fixed(3, 50), free(2)],
    guaranteedMinor: 100_000_00,
    coverMinor: 12_000_00,
    maxEntriesPerDraw: 5000,
  },
  {
    key: 'ether-lotto',
    name: 'Ether Lotto',
    color: '#A08BFF',
    pick: 6,
    pool: 45,
    priceMinor: 150,
    drawTimes: on([1, 4], 20, 30),
    maxWeeksAhead: 4,
    closesBeforeSeconds: 600,
    tiers: [jackpot(6), fixed(5, 2_000), fixed(4, 50), fixed(3, 5), free(2)],
    guaranteedMinor: 250_000_00,
    coverMinor: 10_000_00,
    maxEntriesPerDraw: 5000,
  },
  {
    key: 'mega-ball',
    name: 'Mega Ball',
    color: '#55ABFF',
    pick: 7,
    pool: 47,
    priceMinor: 300,
    drawTimes: on([5], 21, 0),
    maxWeeksAhead: 8,
    closesBeforeSeconds: 600,
    tiers: [jackpot(7), fixed(6, 50_000), fixed(5, 1_000), fixed(4, 50), free(3)],
    guaranteedMinor: 1_000_000_00,
    coverMinor: 100_000_00,
    maxEntriesPerDraw: 5000,
  },
  {
    key: 'super-game',
    name: 'Super Game',
    color: '#FFD43B',
    pick: 6,
    pool: 59,
    priceMinor: 200,
    drawTimes: on([7], 17, 0),
    maxWeeksAhead: 8,
    closesBeforeSeconds: 600,
    tiers: [jackpot(6), fixed(5, 10_000), fixed(4, 250), fixed(3, 20), free(2)],
    guaranteedMinor: 1_000_000_00,
    coverMinor: 40_000_00,
    maxEntriesPerDraw: 5000,
  },
]

/** The key of a game as stored: `threasure` becomes `treasure`, any other text stays (decisions section 4). */
export function canonicalGameKey(key: string): string {
  return key === 'threasure' ? 'treasure' : key
}

/** The seeded game of a key, including the misspelt `threasure`; null if there is none. */
export function gameByKey(key: string): GameRules | null {
  const canonicalKey = canonicalGameKey(key)
  return GAMES.find((game) => game.key === canonicalKey) ?? null
}

/** Time from the start of a draw to its end, in seconds: 20 per ball and 60 more (decisions section 4). */
export function endAfterStart(game: Pick<GameRules, 'pick'>): number {
  return secondsPerBall * game.pick + SECONDS_AFTER_LAST_BALL
}

/**
 * Problems of a game's rules, one sentence each; empty if there are none. A game with a problem must not be offered:
 * the server refuses to start (decisions section 4).
 */
export function problemsOfGame(game: GameRules): string[] {
  return [...problemsOfLine(game), ...problemsOfCalendar(game), ...problemsOfPrizes(game)]
}

/**
 * Checks the rules of a game against decisions section 4: pool at most 64, a floor of at most 20% of price ×
 * combinations and at least the highest fixed prize, and the other assumptions of the arithmetic.
 *
 * @throws RangeError naming every problem
 */
export function checkGameRules(game: GameRules): void {
  const problems = problemsOfGame(game)
  assert(problems.length === 0, `${game.key}: ${problems.join('; ')}`)
}

function problemsOfLine({ pick, pool, priceMinor }: GameRules): string[] {
  return unmet([
    [isWhole(pool, 2, MAX_POOL), `the pool is a whole number from 2 to ${MAX_POOL}`],
    // A lucky dip leaves out the largest number, so a line must fit into one number less.
    [isWhole(pick, 1, pool - 1), 'a line has fewer numbers than the pool'],
    [isWhole(priceMinor, 1), 'the price is a whole number of pence above zero'],
  ])
}

function problemsOfCalendar({ drawTimes, maxWeeksAhead, closesBeforeSeconds }: GameRules): string[] {
  const moments = new Set(drawTimes.map(({ day, minuteOfDay }) => day * 1440 + minuteOfDay))
  return unmet([
    [drawTimes.length > 0, 'it is drawn at least once a week'],
    [moments.size === drawTimes.length, 'no two draws start together'],
    [drawTimes.every((time) => isWhole(time.day, 1, 7)), 'days are 1 to 7'],
    [drawTimes.every((time) => isWhole(time.minuteOfDay, 0, 1439)), 'times are minutes of a day'],
    [isWhole(maxWeeksAhead, 1), 'it can be played for at least one week'],
    [
      isWhole(closesBeforeSeconds, SHORTEST_CLOSING_SECONDS, 86_400),
      'sales close 300 seconds to a day before the start',
    ],
  ])
}

function problemsOfPrizes({
  pick,
  pool,
  priceMinor,
  tiers,
  guaranteedMinor,
  coverMinor,
  maxEntriesPerDraw,
}: GameRules) {
  const fixedPrizes = tiers.flatMap((tier) => (tier.kind === 'fixed' ? [tier.prizeMinor] : []))
  const falls = tiers.every((tier, place) => place === 0 || tier.matches < (tiers[place - 1]?.matches ?? 0))
  return unmet([
    [
      tiers[0]?.kind === 'jackpot' && tiers[0].matches === pick,
      'the first tier is the jackpot, for every number of a line',
    ],
    [tiers.filter((tier) => tier.kind === 'jackpot').length === 1, 'there is one jackpot'],
    [falls && tiers.every((tier) => isWhole(tier.matches, 0, pick)), 'tiers go from more matches to fewer'],
    [fixedPrizes.every((prize) => isWhole(prize, 1)), 'fixed prizes are whole numbers of pence above zero'],
    [isWhole(guaranteedMinor, 0) && isWhole(coverMinor, 0), 'floor and cover are whole numbers of pence'],
    [guaranteedMinor >= Math.max(0, ...fixedPrizes), 'the floor is at least the highest fixed prize'],
    [
      BigInt(Math.trunc(guaranteedMinor)) * 5n <= BigInt(Math.trunc(priceMinor)) * combinations(pool, pick),
      'the floor is at most 20% of price × combinations',
    ],
    [isWhole(maxEntriesPerDraw, 1), 'a player may have at least one entry'],
  ])
}

function unmet(rules: readonly (readonly [isMet: boolean, rule: string])[]): string[] {
  return rules.flatMap(([isMet, rule]) => (isMet ? [] : [`not so: ${rule}`]))
}

function isWhole(value: number, min: number, max = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max
}

function on(days: readonly Weekday[], hour: number, minute: number): DrawTime[] {
  return days.map((day) => ({ day, minuteOfDay: hour * 60 + minute }))
}

function jackpot(matches: number): PrizeTier {
  return { matches, kind: 'jackpot' }
}

function fixed(matches: number, pounds: number): PrizeTier {
  return { matches, kind: 'fixed', prizeMinor: pounds * 100 }
}

function free(matches: number): PrizeTier {
  return { matches, kind: 'free' }
}
