import type { GameRules } from './games.ts'
import { combinations } from './combinations.ts'
import { linesWithMatches } from './odds.ts'

/** The rules that a game's odds depend on. */
type Odds = Pick<GameRules, 'pick' | 'pool' | 'tiers'>

/**
 * The N of "1 in N lines wins anything", in tenths: 66 is 1 in 6.6. The inverse of the probability that a line reaches
 * any tier, rounded half up.
 */
export function oneInAnyTenths({ pick, pool, tiers }: Odds): bigint {
  const winning = tiers.reduce((sum, tier) => sum + linesWithMatches({ pick, pool }, tier.matches), 0n)
  return roundedHalfUp(10n * combinations(pool, pick), winning)
}

/** Where the stakes of a game go in the long run, in tenths of a percent. The four parts sum to 1000. */
interface LongRunShares {
  readonly donationPermille: number
  readonly feePermille: number
  /** fixed prizes, including those of free tickets */
  readonly fixedPermille: number
  /** the rest of the prize pool, for jackpots */
  readonly jackpotPermille: number
}

/**
 * Where the stakes of a game go in the long run, if all free tickets are played and jackpots are won at their odds. A
 * paid entry pays the price once, and leads to 1 / (1 − f) entries on average, where f is the probability of a free
 * ticket: each of them may win a fixed prize.
 *
 * @returns fixed prizes rounded half up to a tenth of a percent; the jackpot is the rest of the prize pool
 */
export function longRunShares({
  pick,
  pool,
  tiers,
  priceMinor,
  split,
}: Odds & Pick<GameRules, 'priceMinor' | 'split'>): LongRunShares {
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
    donationPermille: split.donation * 10,
    feePermille: split.fee * 10,
    fixedPermille,
    jackpotPermille: split.prizePool * 10 - fixedPermille,
  }
}

function roundedHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
