import type { Tx } from '../../db/pool.ts'
import { losses, received, stakesHeld, wallet, winnings } from '../ledger/accounts.ts'
import { type Move, postTransfer } from '../ledger/service.ts'
import type { OrdersContext } from './context.ts'
import { aboutOrder, appliedSats, type LockedOrder, lockOrder, moveOrder, standingPlays } from './locked-order.ts'
import * as queries from './queries.ts'

/** A payment that counted and is no longer in the chain. */
interface LostPayment {
  /** names the payment and its loss: money can return and be lost again */
  readonly subject: string
  /** sats */
  readonly sats: bigint
  /** what is confirmed without it, in sats */
  readonly confirmedSats: bigint
  readonly now: number
}

/**
 * Books that a payment which counted is no longer in the chain (decisions section 5, payment reorganised away). The
 * money comes from what still waits in `received`, then from what is owed to the player and not paid out, then from the
 * stakes of draws that have not closed, whose plays are removed; the rest is the operator's loss. An order that loses
 * plays is PROCESSING again. Call `applyPayments` next: money that became free may be owed to the player.
 *
 * @returns what the operator lost, in sats
 */
export async function takeBackPayment(ctx: OrdersContext, tx: Tx, orderId: string, lost: LostPayment): Promise<bigint> {
  const order = await lockOrder(tx, orderId)
  const { confirmedSats, now } = lost
  const applied = await appliedSats(tx, order, order.status === 'PAID' ? order.dueSats : 0n)
  const waitingSats = confirmedSats + lost.sats - applied
  const moves: Move[] = []
  let missingSats = lost.sats
  let leftSats = 0n
  const takeFrom = (from: Move['from'], sats: bigint): void => {
    const taken = sats < missingSats ? sats : missingSats
    moves.push({ from, to: wallet, sats: taken })
    missingSats -= taken
    leftSats += sats - taken
    if (from !== received) moves.push({ from, to: received, sats: sats - taken })
  }
  takeFrom(received, waitingSats)
  const owedSats = missingSats > 0n ? await removeOwed(tx, order) : 0n
  takeFrom(winnings(order.playerId), owedSats)
  const removed = missingSats > 0n && order.status === 'PAID' ? await removeOpenPlays(tx, order) : []
  takeFrom(
    stakesHeld(order.gameKey),
    removed.reduce((sum, play) => sum + play.stakeSats, 0n),
  )
  moves.push({ from: losses, to: wallet, sats: missingSats })
  const times = order.timesReversed + 1
  const { stakeSats } = await standingPlays(tx, { ...order, timesReversed: times })
  const alreadyAppliedSats = confirmedSats - leftSats
  const lostSats = order.lostSats + missingSats
  // A player who withdrew money after a close pays for that draw too before the order is PAID again.
  const neededSats = alreadyAppliedSats + order.dueSats - stakeSats + lostSats
  await tx.execute(queries.reverseOrder, [orderId, alreadyAppliedSats, lostSats, neededSats])
  await postTransfer(tx, { event: 'payment.reversed', subject: lost.subject, at: now, moves })
  const hasLeftDraws = removed.length > 0
  if (hasLeftDraws) await moveOrder(tx, order, 'PROCESSING', now)
  if (hasLeftDraws || owedSats > 0n) {
    const about = { ...aboutOrder(order), timesReversed: times }
    await ctx.facts.record(tx, 'order.changed', { ...about, kind: 'reversed', sats: lost.sats, hasLeftDraws })
  }
  return missingSats
}

/** Removes what an order owes its player and no payout has included. @returns sats */
async function removeOwed(tx: Tx, order: LockedOrder): Promise<bigint> {
  const owed = await tx.run(queries.removeOwed, [order.id])
  const sumOf = (rows: typeof owed): bigint => rows.reduce((sum, row) => sum + row.sats, 0n)
  const refundSats = sumOf(owed.filter((row) => row.kind === 'refund'))
  if (refundSats > 0n) {
    await tx.execute(queries.lowerRefund, [order.id, refundSats])
    await tx.execute(queries.removeRefund, [order.id, refundSats])
  }
  return sumOf(owed)
}

/**
 * Removes the plays of draws that have not closed, and holds their free tickets again. A play that has a leaf is
 * revoked at the close unless its payment returns before.
 */
async function removeOpenPlays(tx: Tx, order: LockedOrder) {
  await tx.run(queries.shareDrawsOfOrder, [order.id])
  const plays = await tx.run(queries.lockOpenPlays, [order.id])
  if (plays.length === 0) return []
  await tx.execute(queries.removePlays, [plays.map((play) => play.id)])
  const freeCount = plays.reduce((sum, play) => sum + play.freeCount, 0)
  if (freeCount > 0) await tx.execute(queries.holdUsedFreeTickets, [order.playerId, order.gameKey, freeCount])
  return plays
}
