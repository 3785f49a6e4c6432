// What a payout over Lightning may cost, and who bears it (lightning.md, section 5.6). Pure; sats and msat.

/** Refunds and excess bear a fixed share: a satoshi and half a percent of them. Nobody farms fees through a channel. */
const SHARE_SATS = 1n
const SHARE_PPM = 5_000n
const MILLION = 1_000_000n
const MSAT = 1_000n
/** From this attempt on a prize may cost twice as much. */
const DEARER_FROM = 3

/** The operator's limits for the fees of prizes. */
export interface FeeLimits {
  /** in millionths of the prize */
  readonly feePpm: bigint
  /** the least limit, in sats */
  readonly feeMinSats: bigint
}

/** The part of refunds and excess that their payment may cost, in sats: their player bears it, whatever it costs. */
export function lightningShare(returnSats: bigint): bigint {
  return returnSats === 0n ? 0n : SHARE_SATS + (returnSats * SHARE_PPM + MILLION - 1n) / MILLION
}

/** The most that the way of an attempt may cost, in msat. */
export function maxFeeMsat(prizeSats: bigint, shareSats: bigint, attempt: number, limits: FeeLimits): bigint {
  if (prizeSats === 0n) return shareSats * MSAT
  const proportional = (prizeSats * limits.feePpm) / MILLION
  const limit = proportional > limits.feeMinSats ? proportional : limits.feeMinSats
  return (limit * (attempt < DEARER_FROM ? 1n : 2n) + shareSats) * MSAT
}

/** What a payment cost beyond what arrived, in sats, rounded up: the node never holds less than the ledger says. */
export function feeSats(sentMsat: bigint, amountMsat: bigint): bigint {
  const fee = sentMsat - amountMsat
  if (fee < 0n) throw new RangeError(`a payment of ${amountMsat} msat took ${sentMsat}`)
  return (fee + MSAT - 1n) / MSAT
}
