import { isDecided, type OrderStatus } from '@fairball/domain/order-status'
import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { InvoiceSnapshot, SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import { inOrder } from '../../ports/payment-provider/provider-api.ts'

/** A payment as it is kept. */
export interface KnownPayment {
  readonly outpoint: string
  /** sats */
  readonly sats: bigint
  /** epoch seconds */
  readonly seen_at: number
  /** epoch seconds; null while it is not confirmed */
  readonly confirmed_at: number | null
  /** epoch seconds from which on it is not looked at again; null before */
  readonly final_at: number | null
  /** epoch seconds at which a payment that counts was first not found in the chain; null while it is */
  readonly missing_since: number | null
}

/** And so is one that counted this long and is still shown, where the provider does not tell how deep it is. */
export const FINAL_AFTER_SECONDS = 24 * 60 * 60
/** A payment that counts is taken back when it is missing in two looks at least this far apart: one may be stale. */
export const MISSING_SECONDS = 60

/** What a look at the provider changes in the payments of an order, by outpoint. */
export interface PaymentChanges {
  readonly appeared: readonly SeenOutput[]
  /** deep enough now; those that just appeared may be among them */
  readonly confirmed: readonly string[]
  /** not confirmed, known before the look and gone in it: replaced, or spent elsewhere */
  readonly vanished: readonly string[]
  /** deep enough never to be looked at again; those confirmed in this look may be among them */
  readonly final: readonly string[]
  /** they count, and in this look first they are in no block */
  readonly missing: readonly string[]
  /** they were missing and are in a block again */
  readonly found: readonly string[]
  /** they count, and are in no block for the second time: reorganised away */
  readonly reversed: readonly string[]
}

/**
 * Compares what an order's payments were with what its provider shows.
 *
 * @param before the payments known before the provider was asked: one that another look adds meanwhile is not in the
 *   answer, and must not be taken for gone
 * @param look.requiredConfirmations how deep a payment has to be before it counts
 * @param look.now when the provider was asked, epoch seconds
 */
export function paymentChanges(
  before: readonly KnownPayment[],
  snapshot: Pick<InvoiceSnapshot, 'outputs' | 'isFinal' | 'leavesCounted'>,
  look: { readonly requiredConfirmations: number; readonly now: number },
): PaymentChanges {
  const { isFinal = false, leavesCounted = false } = snapshot
  // Whatever a provider lists twice is there once.
  const outputs = inOrder(snapshot.outputs.filter((output) => output.sats > 0n))
  const { requiredConfirmations, now } = look
  const known = new Set(before.map((payment) => payment.outpoint))
  const shown = new Map(outputs.map((output) => [output.outpoint, output]))
  const isInBlock = (payment: KnownPayment): boolean => (shown.get(payment.outpoint)?.confirmations ?? 0) > 0
  const confirmed = outputs.filter((output) => output.confirmations >= requiredConfirmations)
  const watched = before.filter(isWatched)
  // A provider that is done with an invoice may show nothing of it any more: that is no word of the chain.
  const lost = isFinal || leavesCounted ? [] : watched.filter((payment) => !isInBlock(payment))
  const isDeep = (output: SeenOutput): boolean => output.confirmations >= FINAL_CONFIRMATIONS
  const isOld = (payment: KnownPayment): boolean => now - (payment.confirmed_at ?? now) >= FINAL_AFTER_SECONDS
  const isMissingLong = ({ missing_since }: KnownPayment): boolean =>
    missing_since !== null && now - missing_since >= MISSING_SECONDS
  const namesOf = (payments: readonly KnownPayment[]): string[] => payments.map((payment) => payment.outpoint)
  return {
    appeared: outputs.filter((output) => !known.has(output.outpoint)),
    confirmed: confirmed.map((output) => output.outpoint),
    vanished: namesOf(before.filter((payment) => payment.confirmed_at === null && !shown.has(payment.outpoint))),
    final: [
      ...new Set([
        ...confirmed.filter((output) => isDeep(output) || isFinal).map((output) => output.outpoint),
        ...namesOf(watched.filter((payment) => isFinal || ((isInBlock(payment) || leavesCounted) && isOld(payment)))),
      ]),
    ],
    missing: namesOf(lost.filter((payment) => payment.missing_since === null)),
    found: namesOf(watched.filter((payment) => payment.missing_since !== null && (isFinal || isInBlock(payment)))),
    reversed: namesOf(lost.filter(isMissingLong)),
  }
}

/** Whether a payment counts and may still be reorganised away. */
export function isWatched(payment: Pick<KnownPayment, 'confirmed_at' | 'final_at'>): boolean {
  return payment.confirmed_at !== null && payment.final_at === null
}

/**
 * Whether a look found nothing that is not kept already.
 *
 * @param before the payments that the changes were found beside
 */
export function isNothingNew(before: readonly KnownPayment[], changes: PaymentChanges): boolean {
  const { appeared, vanished, missing, found, reversed } = changes
  const namesOf = (payments: readonly KnownPayment[]): Set<string> => new Set(payments.map(({ outpoint }) => outpoint))
  const counted = namesOf(before.filter((payment) => payment.confirmed_at !== null))
  const final = namesOf(before.filter((payment) => payment.final_at !== null))
  return (
    [appeared, vanished, missing, found, reversed].every((some) => some.length === 0) &&
    changes.confirmed.every((outpoint) => counted.has(outpoint)) &&
    changes.final.every((outpoint) => final.has(outpoint))
  )
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

/**
 * Adds up an order's payments.
 *
 * @param neededSats what has to come for the order in all, in sats
 */
export function sumPayments(
  payments: readonly Pick<KnownPayment, 'sats' | 'seen_at' | 'confirmed_at'>[],
  neededSats: bigint,
): PaymentSums {
  let seenSats = 0n
  let confirmedSats = 0n
  let coveredAt: number | null = null
  for (const payment of payments.toSorted((a, b) => a.seen_at - b.seen_at)) {
    seenSats += payment.sats
    if (payment.confirmed_at !== null) confirmedSats += payment.sats
    if (coveredAt === null && seenSats >= neededSats) coveredAt = payment.seen_at
  }
  return { seenSats, confirmedSats, coveredAt }
}

/** What an order's payer still has to send, in sats: 0 once it is covered, and where nothing more is asked for. */
export function missingOf(
  order: { readonly status: OrderStatus; readonly needed_sats: bigint },
  seenSats: bigint,
): bigint {
  return isDecided(order.status) || seenSats >= order.needed_sats ? 0n : order.needed_sats - seenSats
}

const MINUTE = 60
const HOUR = 60 * MINUTE

const DAY = 24 * HOUR

/** Where the provider tells what comes, an expired order is looked at this long after its expiry, ever more rarely. */
export const LATE_LOOKS_SECONDS = [10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY] as const

/** Late money still counts for a day (decisions section 5): so long a provider that does not tell is asked every ten minutes. */
const LATE_SECONDS = DAY
/** Then once a day, until the week is over (payments.md section 2 e). */
export const DAILY_LOOKS_SECONDS = [2, 3, 4, 5, 6, 7].map((days) => days * DAY)

/** A payment that counts and is not final is looked at as often as blocks come, beside what the provider tells itself. */
export const WATCH_SECONDS = 10 * MINUTE

/** Money that is still not confirmed this long after the expiry is given up: it was replaced or never mined. */
export const LONGEST_WAIT_SECONDS = 14 * DAY

/** How an order stands, as far as it says when its payments have to be looked at again. */
export interface LookedAt {
  /** epoch seconds */
  readonly expiresAt: number
  /** epoch seconds */
  readonly now: number
  /** it is PAID or REFUNDED: what comes now is given back */
  readonly isDecided: boolean
  /** whether what was seen is enough */
  readonly isCovered: boolean
  /** whether money was seen that does not count yet */
  readonly hasUnconfirmed: boolean
  /** whether money that counts may still be reorganised away */
  readonly hasWatched: boolean
  /** when the provider wants to be asked again: for a payment, and for the next block; null where something else will tell */
  readonly provider: { readonly paymentAt: number | null; readonly blockAt: number | null }
}

/**
 * When an order's payments have to be looked at again, in epoch seconds after `now`; null when nothing is to come.
 *
 * An open order is looked at as often as its provider wants to be asked, and so is one that waits for nothing but its
 * block, until a day after the expiry. Any other is looked at every ten minutes for that day, more rarely where the
 * provider tells by itself, then daily for a week; with money that is not confirmed every ten minutes for fourteen days,
 * at whose end such money is given up in one last look. Ten minutes count from the order's own expiry: thousands of orders
 * would otherwise be looked at in one moment, and who has just paid would wait behind them.
 */
export function nextLookAt(look: LookedAt): number | null {
  const { expiresAt, now, hasUnconfirmed, provider } = look
  const inTenMinutes = expiresAt + (Math.floor((now - expiresAt) / WATCH_SECONDS) + 1) * WATCH_SECONDS
  const isTold = provider.paymentAt === null
  const hours = isTold || look.isDecided ? LATE_LOOKS_SECONDS : [LATE_SECONDS]
  const days = isTold && look.isDecided ? [] : DAILY_LOOKS_SECONDS
  const moments = [0, ...hours, ...days].map((seconds) => expiresAt + seconds)
  if (look.hasWatched) moments.push(inTenMinutes)
  const counts = !look.isDecided && now < expiresAt + LATE_SECONDS
  const waitsForBlock = hasUnconfirmed && look.isCovered && counts
  if (hasUnconfirmed && now < expiresAt + LONGEST_WAIT_SECONDS)
    moments.push(expiresAt + LONGEST_WAIT_SECONDS, (waitsForBlock ? provider.blockAt : null) ?? inTenMinutes)
  if (provider.paymentAt !== null && counts && !waitsForBlock)
    moments.push(now < expiresAt ? provider.paymentAt : inTenMinutes)
  return moments.toSorted((a, b) => a - b).find((at) => at > now) ?? null
}
