import { createPrng } from './prng.ts'

const LIKELIHOOD = 0.15
/** Early enough for the play to have its place before the first draw closes, in seconds. */
const LATEST_SECONDS = 120
/** Longest time between the play getting its place and its payment being taken back, in seconds. */
const LONGEST_WAIT_SECONDS = 60
/** Share of cases in which the payment returns instead of its coin being spent elsewhere. */
const COMES_AGAIN = 0.4
const LATEST_RETURN_SECONDS = 300

/** Interval at which the double spender checks for the play's place, in seconds. */
export const PLACE_LOOK_SECONDS = 10
/** A payment that is missing in two checks this many seconds apart counts as taken back. */
export const MISSING_SECONDS = 65

/** The plan of a double spender, who takes back the payment of a play with a place in an open draw. */
export interface TakingBack {
  /** when the order is placed, in seconds from the start of the seed */
  readonly after: number
  /** wait once the play has its place, in seconds */
  readonly wait: number
  /** delay until the same payment returns, in seconds; null if its coin is spent elsewhere */
  readonly comesAgainAfter: number | null
}

/** The double spender's plan in a seed; null if there is none. */
export function takingBackOf(seed: number): TakingBack | null {
  const prng = createPrng(`${seed} double spender`) // a separate stream, so that the seed's other faults stay the same
  if (!prng.chance(LIKELIHOOD)) return null
  return {
    after: prng.between(1, LATEST_SECONDS),
    wait: prng.between(1, LONGEST_WAIT_SECONDS),
    comesAgainAfter: prng.chance(COMES_AGAIN) ? prng.between(MISSING_SECONDS, LATEST_RETURN_SECONDS) : null,
  }
}
