import { LotteryError } from '@fairball/domain/errors'
import { gameByKey } from '@fairball/domain/games'
import { latePaymentAccepted } from '@fairball/domain/order-status'
import { priceSats } from '@fairball/domain/price'
import type { Tx } from '../../db/pool.ts'
import { heldFreeTickets } from './free-tickets.ts'
import { checkDrawLimits } from './limits.ts'
import type { LockedOrder } from './locked-order.ts'
import * as queries from './queries.ts'

export interface LatePaymentsDeps {
  /** Newest rate of GBP in sats; throws RATE_UNAVAILABLE when it is too old to sell at. */
  readonly freshRate: (tx: Tx) => Promise<bigint>
  /** Throws LIMIT_REACHED or SELF_EXCLUDED (decisions section 6, responsible play). */
  readonly checkMayPlay: (tx: Tx, playerId: bigint, priceMinor: bigint) => Promise<void>
}

/** Whether an order that is paid after its invoice expired can still be honoured (decisions section 5). */
export function createLatePayments(deps: LatePaymentsDeps) {
  /** Whether an order that is covered at `now`, after its expiry, becomes PAID. Otherwise it is refunded. */
  async function canPayLate(tx: Tx, order: LockedOrder, now: number): Promise<boolean> {
    // As where orders are made: what another order of the player takes at this moment is counted.
    if (order.status === 'EXPIRED') await tx.one(queries.lockPlayer, [order.player_id])
    const draws = await tx.run(queries.findDrawTimes, [order.draw_ids])
    // An order that already EXPIRED has given its free tickets back: they must still be there.
    const released = order.status === 'EXPIRED' ? await heldFreeTickets(tx, order) : 0
    const free = await tx.maybeOne(queries.countFreeTickets, [order.player_id, order.game_key])
    const presentRate = await deps.freshRate(tx).catch((error: unknown) => {
      if (error instanceof LotteryError && error.code === 'RATE_UNAVAILABLE') return null
      throw error
    })
    if (presentRate === null) return false
    // An expired order counted for nothing, so what was bought or set since then counts before it.
    if (order.status === 'EXPIRED' && !(await isWithinLimits(tx, order))) return false
    return latePaymentAccepted({
      confirmedAt: now,
      expiresAt: order.expires_at,
      closesAt: draws.map((draw) => (draw.status === 'open' ? draw.closes_at : 0)),
      dueSats: order.due_sats,
      presentPriceSats: priceSats(order.price_minor, presentRate),
      freeTicketsNeeded: released,
      freeTicketsLeft: free?.available ?? 0,
    })
  }

  /** Whether an expired order still is within the limits that a new one would be held to. */
  async function isWithinLimits(tx: Tx, order: LockedOrder): Promise<boolean> {
    const game = gameByKey(order.game_key)
    if (game === null) return false
    const rows = await tx.run(queries.findLines, [order.id])
    const masks = rows.flatMap((row) => row.masks)
    try {
      await checkDrawLimits(tx, { playerId: order.player_id, game, drawIds: order.draw_ids, masks })
      await deps.checkMayPlay(tx, order.player_id, order.price_minor)
      return true
    } catch (error) {
      if (error instanceof LotteryError) return false
      throw error
    }
  }

  return { canPayLate }
}
