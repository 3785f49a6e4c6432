/** A live rate that differs by more than this from the last stored one is not trusted immediately: 10%. */
const JUMP_PERCENT = 10n
/** The second reading has to be this close to the first: 5%. */
const NEAR_PERCENT = 5n
/** Two readings closer together than this are one. */
const LEAST_PAUSE_SECONDS = 30
/** A reading longer ago than this confirms nothing. */
const LONGEST_PAUSE_SECONDS = 15 * 60

/** A reading that differed too much to be trusted alone. */
interface RateDoubt {
  /** epoch seconds */
  readonly at: number
  /** whole sats per unit */
  readonly satsPerUnit: bigint
}

/**
 * Whether a live rate is stored. One that jumped, even if several sources agree on it, is trusted only when a second
 * reading half a minute to a quarter of an hour later says the same; until then nothing is sold in its currency.
 *
 * @param reading.lastSatsPerUnit the rate stored last, however old; null for the first
 * @param reading.doubt the jump that is waiting for its confirmation, if there is one
 * @returns `doubted`: this reading is the one to be confirmed now; `waiting`: the one before it still is
 */
export function judgeRate(reading: {
  satsPerUnit: bigint
  lastSatsPerUnit: bigint | null
  doubt: RateDoubt | null
  now: number
}): 'believed' | 'doubted' | 'waiting' {
  const { satsPerUnit, lastSatsPerUnit, doubt, now } = reading
  if (lastSatsPerUnit === null || isNear(satsPerUnit, lastSatsPerUnit, JUMP_PERCENT)) return 'believed'
  if (doubt === null || !isNear(satsPerUnit, doubt.satsPerUnit, NEAR_PERCENT)) return 'doubted'
  const pause = now - doubt.at
  if (pause > LONGEST_PAUSE_SECONDS) return 'doubted'
  return pause >= LEAST_PAUSE_SECONDS ? 'believed' : 'waiting'
}

/** Rates are whole satoshis: a yen is about seven of them, and one more or less is rounding, not a jump. */
function isNear(sats: bigint, from: bigint, percent: bigint): boolean {
  const apart = sats > from ? sats - from : from - sats
  return (apart - 1n) * 100n <= from * percent
}
