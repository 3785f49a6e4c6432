import { LotteryError } from '@fairball/domain/errors'
import { latePaymentAccepted } from '@fairball/domain/order-status'
import type { Tx } from '../../db/pool.ts'
import type { OrdersContext } from './context.ts'
import { heldFreeTickets } from './free-tickets.ts'
import { checkDrawLimits } from './limits.ts'
import { type LockedOrder, sharesOf } from './locked-order.ts'
import * as queries from './queries.ts'

/**
 * Whether an order that is EXPIRED and covered by now becomes PAID. Otherwise it is refunded.
 *
 * @param money.minedAt when the money that covers it was in blocks; both in epoch seconds
 */
export async function canPayLate(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  money: { readonly minedAt: number | null; readonly now: number },
): Promise<boolean> {
  if (order.endedBecause !== null) return false
  // As when an order is made: what another order of the player takes at this moment is counted.
  await tx.one(queries.lockPlayer, [order.playerId])
  const draws = await tx.run(queries.findDrawTimes, [order.drawIds])
  // It released its free tickets: they must still be available.
  const released = await heldFreeTickets(tx, order)
  const free = await tx.maybeOne(queries.countFreeTickets, [order.playerId, order.gameKey])
  const presentRate = await ctx.freshRate(tx, order.currency).catch((error: unknown) => {
    if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return null
    throw error
  })
  if (presentRate === null) return false
  // An expired order counted for nothing, so what was bought or set since then takes precedence.
  if (!(await isWithinLimits(ctx, tx, order))) return false
  return latePaymentAccepted({
    minedAt: money.minedAt ?? money.now,
    now: money.now,
    expiresAt: order.expiresAt,
    closesAt: draws.map((draw) => (draw.status === 'open' ? draw.closesAt : 0)),
    dueSats: order.dueSats,
    presentPriceSats: sharesOf({ ...order, rateSats: presentRate }).stakes.reduce((sum, sats) => sum + sats, 0n),
    freeTicketsNeeded: released,
    freeTicketsLeft: free?.available ?? 0,
  })
}

/** Whether an expired order is still within the limits of a new one. */
async function isWithinLimits(ctx: OrdersContext, tx: Tx, order: LockedOrder): Promise<boolean> {
  const rows = await tx.run(queries.findLines, [order.id])
  const masks = rows.flatMap((row) => row.masks)
  try {
    await checkDrawLimits(tx, { playerId: order.playerId, drawIds: order.drawIds, masks })
    await ctx.checkMayPlay(tx, order.playerId, order.priceMinor, order.currency)
    return true
  } catch (error) {
    if (error instanceof LotteryError) return false
    throw error
  }
}
