import type { GameRules } from './games.ts'
import { combinations } from './combinations.ts'
import { SPLIT_PERCENT } from './jackpot.ts'
import { linesWithMatches } from './odds.ts'

/** What of a game its odds depend on. */
type Odds = Pick<GameRules, 'pick' | 'pool' | 'tiers'>

/**
 * "1 in so many lines wins anything", in tenths: 66 is 1 in 6.6. The inverse of the probability that a line reaches any
 * tier, rounded half up.
 */
export function oneInAnyTenths({ pick, pool, tiers }: Odds): bigint {
  const winning = tiers.reduce((sum, tier) => sum + linesWithMatches({ pick, pool }, tier.matches), 0n)
  return roundedHalfUp(10n * combinations(pool, pick), winning)
}

/** Where the stakes of a game go in the long run, in tenths of a percent. The four parts sum to 1000. */
interface LongRunShares {
  readonly donationPermille: number
  readonly feePermille: number
  /** fixed prizes, those that free tickets win included */
  readonly fixedPermille: number
  /** what is left in the prize pool for jackpots */
  readonly jackpotPermille: number
}

/**
 * Where every part of what is paid for the entries of a game goes in the long run, when all free tickets are played and
 * jackpots are won as often as their odds say. A paid entry brings the price once, and on average 1 / (1 − f) entries into
 * the draws, f being the probability of a free ticket: each of them may win a fixed prize.
 *
 * @returns fixed prizes rounded half up to a tenth of a percent; the jackpot is the rest of the prize pool
 */
export function longRunShares({ pick, pool, tiers, priceMinor }: Odds & Pick<GameRules, 'priceMinor'>): LongRunShares {
  let freeLines = 0n
  let prizesMinor = 0n
  for (const tier of tiers) {
    const lines = linesWithMatches({ pick, pool }, tier.matches)
    if (tier.kind === 'free') freeLines += lines
    if (tier.kind === 'fixed') prizesMinor += lines * BigInt(tier.prizeMinor)
  }
  const paidLines = combinations(pool, pick) - freeLines
  const fixedPermille = Number(roundedHalfUp(1000n * prizesMinor, paidLines * BigInt(priceMinor)))
  return {
    donationPermille: SPLIT_PERCENT.donation * 10,
    feePermille: SPLIT_PERCENT.fee * 10,
    fixedPermille,
    jackpotPermille: SPLIT_PERCENT.prizePool * 10 - fixedPermille,
  }
}

function roundedHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
