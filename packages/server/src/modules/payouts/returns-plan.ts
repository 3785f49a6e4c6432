import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { FeeEstimate } from '../../ports/wallet/wallet.ts'
import {
  type AddressGroup,
  groupsOf,
  LARGE_PAYOUT,
  LEAST_DUST_SATS,
  MAX_OUTPUTS,
  type Owed,
  type PlannedPayout,
  sumOf,
} from './batch.ts'

/** An output without its script: the amount and the script's length, in virtual bytes. */
const OUTPUT_VBYTES = 9n
/** The script of the smallest output we pay (wpkh), in virtual bytes. */
const LEAST_SCRIPT_VBYTES = 22n
/** How much larger a transaction may be than calculated, because sizes are rounded up. */
const ROUNDING_VBYTES = 2n
/** Part of the float that may be returned in 24 hours without a person: in total, and to one address. */
const TOTAL_SHARE = { numerator: 25n, denominator: 100n }
const ADDRESS_SHARE = { numerator: 5n, denominator: 100n }
/** Excess of one order beyond this many times its price, and beyond this many pounds, always needs approval. */
const EXCESS_TIMES = 3n
const EXCESS_POUNDS = 50n

export const BEYOND_ORDER = `more than ${EXCESS_TIMES} times its price and £${EXCESS_POUNDS} came too much for one order`
export const BEYOND_ADDRESS = 'more than 5% of the float would be returned to one address in 24 hours'
export const BEYOND_TOTAL = 'more than 25% of the float would be returned in 24 hours'

/** A refund or an excess payment that waits: one row of payables. */
export interface OwedReturn extends Owed {
  readonly payee: { readonly playerId: bigint }
  /** for excess: its order's total excess, paid or not, the price, and the value of a pound in sats */
  readonly order: { readonly excessSats: bigint; readonly dueSats: bigint; readonly poundSats: bigint } | null
}

/** What limits the returns that leave without a person (docs/decisions/0039); amounts in sats. */
interface ReturnLimits {
  /** the intended balance of the hot wallet */
  readonly floatSats: bigint
  /** what was returned in the last 24 hours without approval, by address in one spelling */
  readonly returned: ReadonlyMap<string, bigint>
}

/** What planning returns needs; amounts in sats. */
export interface ReturnsSituation {
  readonly network: BitcoinNetwork
  readonly fee: FeeEstimate
  /** what the hot wallet holds beyond everything that takes precedence over returns; negative if that is not covered */
  readonly freeSats: bigint
  /** above this, what is returned to one address needs approval; null for no limit */
  readonly approvalSats: bigint | null
  /** null in the demo */
  readonly limits: ReturnLimits | null
}

/** One batch of returns. */
export interface PlannedReturns {
  readonly payouts: readonly PlannedPayout[]
  /** why a person has to approve it before it is signed; null if that is not needed */
  readonly approvalReason: string | null
}

/** What may be returned of a float in 24 hours without a person, in sats. */
export function returnLimitOf(floatSats: bigint): bigint {
  return shareOf(floatSats, TOTAL_SHARE)
}

/**
 * Chooses the returns that leave now, oldest first. They use only what is free, bear the fee in equal parts, and leave
 * once at least their share of it arrives, and the dust limit. What is beyond a limit is a batch of its own, for a
 * person to approve. Everything else waits, and is planned again with what has come by then.
 */
export function planReturns(owed: readonly OwedReturn[], situation: ReturnsSituation): PlannedReturns[] {
  const { network, fee } = situation
  const sorted = groupsOf(owed, network)
    .flatMap((group) => group.members)
    .toSorted(byAge)
  const chosen = new Map<string, { reason: string | null; returns: OwedReturn[] }>()
  const admit = admission(situation)
  for (const one of sorted) {
    const verdict = admit(one)
    if (verdict === 'waits') continue
    const key = verdict === null || verdict === BEYOND_TOTAL ? String(verdict) : `${verdict} ${one.address}`
    const batch = chosen.get(key) ?? { reason: verdict, returns: [] }
    batch.returns.push(one)
    chosen.set(key, batch)
  }
  return [...chosen.values()].flatMap(({ reason, returns }) =>
    batchesOf(groupsOf(returns, network), fee).map((payouts) => ({ payouts, approvalReason: reason })),
  )
}

/** Whether a player's returns at an address are sent at the lowest fee that a wallet ever pays. */
export function isReturnPayable(owed: readonly OwedReturn[], network: BitcoinNetwork, fee: FeeEstimate): boolean {
  return batchesOf(groupsOf(owed, network), fee).length > 0
}

/** The least owed at an address for any return to leave at a fee, in sats: less need not be checked. */
export function leastReturnSats(fee: FeeEstimate): bigint {
  const shareSats = outputFeeSats(LEAST_SCRIPT_VBYTES, MAX_OUTPUTS, fee)
  return shareSats + (shareSats > LEAST_DUST_SATS ? shareSats : LEAST_DUST_SATS)
}

/** Decides on one return after the other, oldest first: it leaves (null), waits, or needs approval for a reason. */
function admission({ freeSats, approvalSats, limits }: ReturnsSituation): (one: OwedReturn) => string | null {
  const sentTo = new Map<string, bigint>()
  const returnedTo = new Map(limits?.returned)
  let returnedSats = [...returnedTo.values()].reduce((sum, sats) => sum + sats, 0n)
  let leftSats = freeSats
  return ({ address, sats, order }) => {
    if (limits !== null && order !== null && isLargeExcess(order)) return BEYOND_ORDER
    // Nothing is free: a float measured by the wallet's balance would be meaningless.
    if (leftSats <= 0n) return 'waits'
    const sentSats = (sentTo.get(address) ?? 0n) + sats
    if (approvalSats !== null && sentSats > approvalSats) return LARGE_PAYOUT
    const addressSats = (returnedTo.get(address) ?? 0n) + sats
    if (limits !== null && addressSats > shareOf(limits.floatSats, ADDRESS_SHARE)) return BEYOND_ADDRESS
    if (limits !== null && returnedSats + sats > returnLimitOf(limits.floatSats)) return BEYOND_TOTAL
    if (sats > leftSats) return 'waits'
    sentTo.set(address, sentSats)
    returnedTo.set(address, addressSats)
    returnedSats += sats
    leftSats -= sats
    return null
  }
}

function isLargeExcess({ excessSats, dueSats, poundSats }: NonNullable<OwedReturn['order']>): boolean {
  return excessSats > EXCESS_TIMES * dueSats && excessSats > EXCESS_POUNDS * poundSats
}

/** Batches of at most 500 addresses, each with shares of its own fee. */
function batchesOf(groups: readonly AddressGroup<OwedReturn>[], fee: FeeEstimate): PlannedPayout[][] {
  const batches: PlannedPayout[][] = []
  for (let from = 0; from < groups.length; from += MAX_OUTPUTS) {
    const payouts = worthSending(groups.slice(from, from + MAX_OUTPUTS), fee)
    if (payouts.length > 0) batches.push(payouts)
  }
  return batches
}

/** A return that waits leaves a larger part of the fee to the others, so the fee is divided again without it. */
function worthSending(groups: readonly AddressGroup<OwedReturn>[], fee: FeeEstimate): PlannedPayout[] {
  let chosen = groups
  for (;;) {
    const outputs = chosen.length
    const roundedUp = { ...fee, bareVbytes: fee.bareVbytes + ROUNDING_VBYTES }
    const isWorth = ({ totalSats, dustSats, scriptBytes }: AddressGroup): boolean => {
      const arrivingSats = totalSats - outputFeeSats(scriptBytes, outputs, fee)
      const costSats = outputFeeSats(scriptBytes, outputs, roundedUp)
      return arrivingSats >= dustSats && totalSats >= 2n * costSats
    }
    const kept = chosen.filter(isWorth)
    if (kept.length === outputs) return chosen.flatMap((group) => payoutsOf(group, outputs, fee))
    chosen = kept
  }
}

/** One payout per player; the fee of their output is divided by what each gets. The operator bears the remainder. */
function payoutsOf(group: AddressGroup<OwedReturn>, outputs: number, fee: FeeEstimate): PlannedPayout[] {
  const { address, members, totalSats, scriptBytes } = group
  const feeSats = outputFeeSats(scriptBytes, outputs, fee)
  return [...Map.groupBy(members, ({ payee }) => payee.playerId)].map(([playerId, owed]) => {
    const sats = sumOf(owed)
    const payableIds = owed.flatMap((one) => one.payableIds)
    return { payee: { playerId }, address, payableIds, sats, feeShareSats: (feeSats * sats) / totalSats }
  })
}

/**
 * The cost of one of several outputs: its own bytes, and an equal part of the transaction around them; rounded down.
 */
function outputFeeSats(scriptBytes: bigint, outputs: number, { rate, bareVbytes }: FeeEstimate): bigint {
  const count = BigInt(Math.max(1, outputs))
  return (((OUTPUT_VBYTES + scriptBytes) * count + bareVbytes) * rate) / (1000n * count)
}

function shareOf(sats: bigint, share: { numerator: bigint; denominator: bigint }): bigint {
  return (sats * share.numerator) / share.denominator
}

function byAge(one: OwedReturn, other: OwedReturn): number {
  const [first = 0n] = one.payableIds
  const [second = 0n] = other.payableIds
  return first < second ? -1 : 1
}
