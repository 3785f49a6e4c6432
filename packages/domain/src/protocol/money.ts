import { FEWEST_QUOTES, LOWEST_RATE, QUOTE_AGE_SECONDS, RATE_FACTOR, RATE_LIMIT } from './numbers.ts'
import type { Rules } from './rules.ts'
import type { GameState, Quote } from './statement-codecs.ts'

/**
 * The money of a draw (section 9), in satoshis: shares of a stake, rate, guarantee, prizes, and the state of a game.
 */

/** The state of a game before its first draw. */
export const FIRST_STATE: GameState = { closed: 0, settled: 0, pot: 0n, won: 0, used: 0, carried: 0 }

/** Shares a stake: donation and fee are rounded down, and the rest is for prizes. */
export function shareStake(stake: bigint, { donation, fee }: Rules['split']) {
  const donated = (stake * BigInt(donation)) / 100n
  const charged = (stake * BigInt(fee)) / 100n
  return { donation: donated, fee: charged, share: stake - donated - charged }
}

/** An amount of the price's currency at a rate, rounded down: `⌊minor × rate / 100⌋`. */
export function satsOf(minor: number, rate: number): bigint {
  return (BigInt(minor) * BigInt(rate)) / 100n
}

/**
 * The bankroll's guarantee for a draw: `cover` for fixed prizes and `floor` for the jackpot, less what it is short of.
 */
export function guaranteeOf({ floor, cover, short }: { floor: bigint; cover: bigint; short: bigint }) {
  return { cover: greater(cover - short, 0n), floor: floor - greater(short - cover, 0n) }
}

/** The prizes of a draw by its rules. */
export interface Prizes {
  /** prize of one winner, by tier in the order of the rules; 0 for free tickets and for a jackpot without a winner */
  readonly each: readonly bigint[]
  /** amount returned to the pot */
  readonly left: bigint
}

/**
 * The prizes of a draw.
 *
 * @param winners winning lines, by tier in the order of the rules
 * @param close the amounts and the rate of the close
 */
export function prizesOf(
  rules: Pick<Rules, 'tier'>,
  winners: readonly number[],
  close: {
    readonly rate: number
    readonly pool: bigint
    readonly floor: bigint
    readonly cover: bigint
    readonly short: bigint
  },
): Prizes {
  const { pool, rate } = close
  const guarantee = guaranteeOf(close)
  const counts = rules.tier.map((_, place) => BigInt(winners[place] ?? 0))
  const promised = rules.tier.map(({ kind, minor }) => (kind === 'fixed' ? satsOf(minor, rate) : 0n))
  const most = pool + guarantee.cover
  const asked = sumOf(promised.map((each, place) => each * (counts[place] ?? 0n)))
  const fixed = asked > most ? promised.map((each) => (each * most) / asked) : promised
  const rest = greater(pool - sumOf(fixed.map((each, place) => each * (counts[place] ?? 0n))), 0n)
  const jackpot = greater(rest, guarantee.floor)
  const jackpotWinners = counts[0] ?? 0n
  if (jackpotWinners === 0n) return { each: fixed, left: rest }
  const each = jackpot / jackpotWinners
  return { each: [each, ...fixed.slice(1)], left: jackpot - jackpotWinners * each }
}

/** The total that a draw pays: Σ winners × each. */
export function wonOf(winners: readonly number[], { each }: Prizes): bigint {
  return sumOf(each.map((amount, place) => amount * BigInt(winners[place] ?? 0)))
}

/** The number of free tickets that a draw gives: the winners of free tiers. */
export function freeTicketsOf({ tier }: Pick<Rules, 'tier'>, winners: readonly number[]): number {
  return tier.reduce((sum, { kind }, place) => sum + (kind === 'free' ? (winners[place] ?? 0) : 0), 0)
}

/** The lower median of rates. @throws RangeError if there are none */
export function lowerMedian(rates: readonly number[]): number {
  const sorted = rates.toSorted((one, other) => one - other)
  const median = sorted[(sorted.length - 1) >> 1]
  if (median === undefined) throw new RangeError('no rate has no median')
  return median
}

/** Whether quotes can make a rate: they come from the sources, one each, and none is older than 15 minutes. */
export function isQuoted(quotes: readonly Quote[], sources: readonly string[], at: number): boolean {
  const names = new Set(quotes.map(({ source }) => source))
  const areCurrent = quotes.every((quote) => quote.at <= at && quote.at >= at - QUOTE_AGE_SECONDS)
  const areNamed = quotes.every(({ source }) => sources.includes(source))
  return names.size === quotes.length && quotes.length >= FEWEST_QUOTES && areCurrent && areNamed
}

/** Whether a number can be a rate (sections 2 and 13). */
export function isRate(rate: number): boolean {
  return rate >= LOWEST_RATE && rate < RATE_LIMIT
}

/**
 * The distance of a rate from the rate of sale: within the band, beyond it, or larger than a day's change can explain.
 */
export function bandOf(rate: number, reference: number, percent: number): 'within' | 'beyond' | 'absurd' {
  const [one, other] = [BigInt(rate), BigInt(reference)]
  const factor = BigInt(RATE_FACTOR)
  if (one > factor * other || factor * one < other) return 'absurd'
  const distance = one > other ? one - other : other - one
  return distance * 100n <= BigInt(percent) * other ? 'within' : 'beyond'
}

/** The pool of a close: the pot, the amount added, and the stakes' share. */
export function poolOf(before: Pick<GameState, 'pot'>, added: bigint, stake: bigint, split: Rules['split']): bigint {
  return before.pot + added + shareStake(stake, split).share
}

/** The state after a close. If `carried` is below 0, more plays were carried over than exist. */
export function afterClose(before: GameState, { free, carried }: { free: number; carried: number }): GameState {
  return {
    ...before,
    closed: before.closed + 1,
    pot: 0n,
    used: before.used + free,
    carried: before.carried - carried,
  }
}

/** The state after a result. */
export function afterResult(
  before: GameState,
  { left, freeTickets }: { left: bigint; freeTickets: number },
): GameState {
  return { ...before, settled: before.settled + 1, pot: before.pot + left, won: before.won + freeTickets }
}

/** The state after a draw that became void without a close. */
export function afterVoid(before: GameState): GameState {
  return { ...before, closed: before.closed + 1, settled: before.settled + 1 }
}

/** The state after a draw that became void after its close: pool, free tickets and paid lines are returned. */
export function afterVoidOfClose(
  before: GameState,
  { pool, lines, free }: { pool: bigint; lines: number; free: number },
): GameState {
  return {
    ...before,
    settled: before.settled + 1,
    pot: before.pot + pool,
    used: before.used - free,
    carried: before.carried + (lines - free),
  }
}

/** Whether two states are equal. */
export function isSameState(one: GameState, other: GameState): boolean {
  return (Object.keys(FIRST_STATE) as (keyof GameState)[]).every((key) => one[key] === other[key])
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
