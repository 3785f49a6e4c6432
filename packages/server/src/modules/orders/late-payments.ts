import { LotteryError } from '@fairball/domain/errors'
import { gameByKey } from '@fairball/domain/games'
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
 * @param money.minedAt when what covers it was in blocks; both in epoch seconds
 */
export async function canPayLate(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  money: { readonly minedAt: number | null; readonly now: number },
): Promise<boolean> {
  if (order.ended_because !== null) return false
  // As where orders are made: what another order of the player takes at this moment is counted.
  await tx.one(queries.lockPlayer, [order.player_id])
  const draws = await tx.run(queries.findDrawTimes, [order.draw_ids])
  // It has given its free tickets back: they must still be there.
  const released = await heldFreeTickets(tx, order)
  const free = await tx.maybeOne(queries.countFreeTickets, [order.player_id, order.game_key])
  const presentRate = await ctx.freshRate(tx).catch((error: unknown) => {
    if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return null
    throw error
  })
  if (presentRate === null) return false
  // An expired order counted for nothing, so what was bought or set since then counts before it.
  if (!(await isWithinLimits(ctx, tx, order))) return false
  return latePaymentAccepted({
    minedAt: money.minedAt ?? money.now,
    now: money.now,
    expiresAt: order.expires_at,
    closesAt: draws.map((draw) => (draw.status === 'open' ? draw.closes_at : 0)),
    dueSats: order.due_sats,
    presentPriceSats: sharesOf({ ...order, rate_sats: presentRate }).stakes.reduce((sum, sats) => sum + sats, 0n),
    freeTicketsNeeded: released,
    freeTicketsLeft: free?.available ?? 0,
  })
}

/** Whether an expired order still is within the limits that a new one would be held to. */
async function isWithinLimits(ctx: OrdersContext, tx: Tx, order: LockedOrder): Promise<boolean> {
  const game = gameByKey(order.game_key)
  if (game === null) return false
  const rows = await tx.run(queries.findLines, [order.id])
  const masks = rows.flatMap((row) => row.masks)
  try {
    await checkDrawLimits(tx, { playerId: order.player_id, game, drawIds: order.draw_ids, masks })
    await ctx.checkMayPlay(tx, order.player_id, order.price_minor)
    return true
  } catch (error) {
    if (error instanceof LotteryError) return false
    throw error
  }
}
