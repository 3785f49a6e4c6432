import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'

/** A payment as it is kept. */
export interface KnownPayment {
  readonly outpoint: string
  /** sats */
  readonly sats: bigint
  /** epoch seconds */
  readonly seen_at: number
  /** epoch seconds; null while it is not confirmed */
  readonly confirmed_at: number | null
}

/** What a look at the provider changes in the payments of an order, by outpoint. */
export interface PaymentChanges {
  readonly appeared: readonly SeenOutput[]
  /** deep enough now; those that just appeared may be among them */
  readonly confirmed: readonly string[]
  /** not confirmed, known before the look and gone in it: replaced, or spent elsewhere */
  readonly vanished: readonly string[]
}

/**
 * Compares what an order's payments were with what its provider shows.
 *
 * @param before the payments known before the provider was asked: one that another look adds meanwhile is not in the
 *   answer, and must not be taken for gone
 * @param requiredConfirmations how deep a payment has to be before it counts
 */
export function paymentChanges(
  before: readonly KnownPayment[],
  outputs: readonly SeenOutput[],
  requiredConfirmations: number,
): PaymentChanges {
  const known = new Set(before.map((payment) => payment.outpoint))
  const shown = new Set(outputs.map((output) => output.outpoint))
  return {
    appeared: outputs.filter((output) => !known.has(output.outpoint)),
    confirmed: outputs
      .filter((output) => output.confirmations >= requiredConfirmations)
      .map((output) => output.outpoint),
    vanished: before
      .filter((payment) => payment.confirmed_at === null && !shown.has(payment.outpoint))
      .map((payment) => payment.outpoint),
  }
}

/** What arrived for an order, added up. */
export interface PaymentSums {
  /** sats, confirmed or not */
  readonly seenSats: bigint
  /** sats */
  readonly confirmedSats: bigint
  /** epoch seconds at which what was seen first covered the order; null while it does not */
  readonly coveredAt: number | null
}

/** Adds up an order's payments. @param dueSats what the order costs, in sats */
export function sumPayments(payments: readonly KnownPayment[], dueSats: bigint): PaymentSums {
  let seenSats = 0n
  let confirmedSats = 0n
  let coveredAt: number | null = null
  for (const payment of payments.toSorted((a, b) => a.seen_at - b.seen_at)) {
    seenSats += payment.sats
    if (payment.confirmed_at !== null) confirmedSats += payment.sats
    if (coveredAt === null && seenSats >= dueSats) coveredAt = payment.seen_at
  }
  return { seenSats, confirmedSats, coveredAt }
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** After its expiry an order is looked at for late money this long after it, ever more rarely (decisions section 5). */
export const LATE_LOOKS_SECONDS = [10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR] as const

/** Money that is still not confirmed this long after the expiry is given up: it was replaced or never mined. */
export const LONGEST_WAIT_SECONDS = 14 * 24 * HOUR

/**
 * When an order's payments have to be looked at again, in epoch seconds after `now`; null when nothing is to come.
 *
 * @param look.hasUnconfirmed whether money was seen that does not count yet
 * @param look.providerAt when the provider may have something new, null where something else will tell
 */
export function nextLookAt(look: {
  expiresAt: number
  now: number
  hasUnconfirmed: boolean
  providerAt: number | null
}): number | null {
  const { expiresAt, now, hasUnconfirmed, providerAt } = look
  const milestones = [0, ...LATE_LOOKS_SECONDS].map((seconds) => expiresAt + seconds)
  const ownAt = milestones.find((at) => at > now) ?? null
  const lastAt = hasUnconfirmed ? expiresAt + LONGEST_WAIT_SECONDS : expiresAt
  if (providerAt === null || now >= lastAt) return ownAt
  return ownAt === null ? providerAt : Math.min(ownAt, providerAt)
}
