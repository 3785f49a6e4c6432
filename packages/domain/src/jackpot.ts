import { assert } from './assert.ts'
import type { GameRules, PrizeTier } from './games.ts'
import { satsOfMinor } from './money.ts'
import { expectedFixedPrizes } from './odds.ts'

/** An equal share for each, and the remainder. */
interface JackpotShares {
  readonly shareSats: bigint
  readonly leftSats: bigint
}

/**
 * Shares an amount equally: a jackpot between the winning entries of a draw, a donation between partners.
 *
 * @param poolSats amount to share, 0 or more
 * @param winners number of shares, from 1
 * @returns the share of each, and the remainder, which stays in place. Nothing is made or lost:
 *   `shareSats * winners + leftSats === poolSats`, and `leftSats < winners`.
 */
export function shareJackpot(poolSats: bigint, winners: number): JackpotShares {
  assert(poolSats >= 0n, `prize pool is negative: ${poolSats} sats`)
  assert(Number.isSafeInteger(winners) && winners > 0, `cannot share a jackpot between ${winners} entries`)
  const count = BigInt(winners)
  return { shareSats: poolSats / count, leftSats: poolSats % count }
}

/** Everything that the prizes of a draw depend on: it is in the rules and the close statement (fairness section 7). */
interface SettledDraw {
  /** from the jackpot down */
  readonly tiers: readonly PrizeTier[]
  /** number of entries by their matches; absent means none */
  readonly winnersByMatches: ReadonlyMap<number, number>
  /** the draw's pot at its close, including the game's prize pool */
  readonly poolSats: bigint
  /** maximum that the operator adds to fixed prizes */
  readonly bankrollSats: bigint
  /** the guaranteed jackpot */
  readonly floorSats: bigint
  /** the rate of the draw, in whole satoshis per pound */
  readonly satsPerUnit: bigint
}

/** One line of a draw's prize breakdown. */
interface SettledTier {
  readonly matches: number
  readonly kind: PrizeTier['kind']
  readonly winners: number
  /** amount for each winner; 0 for a free ticket, and for a jackpot without a winner */
  readonly satsEach: bigint
}

/** The payments of a draw and their sources. All amounts in satoshis. */
interface Settlement {
  /** the tiers of the rules, from the top, as in the result statement */
  readonly tiers: readonly SettledTier[]
  /** F: the sum of all fixed prizes of this draw */
  readonly fixedSats: bigint
  /** J: the jackpot of this draw, whether won or not */
  readonly jackpotSats: bigint
  readonly isJackpotWon: boolean
  /** whether fixed prizes exceeded pot and cover and were scaled down pro rata */
  readonly isScaled: boolean
  /** settle 1, reserve → pot: F − pot if that is above zero; never more than the cover */
  readonly fixedFromReserveSats: bigint
  /** settle 3, reserve → pot: the part of a won jackpot that the pot does not cover; never more than the floor */
  readonly jackpotFromReserveSats: bigint
  /** sum for all winners of the jackpot: floor(J / winners) × winners, 0 without a winner */
  readonly jackpotPaidSats: bigint
  /** settle 5, pot → prize pool: the rest of the pot after all payments */
  readonly leftSats: bigint
}

/**
 * The prizes of a draw (fairness section 8) and the amounts of the postings that pay them (decisions section 5, settle
 * 1 to 5). Nothing is made or lost: `poolSats + fixedFromReserveSats + jackpotFromReserveSats === fixedSats +
 * jackpotPaidSats + leftSats`.
 *
 * @throws RangeError for negative amounts or counts
 */
export function settlePrizes(draw: SettledDraw): Settlement {
  const { tiers, winnersByMatches, poolSats, bankrollSats, floorSats, satsPerUnit } = draw
  for (const sats of [poolSats, bankrollSats, floorSats]) assert(sats >= 0n, `an amount below zero: ${sats} sats`)
  const winnersOf = (tier: PrizeTier): number => winnersByMatches.get(tier.matches) ?? 0
  for (const tier of tiers) {
    assert(Number.isSafeInteger(winnersOf(tier)) && winnersOf(tier) >= 0, `not a number of winners: ${winnersOf(tier)}`)
  }

  const fullPrizes = tiers.map((tier) => (tier.kind === 'fixed' ? satsOfMinor(tier.prizeMinor, satsPerUnit) : 0n))
  const costOf = (prizes: readonly bigint[]): bigint =>
    tiers.reduce((sum, tier, place) => sum + BigInt(winnersOf(tier)) * (prizes[place] ?? 0n), 0n)
  const fullSats = costOf(fullPrizes)
  const coveredSats = poolSats + bankrollSats
  const isScaled = fullSats > coveredSats
  const prizes = isScaled ? fullPrizes.map((sats) => (sats * coveredSats) / fullSats) : fullPrizes
  const fixedSats = costOf(prizes)

  const potLeftSats = poolSats > fixedSats ? poolSats - fixedSats : 0n
  const jackpotSats = potLeftSats > floorSats ? potLeftSats : floorSats
  const jackpotWinners = tiers.filter((tier) => tier.kind === 'jackpot').reduce((sum, tier) => sum + winnersOf(tier), 0)
  const isJackpotWon = jackpotWinners > 0
  const shareSats = isJackpotWon ? shareJackpot(jackpotSats, jackpotWinners).shareSats : 0n
  const jackpotFromReserveSats = isJackpotWon ? jackpotSats - potLeftSats : 0n
  const jackpotPaidSats = shareSats * BigInt(jackpotWinners)
  return {
    tiers: tiers.map((tier, place) => ({
      matches: tier.matches,
      kind: tier.kind,
      winners: winnersOf(tier),
      satsEach: tier.kind === 'jackpot' ? shareSats : (prizes[place] ?? 0n),
    })),
    fixedSats,
    jackpotSats,
    isJackpotWon,
    isScaled,
    fixedFromReserveSats: fixedSats > poolSats ? fixedSats - poolSats : 0n,
    jackpotFromReserveSats,
    jackpotPaidSats,
    leftSats: potLeftSats + jackpotFromReserveSats - jackpotPaidSats,
  }
}

/** The operator's reserve for a draw at its close, in satoshis. */
interface DrawReserve {
  /** the guaranteed jackpot of the draw */
  readonly floorSats: bigint
  /** maximum added to its fixed prizes; `bankroll` of the close statement */
  readonly coverSats: bigint
}

/**
 * The amounts that move from the bankroll into a draw's reserve at its close: floor = min(guaranteed × rate, free
 * bankroll), cover = min(cover × rate, free bankroll − floor) (decisions section 5). Together never more than the free
 * bankroll.
 *
 * @param freeBankrollSats the bankroll that is not reserved for other draws, 0 or more
 */
export function reserveOfDraw({
  guaranteedMinor,
  coverMinor,
  satsPerUnit,
  freeBankrollSats,
}: {
  readonly guaranteedMinor: number | bigint
  readonly coverMinor: number | bigint
  readonly satsPerUnit: bigint
  readonly freeBankrollSats: bigint
}): DrawReserve {
  assert(freeBankrollSats >= 0n, `the bankroll is negative: ${freeBankrollSats} sats`)
  const floorSats = smaller(satsOfMinor(guaranteedMinor, satsPerUnit), freeBankrollSats)
  return { floorSats, coverSats: smaller(satsOfMinor(coverMinor, satsPerUnit), freeBankrollSats - floorSats) }
}

/** Input for the estimate of the advertised jackpot; amounts in satoshis. */
interface JackpotOutlook {
  readonly game: Pick<GameRules, 'pick' | 'pool' | 'tiers' | 'split'>
  /** the game's prize pool; from close to settlement the closed draw's pot */
  readonly poolSats: bigint
  /** stakes so far for the draw; 0 from the close on, when they are in the pot */
  readonly stakeSats: bigint
  /** entries so far, including free ones */
  readonly entries: number
  /** the guaranteed jackpot */
  readonly floorSats: bigint
  /** the current rate, in whole satoshis per pound */
  readonly satsPerUnit: bigint
}

/**
 * The advertised jackpot, labelled estimated: max(prize pool + floor(its share of the stakes so far) − ceil(entries ×
 * expected fixed prizes), floor), in satoshis (decisions section 5). Each fixed prize is rounded down to whole
 * satoshis, as it is when paid.
 */
export function estimatedJackpot({
  game,
  poolSats,
  stakeSats,
  entries,
  floorSats,
  satsPerUnit,
}: JackpotOutlook): bigint {
  for (const sats of [poolSats, stakeSats, floorSats]) assert(sats >= 0n, `an amount below zero: ${sats} sats`)
  assert(Number.isSafeInteger(entries) && entries >= 0, `not a number of entries: ${entries}`)
  const expected = expectedFixedPrizes(game, (prizeMinor) => satsOfMinor(prizeMinor, satsPerUnit))
  const fixedSats = (BigInt(entries) * expected.numerator + expected.denominator - 1n) / expected.denominator
  const leftSats = poolSats + (stakeSats * BigInt(game.split.prizePool)) / 100n - fixedSats
  return leftSats > floorSats ? leftSats : floorSats
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
