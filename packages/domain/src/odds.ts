import { assert } from './assert.ts'
import { combinations } from './combinations.ts'
import type { GameRules, PrizeTier } from './games.ts'

/** An exact fraction. The denominator is above zero; it need not be in lowest terms. */
interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The number of numbers of a line, and of the pool they are chosen from. */
type LineShape = Pick<GameRules, 'pick' | 'pool'>

/**
 * Number of possible lines with exactly this many matches:
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
 * The N of "1 in N": the inverse of the probability of exactly this many matches, rounded to the nearest whole number,
 * half up. 0 if it cannot happen.
 */
export function oneIn(game: LineShape, matches: number): bigint {
  const { numerator, denominator } = oddsOfMatches(game, matches)
  return numerator === 0n ? 0n : (2n * denominator + numerator) / (2n * numerator)
}

/**
 * The average cost of the fixed prizes per entry, exact, in the unit of `prizeOf`: pence, or satoshis at a rate. Free
 * tickets and the jackpot do not count.
 *
 * @param prizeOf the prize of a fixed tier, from its amount in pence; by default the amount itself
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
 * The average cost of the prizes below the jackpot as a part of the price, with a free ticket counted at the price:
 * between 28.8% and 31.5% for the seeded games, to a tenth of a percent (decisions section 4).
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
