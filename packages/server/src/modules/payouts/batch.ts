import { addressInOneSpelling, type BitcoinNetwork, parseBtcAddress } from '@fairball/domain/btc-address'

/** Outputs of one payout transaction: about 20,000 virtual bytes, a fifth of what nodes relay. */
export const MOST_OUTPUTS = 500
/** The fee that refunds and excess payments bear their share of, in sats per virtual byte. */
export const FEE_SHARE_SATS_PER_VBYTE = 2n
/** The smallest dust limit of any address we pay (wpkh), in sats: nothing below it can be paid. */
export const LEAST_DUST_SATS = 294n
/** A transaction with one wpkh input, without its outputs, in virtual bytes; rounded down. */
const BARE_VBYTES = 78n
/** An output besides its script: the amount and the script's length. */
const OUTPUT_VBYTES = 9n

/** Money owed to one player or partner. */
export interface Owed {
  readonly payee: { readonly playerId: bigint } | { readonly partnerId: string }
  readonly address: string
  /** the rows of payables it is made of */
  readonly payableIds: readonly bigint[]
  /** everything together, in sats */
  readonly sats: bigint
  /** refunds and excess in it, in sats: they are paid less their share of the network's fee */
  readonly returnedSats: bigint
}

/** What one payee gets in a batch: `sats - feeShareSats` leave for the address. */
export interface PlannedPayout extends Owed {
  readonly feeShareSats: bigint
}

/** A batch, and whether money is left that another batch can pay. */
export interface PlannedBatch {
  readonly payouts: readonly PlannedPayout[]
  readonly hasMore: boolean
  /** a person has to agree before it is signed */
  readonly needsApproval: boolean
}

/** What leaves without a person, in sats; null is no limit. */
export interface PayoutLimits {
  /** what is sent to one address beyond this waits for approval, in a batch of its own that holds up nobody else */
  readonly approvalSats: bigint | null
  /** what the hot wallet is meant to hold: no batch of several addresses is larger, so that the small ones can leave */
  readonly floatSats: bigint | null
}

export const NO_LIMITS: PayoutLimits = { approvalSats: null, floatSats: null }

/**
 * Chooses what the next batch pays (decisions section 5): everything owed at an address together, the addresses in the
 * order given, 500 at most. What does not reach the address's dust limit waits and adds up.
 *
 * Prizes are paid in full. Refunds and excess bear their part of what their output costs: its own bytes, and an equal
 * part of the transaction around them. Divisions round down, so all shares together never exceed the fee.
 *
 * An address that is none of this network waits as well: paying it is impossible, losing it would be worse.
 *
 * What needs a person's approval is a batch of its own; what does not fit into the float comes in a later one.
 */
export function planBatch(owed: readonly Owed[], network: BitcoinNetwork, limits = NO_LIMITS): PlannedBatch {
  const groups = payableGroups(owed, network)
  const isLarge = ({ totalSats }: SharedGroup): boolean =>
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
    payouts: chosen.flatMap((group) => group.payouts),
    hasMore: groups.length > chosen.length,
    needsApproval,
  }
}

/** The first groups that fit into one transaction and into the float together; one at least, however large. */
function withinFloat(groups: readonly SharedGroup[], floatSats: bigint | null): SharedGroup[] {
  let totalSats = 0n
  const end = groups.findIndex((group, place) => {
    totalSats += group.totalSats
    return place >= MOST_OUTPUTS || (place > 0 && floatSats !== null && totalSats > floatSats)
  })
  return groups.slice(0, end < 0 ? groups.length : end)
}

/** Whether a player is paid, by the next batch or by one of those after it: what is owed reaches the dust limit. */
export function isPayable(owed: readonly Owed[], network: BitcoinNetwork, playerId: bigint): boolean {
  const payouts = payableGroups(owed, network).flatMap((group) => group.payouts)
  return payouts.some(({ payee }) => 'playerId' in payee && payee.playerId === playerId)
}

function payableGroups(owed: readonly Owed[], network: BitcoinNetwork): SharedGroup[] {
  const spelt = owed.map((one) => ({ ...one, address: addressInOneSpelling(one.address) }))
  const groups = Map.groupBy(spelt, (one) => one.address)
  const payable = [...groups].flatMap(([address, members]): AddressGroup[] => {
    const parsed = parseBtcAddress(address, network)
    const totalSats = sumOf(members.map((member) => member.sats))
    if (parsed === null || totalSats < parsed.dustSats) return []
    return [{ members, totalSats, dustSats: parsed.dustSats, scriptBytes: BigInt(parsed.scriptPubKey.length) }]
  })
  // Whoever the fee makes wait leaves a larger part of it to the others, so it is shared out again without them.
  let chosen = payable
  let shared = shareFee(chosen)
  for (let kept = withoutDust(shared); kept.length < chosen.length; kept = withoutDust(shared)) {
    const members = new Set(kept.map((group) => group.members))
    chosen = chosen.filter((group) => members.has(group.members))
    shared = shareFee(chosen)
  }
  return shared
}

/** Everything owed at one address. */
interface AddressGroup {
  readonly members: readonly Owed[]
  readonly totalSats: bigint
  readonly dustSats: bigint
  readonly scriptBytes: bigint
}

interface SharedGroup extends AddressGroup {
  readonly payouts: readonly PlannedPayout[]
}

function shareFee(groups: readonly AddressGroup[]): SharedGroup[] {
  const outputs = BigInt(Math.max(1, Math.min(groups.length, MOST_OUTPUTS)))
  return groups.map((group) => {
    const vbyteSats = (OUTPUT_VBYTES + group.scriptBytes) * FEE_SHARE_SATS_PER_VBYTE
    const outputFeeSats = vbyteSats + (BARE_VBYTES * FEE_SHARE_SATS_PER_VBYTE) / outputs
    const payouts = group.members.map((member): PlannedPayout => {
      return { ...member, feeShareSats: (outputFeeSats * member.returnedSats) / group.totalSats }
    })
    return { ...group, payouts }
  })
}

function withoutDust(groups: readonly SharedGroup[]): SharedGroup[] {
  return groups.filter((group) => sumOf(group.payouts.map(leavingSats)) >= group.dustSats)
}

const leavingSats = (payout: PlannedPayout): bigint => payout.sats - payout.feeShareSats
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, sats) => sum + sats, 0n)
