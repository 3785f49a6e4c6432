import { assert } from './assert.ts'
import { SECONDS_AFTER_LAST_BALL } from './draw-phase.ts'
import { combinations } from './combinations.ts'
import { CURRENCIES } from './fiat.ts'
import { MAX_POOL, SHORTEST_CLOSING_SECONDS, WEEK_SECONDS } from './protocol/numbers.ts'

/** The key of a game, as in the log and in addresses. No key is ever used again. */
type GameKey = string

/** What the key of a game looks like (the fairness protocol, section 4). */
export const GAME_KEY_PATTERN = /^[a-z][a-z0-9-]{1,30}$/

/** The patterns that a game's colour can be worn in. */
export const PATTERNS = ['solid', 'band', 'reeded', 'facets', 'ring', 'sunburst'] as const
export type Pattern = (typeof PATTERNS)[number]

/** How a game is shown. It may change at any time, without a version. */
export interface GameTraits {
  readonly key: GameKey
  readonly name: string
  /** the game's colour, `#RRGGBB` */
  readonly accent: string
  readonly pattern: Pattern
  /** the game in one sentence */
  readonly summary: string
}

/** Days of the week as the product counts them, in UTC: Monday 1 to Sunday 7 (spec section 9). */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** The prize of an entry for a number of matches: the jackpot, a fixed prize in hundredths, or a free ticket. */
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

/** Where each stake goes, in whole percent; the three sum to 100. */
export interface StakeShares {
  /** at least 50 */
  readonly prizePool: number
  readonly donation: number
  readonly fee: number
}

/**
 * The rules of one version of a game. A draw keeps the version it was opened with; a change affects only draws not yet
 * opened. Amounts are hundredths of the unit of `currency`, whatever its own decimals.
 */
export interface GameRules {
  /** ISO 4217; one of the product's currencies */
  readonly currency: string
  /** numbers per line, n; from 1 */
  readonly pick: number
  /** the highest number to choose, N: numbers are 1 to N; more than `pick`, at most 64 */
  readonly pool: number
  /** price of one entry */
  readonly priceMinor: number
  /** from the jackpot down */
  readonly tiers: readonly PrizeTier[]
  readonly split: StakeShares
  /** the guaranteed jackpot (floor) */
  readonly guaranteedMinor: number
  /** maximum that the operator adds to the fixed prizes of one draw */
  readonly coverMinor: number
  /** the weekly draws, by day and time */
  readonly drawTimes: readonly DrawTime[]
  /** seconds before the start at which sales close; at least 300 */
  readonly closesBeforeSeconds: number
  /** maximum number of weeks of an order, from 1 */
  readonly weeksAhead: number
  /** maximum number of entries of one player in one draw */
  readonly mostEntries: number
}

/** A game as it is shown, with the rules of one of its versions. */
export interface GameWithRules extends GameTraits, GameRules {}

/** A problem of a game's rules. */
interface RulesProblem {
  /** the field as the games file spells it, like `tiers[1].prize_minor` */
  readonly at: string
  /** a sentence for the operator */
  readonly problem: string
}

/** Time to draw each ball, in seconds (decisions section 4). */
export const secondsPerBall = 20
/** Least time between the end of a draw and the start of the next of the same game, in seconds (decisions section 4). */
export const BETWEEN_DRAWS_SECONDS = 600
/** Maximum number of entries with equal lines of one player in one draw (decisions section 4). */
export const MAX_EQUAL_LINES = 10
/** Maximum number of lines of one order (decisions section 4). */
export const MAX_LINES = 1000
/** Maximum number of open draws per game. */
const MAX_OPEN_DRAWS = 120
/** The least part of a stake that goes to the prize pool, in percent. */
const LEAST_PRIZE_PERCENT = 50

/** Time from the start of a draw to its end, in seconds: 20 per ball and 60 more (decisions section 4). */
export function endAfterStart(game: Pick<GameRules, 'pick'>): number {
  return secondsPerBall * game.pick + SECONDS_AFTER_LAST_BALL
}

/** All problems of a game's rules, each with its place; empty if there are none. */
export function problemsOfGame(rules: GameRules): RulesProblem[] {
  return [...problemsOfLine(rules), ...problemsOfCalendar(rules), ...problemsOfTiers(rules), ...problemsOfMoney(rules)]
}

/** @throws RangeError naming every problem of a game's rules */
export function checkGameRules(rules: GameRules): void {
  const problems = problemsOfGame(rules).map(({ at, problem }) => `${at}: ${problem}`)
  assert(problems.length === 0, problems.join(' '))
}

function problemsOfLine({ currency, pick, pool, priceMinor }: GameRules): RulesProblem[] {
  return unmet([
    [CURRENCIES.some(({ code }) => code === currency), 'currency', 'This is not one of the currencies.'],
    [isWhole(pool, 2, MAX_POOL), 'pool', `The pool is a whole number from 2 to ${MAX_POOL}.`],
    // A lucky dip leaves out the largest number, so a line must fit into one number less.
    [isWhole(pick, 1, pool - 1), 'pick', 'A line has fewer numbers than the pool.'],
    [isWhole(priceMinor, 1), 'price_minor', 'The price is a whole number of hundredths above zero.'],
  ])
}

function problemsOfCalendar(rules: GameRules): RulesProblem[] {
  const { drawTimes, weeksAhead, closesBeforeSeconds, mostEntries } = rules
  const times = drawTimes.flatMap(({ day, minuteOfDay }, place): Condition[] => [
    [isWhole(day, 1, 7), `draw_times[${place}].day`, 'Days are 1 (Monday) to 7.'],
    [isWhole(minuteOfDay, 0, 1439), `draw_times[${place}].minute_of_day`, 'Times are minutes of a day, 0 to 1439.'],
  ])
  const apart = endAfterStart(rules) + BETWEEN_DRAWS_SECONDS
  return unmet([
    [drawTimes.length > 0, 'draw_times', 'It is drawn at least once a week.'],
    ...times,
    ...tooClose(rules, apart).map((place): Condition => [
      false,
      `draw_times[${place}]`,
      `Starts are at least ${apart} seconds apart.`,
    ]),
    [isWhole(weeksAhead, 1), 'weeks_ahead', 'It can be played for at least one week.'],
    [
      !isWhole(weeksAhead, 1) || drawTimes.length * weeksAhead < MAX_OPEN_DRAWS,
      'weeks_ahead',
      `So many weeks open more than ${MAX_OPEN_DRAWS} draws.`,
    ],
    [
      isWhole(closesBeforeSeconds, SHORTEST_CLOSING_SECONDS, 86_400),
      'closes_before_seconds',
      `Sales close ${SHORTEST_CLOSING_SECONDS} seconds to a day before the start.`,
    ],
    [isWhole(mostEntries, 1), 'most_entries', 'A player may have at least one entry.'],
  ])
}

/** Places of draw times that start too soon after another one, over the end of the week too. */
function tooClose({ drawTimes }: GameRules, apart: number): number[] {
  const starts = drawTimes
    .map(({ day, minuteOfDay }, place) => ({ place, at: (day - 1) * 86_400 + minuteOfDay * 60 }))
    .sort((one, other) => one.at - other.at)
  return starts.flatMap(({ place, at }, index) => {
    const before = starts[index - 1]?.at ?? (starts.at(-1)?.at ?? 0) - WEEK_SECONDS
    return at - before < apart ? [place] : []
  })
}

function problemsOfTiers({ pick, tiers }: GameRules): RulesProblem[] {
  const [first] = tiers
  return unmet([
    [
      first?.kind === 'jackpot' && first.matches === pick,
      'tiers[0]',
      'The first tier is the jackpot, for every number of a line.',
    ],
    ...tiers.flatMap((tier, place): Condition[] => [
      [place === 0 || tier.kind !== 'jackpot', `tiers[${place}].kind`, 'There is one jackpot.'],
      [
        isWhole(tier.matches, 0, pick) && (place === 0 || tier.matches < (tiers[place - 1]?.matches ?? 0)),
        `tiers[${place}].matches`,
        'Tiers go from more matches to fewer.',
      ],
      [
        tier.kind !== 'fixed' || isWhole(tier.prizeMinor, 1),
        `tiers[${place}].prize_minor`,
        'Fixed prizes are whole numbers of hundredths above zero.',
      ],
    ]),
  ])
}

function problemsOfMoney({ pick, pool, priceMinor, tiers, split, guaranteedMinor, coverMinor }: GameRules) {
  const { prizePool, donation, fee } = split
  const highest = Math.max(0, ...tiers.map((tier) => (tier.kind === 'fixed' ? tier.prizeMinor : 0)))
  return unmet([
    ...Object.entries({ prize_pool: prizePool, donation, fee }).map(([part, percent]): Condition => [
      isWhole(percent, 0, 100),
      `split.${part}`,
      'Shares are whole percents.',
    ]),
    [prizePool + donation + fee === 100, 'split', 'The three shares sum to 100.'],
    [
      prizePool >= LEAST_PRIZE_PERCENT,
      'split.prize_pool',
      `At least ${LEAST_PRIZE_PERCENT} percent go to the prize pool.`,
    ],
    [isWhole(guaranteedMinor, 0), 'guaranteed_minor', 'The floor is a whole number of hundredths.'],
    [isWhole(coverMinor, 0), 'cover_minor', 'The cover is a whole number of hundredths.'],
    [guaranteedMinor >= highest, 'guaranteed_minor', 'The floor is at least the highest fixed prize.'],
    [
      !isWhole(pool, 2, MAX_POOL) ||
        !isWhole(pick, 1, pool - 1) ||
        BigInt(Math.trunc(guaranteedMinor)) * 5n <= BigInt(Math.trunc(priceMinor)) * combinations(pool, pick),
      'guaranteed_minor',
      'The floor is at most 20% of price × combinations.',
    ],
  ])
}

/** What has to be so at a place, and the sentence for when it is not. */
type Condition = readonly [isMet: boolean, at: string, problem: string]

function unmet(conditions: readonly Condition[]): RulesProblem[] {
  return conditions.flatMap(([isMet, at, problem]) => (isMet ? [] : [{ at, problem }]))
}

function isWhole(value: number, min: number, max = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max
}
