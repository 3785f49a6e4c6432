import { assert } from './assert.ts'
import { combinations } from './combinations.ts'
import type { GameRules, PrizeTier } from './games.ts'

/** An exact fraction. The denominator is above zero; it need not be in lowest terms. */
interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** How many numbers a line has, and from how many they are chosen. */
type LineShape = Pick<GameRules, 'pick' | 'pool'>

/**
 * Number of possible lines with exactly this many matches with drawn numbers:
 * C(pick, matches) × C(pool − pick, pick − matches). Over all matches they sum to C(pool, pick).
 *
 * @param matches 0 to pick
 */
export function linesWithMatches({ pick, pool }: LineShape, matches: number): bigint {
  assert(
    Number.isSafeInteger(matches) && matches >= 0 && matches <= pick,
    `not a number of matches: ${matches} of ${pick}`,
  )
  return combinations(pick, matches) * combinations(pool - pick, pick - matches)
}

/** The exact probability that a line has this many matches, 0 to pick. */
export function oddsOfMatches(game: LineShape, matches: number): Fraction {
  return { numerator: linesWithMatches(game, matches), denominator: combinations(game.pool, game.pick) }
}

/**
 * "1 in so many", to show: the inverse of the probability of exactly this many matches, rounded to the nearest whole
 * number, half up. 0 where it cannot happen.
 */
export function oneIn(game: LineShape, matches: number): bigint {
  const { numerator, denominator } = oddsOfMatches(game, matches)
  return numerator === 0n ? 0n : (2n * denominator + numerator) / (2n * numerator)
}

/**
 * What the fixed prizes cost on average per entry, exactly, in units of whatever `prizeOf` gives: pence, or satoshis at
 * a rate. Free tickets and the jackpot do not count.
 *
 * @param prizeOf the prize of a fixed tier, from its amount in pence; the amount itself when left out
 */
export function expectedFixedPrizes(
  game: LineShape & { readonly tiers: readonly PrizeTier[] },
  prizeOf: (prizeMinor: number) => bigint = BigInt,
): Fraction {
  let numerator = 0n
  for (const tier of game.tiers) {
    if (tier.kind === 'fixed') numerator += linesWithMatches(game, tier.matches) * prizeOf(tier.prizeMinor)
  }
  return { numerator, denominator: combinations(game.pool, game.pick) }
}

/**
 * Which part of the price the prizes below the jackpot cost on average, a free ticket counted at the price: between
 * 28.8% and 31.5% for the seeded games, to a tenth of a percent (decisions section 4).
 */
export function costBelowJackpot(
  game: LineShape & { readonly tiers: readonly PrizeTier[]; readonly priceMinor: number },
): Fraction {
  const fixed = expectedFixedPrizes(game)
  const price = BigInt(game.priceMinor)
  const freeLines = game.tiers
    .filter((tier) => tier.kind === 'free')
    .reduce((sum, tier) => sum + linesWithMatches(game, tier.matches), 0n)
  return { numerator: fixed.numerator + freeLines * price, denominator: fixed.denominator * price }
}
