import type { Tx } from '../../db/pool.ts'
import * as queries from './queries.ts'

export type { OrdersContext } from './context.ts'
export { applyPayments, giveUpOrder } from './deciding.ts'
export { endUncovered, type OrdersEnd } from './ending.ts'
export { createOrder, LINES_A_ROW, type NewOrder } from './making.ts'
export { personalDataOf } from './personal-data.ts'
export { movePlaysOfVoidDraw } from './plays.ts'
export { takeBackPayment } from './taking-back.ts'

/** Locks the player of an order: a transaction that may lock both locks the player first. */
export function lockPlayerOf(tx: Tx, orderId: string): Promise<unknown> {
  return tx.maybeOne(queries.lockPlayerOf, [orderId])
}

/** The chain took back a block with a payment of the order: it has the time of the hold to come into another. @param now epoch seconds */
export function holdFrom(tx: Tx, orderId: string, now: number): Promise<unknown> {
  return tx.execute(queries.holdFrom, [orderId, now])
}

/**
 * Notes that an order's payments were read, where the provider tells no time of blocks: time in which they could not be
 * read is added to the hold.
 *
 * @param readAt epoch seconds
 * @param usualGapSeconds what lies between two looks at most while the provider can be read
 */
export function noteRead(tx: Tx, orderId: string, readAt: number, usualGapSeconds: number): Promise<unknown> {
  return tx.execute(queries.addUnread, [orderId, readAt, usualGapSeconds])
}

/** Takes the name off a player's orders, which stay as the game's record, and the free tickets away. */
export async function forgetPlayerOfOrders(tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.removeUsername, [playerId])
  await tx.execute(queries.removeFreeTickets, [playerId])
}

/** What a player's orders since `sinceAt` cost, in pence; those that expired or were refunded are left out. */
export async function spentSince(tx: Tx, playerId: bigint, sinceAt: number): Promise<bigint> {
  return (await tx.one(queries.sumSpentSince, [playerId, sinceAt])).minor
}
