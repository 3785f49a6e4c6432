import type { EndReason } from '@fairball/domain/order-status'
import type { Tx } from '../../db/pool.ts'
import type { OrdersContext } from './context.ts'
import { releaseFreeTickets } from './free-tickets.ts'
import { aboutOrder, type LockedOrder, moveOrder, neededSats } from './locked-order.ts'
import * as queries from './queries.ts'

/** What ends open orders: a pause or a block ends all of them; a limit ends those that no longer fit. */
export type OrdersEnd =
  | { readonly because: 'PAUSE' | 'BLOCKED' }
  | {
      readonly because: 'WEEKLY_LIMIT'
      /** what may be spent, in pence */
      readonly limitMinor: bigint
      /** An amount of another currency in pence. */
      readonly inPence: (minor: bigint, currency: string) => bigint
      /** the start of the period, in epoch seconds */
      readonly sinceAt: number
    }

/** Ends an order for good: what is paid for it later is returned. @param now epoch seconds */
export async function endOrder(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  because: EndReason | 'BLOCKED',
  now: number,
): Promise<void> {
  await expire(tx, order, now)
  // Pages tell a block as a pause: neither can be paid any more, and what comes goes back.
  await tx.execute(queries.markEnded, [order.id, because === 'BLOCKED' ? 'PAUSE' : because])
  await ctx.facts.record(tx, 'order.changed', { ...aboutOrder(order), kind: 'ended', because })
}

/**
 * Ends the open orders of a player that no payment covers, newest first. The caller holds the player's row, so no order
 * is made meanwhile. A payment seen at the same moment comes either before this, and covers its order, or after it.
 *
 * @param now epoch seconds
 */
export async function endUncovered(
  ctx: OrdersContext,
  tx: Tx,
  playerId: bigint,
  why: OrdersEnd,
  now: number,
): Promise<void> {
  const open = await tx.run(queries.lockOpenOrders, [playerId])
  const seen = new Map(
    (await tx.run(queries.findSeen, [open.map((order) => order.id)])).map((row) => [row.orderId, row.sats]),
  )
  const uncovered = open.filter((order) => (seen.get(order.id) ?? 0n) < neededSats(order))
  if (why.because !== 'WEEKLY_LIMIT') {
    for (const order of uncovered) await endOrder(ctx, tx, order, why.because, now)
    return
  }
  const spent = await tx.run(queries.sumSpentSince, [playerId, why.sinceAt])
  let spentMinor = spent.reduce((sum, { currency, minor }) => sum + why.inPence(minor, currency), 0n)
  for (const order of uncovered.filter(({ createdAt }) => createdAt >= why.sinceAt)) {
    if (spentMinor <= why.limitMinor) return
    await endOrder(ctx, tx, order, why.because, now)
    spentMinor -= why.inPence(order.priceMinor, order.currency)
  }
}

/** An order becomes EXPIRED: the limits and free tickets it held are free. @param now epoch seconds */
export async function expire(tx: Tx, order: LockedOrder, now: number): Promise<void> {
  await moveOrder(tx, order, 'EXPIRED', now)
  await releaseFreeTickets(tx, order)
}
