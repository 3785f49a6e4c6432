import { addressInOneSpelling, type BitcoinNetwork, parseBtcAddress } from '@fairball/domain/btc-address'

/** Outputs of one payout transaction: about 20,000 virtual bytes, a fifth of what nodes relay. */
export const MAX_OUTPUTS = 500
/** The smallest dust limit of any address we pay (wpkh), in sats: nothing below it can be paid. */
export const LEAST_DUST_SATS = 294n
/** Why a payout above the approval limit waits for a person. */
export const LARGE_PAYOUT = 'more than the approval limit to one address'

/** Money owed to one player or partner. */
export interface Owed {
  readonly payee: { readonly playerId: bigint } | { readonly partnerId: string }
  readonly address: string
  /** the rows of payables it consists of */
  readonly payableIds: readonly bigint[]
  /** the total, in sats */
  readonly sats: bigint
}

/** What one payee gets in a batch: `sats - feeShareSats` leave for the address. */
export interface PlannedPayout extends Owed {
  /** the part of the network fee that it bears, in sats; 0 for a prize */
  readonly feeShareSats: bigint
}

/** Everything owed at one address. */
export interface AddressGroup<T extends Owed = Owed> {
  /** in one spelling */
  readonly address: string
  readonly members: readonly T[]
  readonly totalSats: bigint
  readonly dustSats: bigint
  readonly scriptBytes: bigint
}

/** A batch of prizes, and whether money is left that another batch can pay. */
interface PlannedBatch {
  readonly payouts: readonly PlannedPayout[]
  readonly hasMore: boolean
  /** whether a person has to approve it before it is signed */
  readonly needsApproval: boolean
}

/** Limits of what leaves without a person, in sats; null for no limit. */
export interface PayoutLimits {
  /** above this, the money for one address waits for approval, in a batch of its own that holds up no others */
  readonly approvalSats: bigint | null
  /**
   * the intended balance of the hot wallet: no batch of several addresses is larger, so that the small ones can leave
   */
  readonly floatSats: bigint | null
}

export const NO_LIMITS: PayoutLimits = { approvalSats: null, floatSats: null }

/**
 * Chooses what the next batch of prizes pays (decisions section 5): the total owed at each address, in the order given,
 * at most 500 addresses, in full. What does not reach the address's dust limit waits and adds up.
 *
 * An address of another network waits as well: paying it is impossible, and the money must not be lost.
 *
 * What needs a person's approval is a batch of its own; what does not fit into the float comes in a later one.
 */
export function planBatch(owed: readonly Owed[], network: BitcoinNetwork, limits = NO_LIMITS): PlannedBatch {
  const groups = payableGroups(owed, network)
  const isLarge = ({ totalSats }: AddressGroup): boolean =>
    limits.approvalSats !== null && totalSats > limits.approvalSats
  const [first] = groups
  const needsApproval = first !== undefined && isLarge(first)
  const chosen = needsApproval
    ? [first]
    : withinFloat(
        groups.filter((group) => !isLarge(group)),
        limits.floatSats,
      )
  return {
    payouts: chosen.flatMap((group) => group.members.map((member) => ({ ...member, feeShareSats: 0n }))),
    hasMore: groups.length > chosen.length,
    needsApproval,
  }
}

/** The first groups that together fit into one transaction and into the float; at least one, however large. */
function withinFloat(groups: readonly AddressGroup[], floatSats: bigint | null): AddressGroup[] {
  let totalSats = 0n
  const end = groups.findIndex((group, place) => {
    totalSats += group.totalSats
    return place >= MAX_OUTPUTS || (place > 0 && floatSats !== null && totalSats > floatSats)
  })
  return groups.slice(0, end < 0 ? groups.length : end)
}

/** Whether what is owed fills a batch, or needs one of its own: then nobody else has to be looked at. */
export function isEnough(owed: readonly Owed[], network: BitcoinNetwork, limits: PayoutLimits): boolean {
  const { hasMore, payouts } = planBatch(owed, network, limits)
  return hasMore || payableGroups(payouts, network).length >= MAX_OUTPUTS
}

/** The players whose prizes are paid, by the next batch or a later one: what is owed at their address reaches its dust limit. */
export function payableTo(owed: readonly Owed[], network: BitcoinNetwork): ReadonlySet<bigint> {
  const members = payableGroups(owed, network).flatMap((group) => group.members)
  return new Set(members.flatMap(({ payee }) => ('playerId' in payee ? [payee.playerId] : [])))
}

function payableGroups(owed: readonly Owed[], network: BitcoinNetwork): AddressGroup[] {
  return groupsOf(owed, network).filter(({ totalSats, dustSats }) => totalSats >= dustSats)
}

/** What is owed, by address, without addresses of other networks. */
export function groupsOf<T extends Owed>(owed: readonly T[], network: BitcoinNetwork): AddressGroup<T>[] {
  const spelt = owed.map((one) => ({ ...one, address: addressInOneSpelling(one.address) }))
  return [...Map.groupBy(spelt, (one) => one.address)].flatMap(([address, members]) => {
    const parsed = parseBtcAddress(address, network)
    if (parsed === null) return []
    const { dustSats, scriptPubKey } = parsed
    return [{ address, members, totalSats: sumOf(members), dustSats, scriptBytes: BigInt(scriptPubKey.length) }]
  })
}

/** @returns the total owed, in sats */
export function sumOf(owed: readonly { readonly sats: bigint }[]): bigint {
  return owed.reduce((sum, { sats }) => sum + sats, 0n)
}
