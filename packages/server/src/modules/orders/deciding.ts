import { isDecided, type OrderStatus } from '@fairball/domain/order-status'
import type { Tx } from '../../db/pool.ts'
import { losses, received, stakesHeld } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import { holdAgain, releaseFreeTickets, useFreeTickets } from './free-tickets.ts'
import { createGivingBack, type GivingBackDeps } from './giving-back.ts'
import { createLatePayments, type LatePaymentsDeps } from './late-payments.ts'
import {
  aboutOrder,
  appliedSats,
  lockOrder,
  type LockedOrder,
  moveOrder,
  neededSats,
  standingPlays,
  subjectOf,
} from './locked-order.ts'
import type { MovedEntries, OrderNews } from './news.ts'
import type { Plays } from './plays.ts'
import * as queries from './queries.ts'

/** What arrived for an order so far, as the payments module reads it. */
export interface PaymentTotals {
  /** all outpoints, confirmed or not, in sats */
  readonly seenSats: bigint
  /** confirmed and posted to `received`, in sats */
  readonly confirmedSats: bigint
  /** when what was seen first came to what the order needs; null while it does not. Epoch seconds */
  readonly coveredAt: number | null
  readonly now: number
}

export interface DecidingDeps extends GivingBackDeps, LatePaymentsDeps {
  readonly ledger: Ledger
  /** Whether the clock is slow or fast: no payment becomes entries then (fairness section 9, decision 37). */
  readonly isClockWrong: (tx: Tx) => Promise<boolean>
  readonly placePlays: Plays['placePlays']
  readonly insertPlays: Plays['insertPlays']
  readonly tell: (tx: Tx, news: OrderNews) => Promise<void>
}

/** What payments make of an order. */
export function createDeciding(deps: DecidingDeps) {
  const { ledger, placePlays, insertPlays } = deps
  const { giveBack } = createGivingBack(deps)
  const { canPayLate } = createLatePayments(deps)

  /**
   * Moves an order as its payments say, inside the caller's transaction. Calling it again changes nothing.
   * decisions section 5: underpaid, overpaid, expired, late. While the clock is wrong what is covered waits: by a
   * slow one draws may seem open whose time is over (fairness section 9), and by a fast one closed that are open (decision 37).
   */
  async function applyPayments(tx: Tx, orderId: string, totals: PaymentTotals): Promise<OrderStatus> {
    const { seenSats, confirmedSats, coveredAt, now } = totals
    const [order, isClockWrong] = await Promise.all([
      lockOrder(tx, orderId),
      confirmedSats > 0n ? deps.isClockWrong(tx) : false, // where nothing is confirmed, nothing can be covered
    ])
    // The check constraint of the table holds the same list as the type.
    const status = order.status as OrderStatus
    if (isDecided(status)) {
      await giveBack(tx, order, { why: status === 'PAID' ? 'excess' : 'refunded-before', totals })
      return status
    }
    const needed = neededSats(order)
    const isCovered = confirmedSats >= needed
    const waitsForClock = isCovered && isClockWrong
    const gone = await goneSats(tx, order)
    if (status === 'EXPIRED') {
      if (confirmedSats <= gone || waitsForClock) return status
      if (isCovered && (await canPayLate(tx, order, now)) && (await holdAgain(tx, order))) {
        await payLocked(tx, order, totals)
        return 'PAID'
      }
      // Something more may be on its way; what is confirmed goes back once nothing is pending.
      if (seenSats > confirmedSats) return status
      return await refund(tx, order, totals)
    }
    if (waitsForClock) return await moveOrder(tx, order, 'PROCESSING', now)
    const coveredInTime = coveredAt !== null && coveredAt <= order.expires_at
    if (isCovered && coveredInTime) {
      await payLocked(tx, order, totals)
      return 'PAID'
    }
    if (now < order.expires_at || coveredInTime) {
      if (seenSats >= needed) return await moveOrder(tx, order, 'PROCESSING', now)
      if (seenSats <= gone) return await moveOrder(tx, order, 'PENDING', now)
      const missing = { missingSats: needed - seenSats, expiresAt: order.expires_at }
      await deps.tell(tx, { ...aboutOrder(order), kind: 'underpaid', ...missing })
      return await moveOrder(tx, order, 'UNDERPAID', now)
    }
    // Expired, and what came did not cover it in time.
    if (seenSats <= gone) return await expire(tx, order, now)
    if (isCovered && (await canPayLate(tx, order, now))) {
      await payLocked(tx, order, totals)
      return 'PAID'
    }
    if (seenSats > confirmedSats)
      return await moveOrder(tx, order, seenSats >= needed ? 'PROCESSING' : 'UNDERPAID', now)
    return await refund(tx, order, totals)
  }

  /** Confirmed money that an order which is not PAID has used or was given back already; only a reversed one has any. */
  async function goneSats(tx: Tx, order: LockedOrder): Promise<bigint> {
    return order.times_reversed === 0 ? 0n : await appliedSats(tx, order, 0n)
  }

  /** Makes an order PAID that the caller has just made, in the same transaction. */
  async function pay(tx: Tx, orderId: string, totals: PaymentTotals): Promise<void> {
    await payLocked(tx, await lockOrder(tx, orderId), totals)
  }

  /** The order becomes PAID: its plays, its stake in the ledger, its free tickets used, its excess given back. */
  async function payLocked(tx: Tx, order: LockedOrder, totals: PaymentTotals): Promise<void> {
    const { now } = totals
    const standing = await standingPlays(tx, order)
    const stakeSats = order.due_sats - standing.stakeSats
    // In this order: the ledger's accounts are held before the draws.
    const [, , , { plays, moves }] = await Promise.all([
      moveOrder(tx, order, 'PAID', now),
      useFreeTickets(tx, order, standing),
      ledger.post(tx, {
        event: 'order.paid',
        subject: subjectOf(order, order.id),
        at: now,
        moves: [
          { from: received, to: stakesHeld(order.game_key), sats: stakeSats },
          { from: received, to: losses, sats: order.lost_sats },
        ],
      }),
      placePlays(tx, order, now, standing),
    ])
    if (order.times_reversed > 0) {
      const applied = (await appliedSats(tx, order, 0n)) + stakeSats + order.lost_sats
      await tx.run(queries.keepReversedMoney, [order.id, applied, 0n])
    }
    const paid = order.times_reversed === 0 ? order : await lockOrder(tx, order.id)
    await Promise.all([
      insertPlays(tx, order, now, plays),
      tellPaid(tx, order, { moves, totals }),
      giveBack(tx, paid, { why: 'excess', totals }),
    ])
  }

  async function tellPaid(
    tx: Tx,
    order: LockedOrder,
    { moves, totals }: { moves: readonly MovedEntries[]; totals: PaymentTotals },
  ): Promise<void> {
    const about = aboutOrder(order)
    const isLate = totals.coveredAt === null || totals.coveredAt > order.expires_at
    await deps.tell(tx, { ...about, kind: 'paid', sats: order.due_sats, isLate, moves })
    if (moves.length > 0) await deps.tell(tx, { ...about, kind: 'moved', moves, cause: 'paid-late' })
  }

  async function expire(tx: Tx, order: LockedOrder, now: number): Promise<OrderStatus> {
    await moveOrder(tx, order, 'EXPIRED', now)
    await releaseFreeTickets(tx, order)
    await deps.tell(tx, { ...aboutOrder(order), kind: 'expired' })
    return 'EXPIRED'
  }

  /** Ends an order that nobody can pay, because no invoice was made for it: what it held is free at once, and a try again makes another. */
  async function giveUp(tx: Tx, orderId: string, now: number): Promise<void> {
    const order = await lockOrder(tx, orderId)
    if (order.status !== 'PENDING') return
    await moveOrder(tx, order, 'EXPIRED', now)
    await releaseFreeTickets(tx, order)
    await tx.run(queries.forgetIdempotencyKey, [orderId])
  }

  async function refund(tx: Tx, order: LockedOrder, totals: PaymentTotals): Promise<OrderStatus> {
    await moveOrder(tx, order, 'REFUNDED', totals.now)
    if (order.status !== 'EXPIRED') await releaseFreeTickets(tx, order)
    await giveBack(tx, order, { why: totals.confirmedSats < neededSats(order) ? 'too-little' : 'too-late', totals })
    return 'REFUNDED'
  }

  return { applyPayments, pay, giveUp }
}
