import { createPrng } from './prng.ts'

const LIKELIHOOD = 0.15
/** Early enough for his play to have its place before the first draw closes. */
const LATEST_SECONDS = 120
/** How long his play has had its place when he takes its payment back. */
const LONGEST_WAIT_SECONDS = 60
/** How often the payment is not spent otherwise, and comes again. */
const COMES_AGAIN = 0.4
const LATEST_RETURN_SECONDS = 300

/** How often he looks whether his play has its place. */
export const PLACE_LOOK_SECONDS = 10
/** What is missing in one look, and in another so much later, is taken back. */
export const MISSING_SECONDS = 65

/** What somebody does in a seed who takes the payment of a play back that has its place in an open draw. */
export interface TakingBack {
  /** when he orders, in seconds from the start of the seed */
  readonly after: number
  /** how long he waits once the play has its place, in seconds */
  readonly wait: number
  /** after how many seconds the same payment comes again; null where its coin is spent otherwise */
  readonly comesAgainAfter: number | null
}

/** Whether somebody takes the payment of a play back in a seed, and how; null where nobody does. */
export function takingBackOf(seed: number): TakingBack | null {
  const prng = createPrng(`${seed} double spender`) // its own, so that the other faults of a seed stay what they are
  if (!prng.chance(LIKELIHOOD)) return null
  return {
    after: prng.between(1, LATEST_SECONDS),
    wait: prng.between(1, LONGEST_WAIT_SECONDS),
    comesAgainAfter: prng.chance(COMES_AGAIN) ? prng.between(MISSING_SECONDS, LATEST_RETURN_SECONDS) : null,
  }
}
