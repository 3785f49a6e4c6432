import { LotteryError } from '@fairball/domain/errors'
import { isDecided, type OrderStatus, type Quote } from '@fairball/domain/order-status'
import type { Tx } from '../../db/pool.ts'
import type { MovedEntries } from '../../kernel/facts.ts'
import { losses, received, stakesHeld } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import type { OrdersContext } from './context.ts'
import { endOrder, expire } from './ending.ts'
import { holdAgain, useFreeTickets } from './free-tickets.ts'
import { giveBack } from './giving-back.ts'
import { canPayLate } from './late-payments.ts'
import {
  aboutOrder,
  appliedSats,
  type LockedOrder,
  lockOrder,
  moveOrder,
  neededSats,
  standingPlays,
  subjectOf,
} from './locked-order.ts'
import { hasDrawsLeft, insertPlays, placePlays } from './plays.ts'
import * as queries from './queries.ts'

/** What has arrived for an order so far, as the payments module reads it. */
interface PaymentTotals {
  /** all outpoints, confirmed or not, in sats */
  readonly seenSats: bigint
  /** confirmed and posted to `received`, in sats */
  readonly confirmedSats: bigint
  /** when the confirmed money that covers the order was in blocks; null while it does not cover it. Epoch seconds */
  readonly minedAt: number | null
  /** whether price and draws are held */
  readonly quote: Quote
  readonly now: number
}

/**
 * Moves an order as its payments say, inside the caller's transaction. Idempotent. Underpaid, overpaid, expired and
 * late orders follow decisions section 5; decision 38 says how long price and draws are held. While the clock is wrong
 * a covered order waits: by a slow clock, draws may seem open whose time is over (fairness section 9), and by a fast
 * one, open draws may seem closed (decision 37).
 */
export async function applyPayments(
  ctx: OrdersContext,
  tx: Tx,
  orderId: string,
  totals: PaymentTotals,
): Promise<OrderStatus> {
  const { seenSats, confirmedSats, quote, now } = totals
  const [order, isClockWrong] = await Promise.all([
    lockOrder(tx, orderId),
    confirmedSats > 0n ? ctx.isClockWrong(tx) : false, // if nothing is confirmed, nothing can be covered
  ])
  // The check constraint of the table has the same list as the type.
  const status = order.status as OrderStatus
  if (isDecided(status)) {
    await giveBack(ctx, tx, order, { why: status === 'PAID' ? 'excess' : 'refunded-before', totals })
    return status
  }
  const needed = neededSats(order)
  const isCovered = confirmedSats >= needed
  const waitsForClock = isCovered && isClockWrong
  const gone = await alreadyAppliedSats(tx, order)
  if (status !== 'EXPIRED') {
    if (waitsForClock) return await moveOrder(tx, order, 'PROCESSING', now)
    if (quote === 'kept') {
      if (order.isGameEnding && !(await hasDrawsLeft(tx, order, now)))
        return await refundStranded(ctx, tx, order, totals)
      await payLocked(ctx, tx, order, totals)
      return 'PAID'
    }
    if (now < order.expiresAt) return await waitForMoney(ctx, tx, order, { seenSats, gone, now })
    if (quote === 'open') return await moveOrder(tx, order, 'PROCESSING', now)
    // A wrong clock does not end a hold.
    if (seenSats >= needed && (await ctx.isClockWrong(tx))) return status
    await expire(tx, order, now)
  }
  const expired = { ...order, status: 'EXPIRED' }
  if (isCovered && waitsForClock) return 'EXPIRED'
  if (
    isCovered &&
    confirmedSats > gone &&
    (await canPayLate(ctx, tx, expired, totals)) &&
    (await holdAgain(tx, expired))
  ) {
    await payLocked(ctx, tx, expired, totals)
    return 'PAID'
  }
  // More may be on its way; what is confirmed is returned once nothing is pending.
  if (confirmedSats > gone && seenSats === confirmedSats) return await refund(ctx, tx, expired, totals)
  if (status !== 'EXPIRED')
    await ctx.facts.record(tx, 'order.changed', {
      ...aboutOrder(order),
      kind: 'expired',
      isPaymentSeen: seenSats > gone,
    })
  return 'EXPIRED'
}

/** The status of an order by what was seen of its payment, as long as it can be paid. */
async function waitForMoney(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  { seenSats, gone, now }: { readonly seenSats: bigint; readonly gone: bigint; readonly now: number },
): Promise<OrderStatus> {
  const needed = neededSats(order)
  if (seenSats >= needed) return await moveOrder(tx, order, 'PROCESSING', now)
  // The money that covered it is gone: a player who has stopped playing since is not asked for it again.
  if (order.status === 'PROCESSING' && (await isPaused(ctx, tx, order))) {
    await endOrder(ctx, tx, order, 'PAUSE', now)
    return 'EXPIRED'
  }
  if (seenSats <= gone) return await moveOrder(tx, order, 'PENDING', now)
  const missing = { missingSats: needed - seenSats, expiresAt: order.expiresAt }
  await ctx.facts.record(tx, 'order.changed', { ...aboutOrder(order), kind: 'underpaid', ...missing })
  return await moveOrder(tx, order, 'UNDERPAID', now)
}

/** Whether a player may buy nothing at all: a time-out or an exclusion has begun. */
async function isPaused(ctx: OrdersContext, tx: Tx, { playerId, currency }: LockedOrder): Promise<boolean> {
  try {
    await ctx.checkMayPlay(tx, playerId, 0n, currency)
    return false
  } catch (error) {
    if (error instanceof LotteryError) return true
    throw error
  }
}

/** Confirmed money that an order which is not PAID has already used or returned; only a reversed order has any. */
async function alreadyAppliedSats(tx: Tx, order: LockedOrder): Promise<bigint> {
  return order.timesReversed === 0 ? 0n : await appliedSats(tx, order, 0n)
}

/** Makes a new order PAID in the transaction that makes it. */
export async function payNewOrder(ctx: OrdersContext, tx: Tx, orderId: string, totals: PaymentTotals): Promise<void> {
  await payLocked(ctx, tx, await lockOrder(tx, orderId), totals)
}

/**
 * The order becomes PAID: it gets its plays, its stake enters the ledger, its free tickets are used, its excess is
 * returned.
 */
async function payLocked(ctx: OrdersContext, tx: Tx, order: LockedOrder, totals: PaymentTotals): Promise<void> {
  const { now } = totals
  const standing = await standingPlays(tx, order)
  const stakeSats = order.dueSats - standing.stakeSats
  // In this order: the ledger's accounts are locked before the draws.
  const [, , , { plays, moves }] = await Promise.all([
    moveOrder(tx, order, 'PAID', now),
    useFreeTickets(tx, order, standing),
    postTransfer(tx, {
      event: 'order.paid',
      subject: subjectOf(order, order.id),
      at: now,
      moves: [
        { from: received, to: stakesHeld(order.gameKey), sats: stakeSats },
        { from: received, to: losses, sats: order.lostSats },
      ],
    }),
    placePlays(ctx, tx, order, now, standing),
  ])
  if (order.timesReversed > 0) {
    const applied = (await appliedSats(tx, order, 0n)) + stakeSats + order.lostSats
    await tx.execute(queries.keepReversedMoney, [order.id, applied, 0n])
  }
  const paid = order.timesReversed === 0 ? order : await lockOrder(tx, order.id)
  await Promise.all([
    insertPlays(ctx, tx, order, now, plays),
    tellPaid(ctx, tx, order, { moves, totals }),
    giveBack(ctx, tx, paid, { why: 'excess', totals }),
  ])
}

async function tellPaid(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  { moves, totals }: { moves: readonly MovedEntries[]; totals: PaymentTotals },
): Promise<void> {
  const about = aboutOrder(order)
  await ctx.facts.record(tx, 'order.changed', {
    ...about,
    kind: 'paid',
    sats: order.dueSats,
    isLate: totals.quote !== 'kept',
    moves,
  })
  if (moves.length > 0)
    await ctx.facts.record(tx, 'order.changed', { ...about, kind: 'moved', moves, cause: 'paid-late' })
}

/**
 * Ends an order that cannot be paid because no invoice was made for it: what it held is free immediately, and a retry
 * makes another.
 */
export async function giveUpOrder(tx: Tx, orderId: string, now: number): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (order.status !== 'PENDING') return
  await expire(tx, order, now)
  await tx.execute(queries.forgetIdempotencyKey, [orderId])
}

async function refund(ctx: OrdersContext, tx: Tx, order: LockedOrder, totals: PaymentTotals): Promise<OrderStatus> {
  await moveOrder(tx, order, 'REFUNDED', totals.now)
  await giveBack(ctx, tx, order, { why: totals.confirmedSats < neededSats(order) ? 'too-little' : 'too-late', totals })
  return 'REFUNDED'
}

/** Refunds an order that was paid in time, and whose game has ended before the payment was confirmed. */
async function refundStranded(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  totals: PaymentTotals,
): Promise<OrderStatus> {
  await expire(tx, order, totals.now)
  const expired = { ...order, status: 'EXPIRED' }
  await moveOrder(tx, expired, 'REFUNDED', totals.now)
  await giveBack(ctx, tx, expired, { why: 'no-draw-left', totals })
  return 'REFUNDED'
}
