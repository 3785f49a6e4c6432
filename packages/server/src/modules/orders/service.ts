import type { Queries, Tx } from '../../db/pool.ts'
import * as queries from './queries.ts'

export { type OrdersContext, ordersContext, type OrdersOptions } from './context.ts'
export { applyPayments, giveUpOrder } from './deciding.ts'
export { endUncovered, type OrdersEnd } from './ending.ts'
export { giveGoodwill } from './goodwill.ts'
export { createOrder, LINES_A_ROW, type NewOrder } from './making.ts'
export { personalDataOf } from './personal-data.ts'
export { movePlaysOfVoidDraw } from './plays.ts'
export { type PromisedOrder, promisedOrder } from './promised.ts'
export { quoteOrder } from './quoting.ts'
export { takeBackPayment } from './taking-back.ts'

/** Locks the player of an order: a transaction that may lock both locks the player first. */
export function lockPlayerOf(tx: Tx, orderId: string): Promise<unknown> {
  return tx.maybeOne(queries.lockPlayerOf, [orderId])
}

/**
 * The chain undid a block with a payment of the order: the payment has the time of the hold to get into another.
 *
 * @param now epoch seconds
 */
export function holdFrom(tx: Tx, orderId: string, now: number): Promise<unknown> {
  return tx.execute(queries.holdFrom, [orderId, now])
}

/**
 * Notes that an order's payments were read, if the provider reports no block times: time in which they could not be
 * read is added to the hold.
 *
 * @param readAt epoch seconds
 * @param usualGapSeconds the longest time between two checks while the provider can be read
 */
export function noteRead(tx: Tx, orderId: string, readAt: number, usualGapSeconds: number): Promise<unknown> {
  return tx.execute(queries.addUnread, [orderId, readAt, usualGapSeconds])
}

/**
 * Removes the name from a player's orders and the texts of their Lightning invoices, which stay as the game's record,
 * and removes the free tickets.
 */
export async function forgetPlayerOfOrders(tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.removeUsername, [playerId])
  await tx.execute(queries.forgetInvoices, [playerId])
  await tx.execute(queries.removeFreeTickets, [playerId])
}

/**
 * The cost of a player's orders since `sinceAt`, without those that expired or were refunded: one sum per currency, in
 * its hundredths.
 */
export async function spentSince(
  from: Queries,
  playerId: bigint,
  sinceAt: number,
): Promise<readonly { readonly currency: string; readonly minor: bigint }[]> {
  return await from.run(queries.sumSpentSince, [playerId, sinceAt])
}
