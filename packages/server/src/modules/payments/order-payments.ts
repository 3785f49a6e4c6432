import { isDecided, type OrderStatus, type Quote } from '@fairball/domain/order-status'
import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { InvoiceSnapshot, SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import { inOrder } from '../../ports/payment-provider/provider-api.ts'
import { txidOf } from './explorer.ts'

/** A payment as stored. */
export interface KnownPayment {
  readonly outpoint: string
  /** sats */
  readonly sats: bigint
  /** epoch seconds */
  readonly seenAt: number
  /** epoch seconds of the block that holds it; null for none */
  readonly minedAt: number | null
  /** epoch seconds; null while it is not confirmed */
  readonly confirmedAt: number | null
  /**
   * what its transaction spends; null if the provider does not show it, once it is final, and if another payment in the
   * same transaction has it
   */
  readonly inputs: readonly string[] | null
  /** the part of it seen earlier, in payments that it replaced */
  readonly earlier: readonly SeenPart[]
  /** epoch seconds from which it is no longer checked; null before */
  readonly finalAt: number | null
  /** epoch seconds at which a payment that counts was first not found in the chain; null while it is found */
  readonly missingSince: number | null
}

/** Satoshis that were seen at one moment. */
export interface SeenPart {
  /** epoch seconds */
  readonly at: number
  readonly sats: bigint
}

/** A payment that counted this long and is still shown is also final, if the provider does not report its depth. */
export const FINAL_AFTER_SECONDS = 24 * 60 * 60
/** A payment that counts is reversed when it is missing in two checks at least this far apart: one may be stale. */
export const MISSING_SECONDS = 60

/** What a check of the provider changes in the payments of an order, by outpoint. */
export interface PaymentChanges {
  readonly appeared: readonly SeenOutput[]
  /** the part of new payments that was seen earlier, in payments that they replace: by their outpoint */
  readonly earlier: ReadonlyMap<string, readonly SeenPart[]>
  /** known before the check, and now first in a block: when it got there, in epoch seconds */
  readonly mined: readonly { readonly outpoint: string; readonly at: number }[]
  /** not confirmed, and no longer in a block: the chain took it back */
  readonly unmined: readonly string[]
  /** deep enough now; new payments may be among them */
  readonly confirmed: readonly string[]
  /** not confirmed, known before the check and gone in it: replaced, or spent elsewhere */
  readonly vanished: readonly string[]
  /** deep enough never to be checked again; those confirmed in this check may be among them */
  readonly final: readonly string[]
  /** they count, and this check is the first to find them in no block */
  readonly missing: readonly string[]
  /** they were missing and are in a block again */
  readonly found: readonly string[]
  /** they count, and are in no block for the second time: reorganised away */
  readonly reversed: readonly string[]
}

/**
 * Compares what an order's payments were with what its provider shows.
 *
 * @param before the payments known before the provider was asked: one that another check adds meanwhile is not in the
 *   answer, and must not be taken for gone
 * @param look.requiredConfirmations depth from which a payment counts
 * @param look.now when the provider was asked, epoch seconds
 */
export function paymentChanges(
  before: readonly KnownPayment[],
  snapshot: Pick<InvoiceSnapshot, 'outputs' | 'isFinal' | 'leavesCounted'>,
  look: { readonly requiredConfirmations: number; readonly now: number },
): PaymentChanges {
  const { isFinal = false, leavesCounted = false } = snapshot
  // If a provider lists an output twice, it counts once.
  const outputs = inOrder(snapshot.outputs.filter((output) => output.sats > 0n))
  const { requiredConfirmations, now } = look
  const known = new Set(before.map((payment) => payment.outpoint))
  const shown = new Map(outputs.map((output) => [output.outpoint, output]))
  const isInBlock = (payment: KnownPayment): boolean => (shown.get(payment.outpoint)?.confirmations ?? 0) > 0
  const confirmed = outputs.filter((output) => output.confirmations >= requiredConfirmations)
  const watched = before.filter(isWatched)
  const unconfirmed = before.filter((payment) => payment.confirmedAt === null)
  // A provider that has finished an invoice may no longer show anything of it: that says nothing about the chain.
  const lost = isFinal || leavesCounted ? [] : watched.filter((payment) => !isInBlock(payment))
  const isDeep = (output: SeenOutput): boolean => output.confirmations >= FINAL_CONFIRMATIONS
  const isOld = (payment: KnownPayment): boolean => now - (payment.confirmedAt ?? now) >= FINAL_AFTER_SECONDS
  const isMissingLong = ({ missingSince }: KnownPayment): boolean =>
    missingSince !== null && now - missingSince >= MISSING_SECONDS
  const namesOf = (payments: readonly KnownPayment[]): string[] => payments.map((payment) => payment.outpoint)
  const appeared = outputs.filter((output) => !known.has(output.outpoint))
  const gone = before.filter((payment) => !shown.has(payment.outpoint))
  return {
    appeared,
    earlier: placesPassedOn(gone, appeared),
    mined: unconfirmed.flatMap(({ outpoint, minedAt }) => {
      const at = minedAt === null ? minedAtOf(shown.get(outpoint), now) : null
      return at === null ? [] : [{ outpoint, at }]
    }),
    unmined: namesOf(unconfirmed.filter((payment) => payment.minedAt !== null && !isInBlock(payment))),
    confirmed: confirmed.map((output) => output.outpoint),
    vanished: namesOf(unconfirmed.filter((payment) => !shown.has(payment.outpoint))),
    final: [
      ...new Set([
        ...confirmed.filter((output) => isDeep(output) || isFinal).map((output) => output.outpoint),
        ...namesOf(watched.filter((payment) => isFinal || ((isInBlock(payment) || leavesCounted) && isOld(payment)))),
      ]),
    ],
    missing: namesOf(lost.filter((payment) => payment.missingSince === null)),
    found: namesOf(watched.filter((payment) => payment.missingSince !== null && (isFinal || isInBlock(payment)))),
    reversed: namesOf(lost.filter(isMissingLong)),
  }
}

/**
 * A payment that spends a coin of one that is gone keeps its place, up to its amount; the rest counts from its own time
 * (decision 38). If coins are not shown, what appears in the same check in which another vanishes replaces it.
 *
 * @returns the part of new payments that was seen earlier, by their outpoint
 */
function placesPassedOn(gone: readonly KnownPayment[], appeared: readonly SeenOutput[]): Map<string, SeenPart[]> {
  const passedOn = new Map<string, SeenPart[]>()
  if (gone.length === 0) return passedOn
  const partsReplacedBy = replacedParts(gone)
  const partsOfTx = new Map<string, OpenPart[]>()
  for (const { outpoint, sats, inputs } of appeared) {
    const txid = txidOf(outpoint)
    const parts = partsOfTx.get(txid) ?? partsReplacedBy(inputs)
    partsOfTx.set(txid, parts)
    const taken: SeenPart[] = []
    let openSats = sats
    for (let part = parts.at(-1); part !== undefined && openSats > 0n; part = parts.at(-1)) {
      const takenSats = part.sats < openSats ? part.sats : openSats
      if (takenSats > 0n) taken.push({ at: part.at, sats: takenSats })
      part.sats -= takenSats
      openSats -= takenSats
      if (part.sats === 0n) parts.pop()
    }
    if (taken.length > 0) passedOn.set(outpoint, taken)
  }
  return passedOn
}

/** A part of a payment that is gone, and how much of it no other payment has replaced yet. */
interface OpenPart {
  readonly at: number
  sats: bigint
}

/**
 * Finds what a transaction replaces by the coins it spends, each compared once: an order may be paid by thousands of
 * outputs of a transaction that spends hundreds.
 *
 * @returns a function from what a transaction spends to the parts it replaces, newest first
 */
function replacedParts(gone: readonly KnownPayment[]): (inputs: readonly string[] | undefined) => OpenPart[] {
  const unconfirmed: OpenPart[][] = []
  const unshown: OpenPart[][] = []
  const spenders = new Map<string, Set<OpenPart[]>>()
  for (const payments of Map.groupBy(gone, ({ outpoint }) => txidOf(outpoint)).values()) {
    const all = payments.map((payment) => ({ payment, parts: openPartsOf(payment) }))
    const waiting = all.filter(({ payment }) => payment.confirmedAt === null).flatMap(({ parts }) => parts)
    unconfirmed.push(waiting)
    const inputs = payments.find((payment) => payment.inputs !== null)?.inputs ?? null
    if (inputs === null) unshown.push(waiting)
    const ofTx = all.flatMap(({ parts }) => parts)
    for (const coin of inputs ?? []) spenders.set(coin, (spenders.get(coin) ?? new Set()).add(ofTx))
  }
  const everything = newestFirst(unconfirmed)
  return (inputs) => {
    if (inputs === undefined) return everything
    return newestFirst(new Set([...unshown, ...inputs.flatMap((coin) => [...(spenders.get(coin) ?? [])])]))
  }
}

function openPartsOf(payment: KnownPayment): OpenPart[] {
  return partsOf(payment).map(({ at, sats }) => ({ at, sats }))
}

function newestFirst(some: Iterable<readonly OpenPart[]>): OpenPart[] {
  return [...some].flat().toSorted((a, b) => b.at - a.at)
}

/** A payment by the moments from which on its satoshis count. */
function partsOf({ sats, seenAt, earlier }: Pick<KnownPayment, 'sats' | 'seenAt' | 'earlier'>): SeenPart[] {
  const restSats = earlier.reduce((rest, part) => rest - part.sats, sats)
  return restSats > 0n ? [...earlier, { at: seenAt, sats: restSats }] : [...earlier]
}

/**
 * When a payment came into the block that holds it, in epoch seconds; null for none. If that is not reported, it is the
 * moment of the check, which also replaces the time of a block whose miner's clock is fast. A Lightning payment needs
 * no block.
 */
export function minedAtOf(output: SeenOutput | undefined, lookedAt: number): number | null {
  if (output === undefined || output.confirmations === 0) return null
  return Math.min(output.network === 'LIGHTNING' ? output.seenAt : (output.minedAt ?? lookedAt), lookedAt)
}

/** Whether a payment counts and may still be reorganised away. */
export function isWatched(payment: Pick<KnownPayment, 'confirmedAt' | 'finalAt'>): boolean {
  return payment.confirmedAt !== null && payment.finalAt === null
}

/**
 * Whether a check found nothing that is not stored already.
 *
 * @param before the payments that the changes were compared with
 */
export function isNothingNew(before: readonly KnownPayment[], changes: PaymentChanges): boolean {
  const { appeared, mined, unmined, vanished, missing, found, reversed } = changes
  const namesOf = (payments: readonly KnownPayment[]): Set<string> => new Set(payments.map(({ outpoint }) => outpoint))
  const counted = namesOf(before.filter((payment) => payment.confirmedAt !== null))
  const final = namesOf(before.filter((payment) => payment.finalAt !== null))
  return (
    [appeared, mined, unmined, vanished, missing, found, reversed].every((some) => some.length === 0) &&
    changes.confirmed.every((outpoint) => counted.has(outpoint)) &&
    changes.final.every((outpoint) => final.has(outpoint))
  )
}

/** The sum of what arrived for an order. */
export interface PaymentSums {
  /** sats, confirmed or not */
  readonly seenSats: bigint
  /** sats */
  readonly confirmedSats: bigint
  /** epoch seconds at which what was seen first covered the order; null while it does not */
  readonly coveredAt: number | null
  /** epoch seconds at which confirmed payments that cover the order were in blocks; null while they do not cover it */
  readonly minedAt: number | null
  /** whether price and draws are held */
  readonly quote: Quote
  /** epoch seconds by which payments seen in time have to be in a block, or had to; null if none waits for that */
  readonly blockBy: number | null
}

/** The conditions for payments of an order. */
interface PaymentTerms {
  /** what has to come for the order in total, in sats */
  readonly neededSats: bigint
  /** epoch seconds */
  readonly expiresAt: number
  /** epoch seconds by which what was seen before the expiry has to be in a block */
  readonly heldUntil: number
}

type SummedPayment = Pick<KnownPayment, 'sats' | 'seenAt' | 'earlier' | 'minedAt' | 'confirmedAt'>

/**
 * Adds up an order's payments (decision 38).
 *
 * @param readAt when the provider said so, in epoch seconds: what is in no block then was in none before
 */
export function sumPayments(payments: readonly SummedPayment[], terms: PaymentTerms, readAt: number): PaymentSums {
  const { neededSats, expiresAt, heldUntil } = terms
  const confirmed = payments.filter((payment) => payment.confirmedAt !== null)
  const mined = payments.filter((payment) => (blockAt(payment) ?? Infinity) <= heldUntil)
  const waiting = readAt < heldUntil ? payments.filter((payment) => blockAt(payment) === null) : []
  /** Whether those of these that were seen in time are enough. */
  const covers = (some: readonly SummedPayment[]): boolean =>
    sumOf(some.flatMap(partsOf).filter((part) => part.at <= expiresAt)) >= neededSats
  const isKept = covers(mined.filter((payment) => payment.confirmedAt !== null))
  return {
    seenSats: sumOf(payments),
    confirmedSats: sumOf(confirmed),
    coveredAt: coveredFrom(payments.flatMap(partsOf), neededSats),
    minedAt: coveredFrom(
      confirmed.map((payment) => ({ at: blockAt(payment) ?? 0, sats: payment.sats })),
      neededSats,
    ),
    quote: isKept ? 'kept' : covers([...mined, ...waiting]) ? 'open' : 'lost',
    blockBy: covers(payments) && !covers(mined) ? heldUntil : null,
  }
}

/** When a payment came into its block. One counted by an older program came into it when it was counted, or before. */
function blockAt({ minedAt, confirmedAt }: SummedPayment): number | null {
  return minedAt ?? confirmedAt
}

function sumOf(some: readonly { readonly sats: bigint }[]): bigint {
  return some.reduce((sum, { sats }) => sum + sats, 0n)
}

/** When these payments reached a number of sats; null if they do not. */
function coveredFrom(parts: readonly SeenPart[], neededSats: bigint): number | null {
  let sats = 0n
  for (const part of parts.toSorted((a, b) => a.at - b.at)) {
    sats += part.sats
    if (sats >= neededSats) return part.at
  }
  return null
}

/** What an order's payer still has to send, in sats: 0 once it is covered, and if no more is expected. */
export function missingOf(
  order: { readonly status: OrderStatus; readonly neededSats: bigint },
  seenSats: bigint,
): bigint {
  return isDecided(order.status) || seenSats >= order.neededSats ? 0n : order.neededSats - seenSats
}

const MINUTE = 60
const HOUR = 60 * MINUTE

const DAY = 24 * HOUR

/** How long after its expiry an order is checked, ever more rarely, if the provider reports what comes. */
export const LATE_LOOKS_SECONDS = [10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY] as const

/**
 * Late money still counts for a day (decisions section 5): for that long, a provider without messages is asked every
 * ten minutes.
 */
const LATE_SECONDS = DAY
/** Then once a day, until the week is over (payments.md section 2 e). */
export const DAILY_LOOKS_SECONDS = [2, 3, 4, 5, 6, 7].map((days) => days * DAY)

/**
 * A payment that counts and is not final is checked as often as blocks come, in addition to the provider's messages.
 */
export const WATCH_SECONDS = 10 * MINUTE

/** Money that is still not confirmed this long after the expiry is given up: it was replaced or never mined. */
export const LONGEST_WAIT_SECONDS = 14 * DAY

/** The state of an order, as far as it decides when its payments are checked again. */
export interface LookedAt {
  /** epoch seconds */
  readonly expiresAt: number
  /** epoch seconds by which what was seen in time has to be in a block */
  readonly heldUntil: number
  /** epoch seconds */
  readonly now: number
  /** it is PAID or REFUNDED: what comes now is returned */
  readonly isDecided: boolean
  /** whether what was seen is enough */
  readonly isCovered: boolean
  /** whether money was seen that does not count yet */
  readonly hasUnconfirmed: boolean
  /** whether money that counts may still be reorganised away */
  readonly hasWatched: boolean
  /**
   * when the provider wants to be asked again, for a payment and for the next block; null if something else triggers
   * the check
   */
  readonly provider: { readonly paymentAt: number | null; readonly blockAt: number | null }
}

/**
 * When an order's payments have to be checked again, in epoch seconds after `now`; null if nothing more is expected.
 *
 * An open order is checked as often as its provider wants to be asked. So is one that waits for nothing but its block,
 * until a day after the expiry. Any other is checked every ten minutes for that day, more rarely if the provider sends
 * messages, then daily for a week. With unconfirmed money it is checked every ten minutes for fourteen days; then one
 * last check gives such money up. The ten minutes count from the order's own expiry: otherwise thousands of orders
 * would be checked in one moment, and a player who has just paid would wait behind them.
 */
export function nextLookAt(look: LookedAt): number | null {
  const { expiresAt, heldUntil, now, hasUnconfirmed, provider } = look
  const inTenMinutes = expiresAt + (Math.floor((now - expiresAt) / WATCH_SECONDS) + 1) * WATCH_SECONDS
  const isTold = provider.paymentAt === null
  const hours = isTold || look.isDecided ? LATE_LOOKS_SECONDS : [LATE_SECONDS]
  const days = isTold && look.isDecided ? [] : DAILY_LOOKS_SECONDS
  const moments = [0, ...hours, ...days].map((seconds) => expiresAt + seconds)
  if (look.hasWatched) moments.push(inTenMinutes)
  if (hasUnconfirmed) moments.push(heldUntil)
  const counts = !look.isDecided && now < expiresAt + LATE_SECONDS
  const waitsForBlock = hasUnconfirmed && look.isCovered && counts
  if (hasUnconfirmed && now < expiresAt + LONGEST_WAIT_SECONDS)
    moments.push(expiresAt + LONGEST_WAIT_SECONDS, (waitsForBlock ? provider.blockAt : null) ?? inTenMinutes)
  if (provider.paymentAt !== null && counts && !waitsForBlock)
    moments.push(now < expiresAt ? provider.paymentAt : inTenMinutes)
  return moments.toSorted((a, b) => a - b).find((at) => at > now) ?? null
}
