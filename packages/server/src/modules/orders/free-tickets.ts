import type { Tx } from '../../db/pool.ts'
import { type LockedOrder, standingPlays } from './locked-order.ts'
import * as queries from './queries.ts'

/** Holds up to `entries` of a player's free tickets. @returns how many */
export async function holdFreeTickets(tx: Tx, playerId: bigint, gameKey: string, entries: number): Promise<number> {
  const row = await tx.maybeOne(queries.holdFreeTickets, { playerId, gameKey, entries })
  return row?.takes ?? 0
}

/** The free tickets an order holds while it is not PAID; those of existing plays are used up. */
export async function heldFreeTickets(tx: Tx, order: LockedOrder): Promise<number> {
  return order.freeCount === 0 ? 0 : order.freeCount - (await standingPlays(tx, order)).freeCount
}

/** Holds again the free tickets that an expired order released. False if too few are left; then none are held. */
export async function holdAgain(tx: Tx, order: LockedOrder): Promise<boolean> {
  const wanted = await heldFreeTickets(tx, order)
  if (wanted === 0) return true
  const held = await holdFreeTickets(tx, order.playerId, order.gameKey, wanted)
  if (held === wanted) return true
  await tx.execute(queries.giveBackFreeTickets, [order.playerId, order.gameKey, held])
  return false
}

/** Returns the free tickets an order holds to its player. */
export async function releaseFreeTickets(tx: Tx, order: LockedOrder): Promise<void> {
  const held = await heldFreeTickets(tx, order)
  if (held === 0) return
  await tx.execute(queries.giveBackFreeTickets, [order.playerId, order.gameKey, held])
}

/** Uses the free tickets an order holds for its plays, except for plays that already exist. */
export async function useFreeTickets(tx: Tx, order: LockedOrder, standing: { freeCount: number }): Promise<void> {
  const freeCount = order.freeCount - standing.freeCount
  if (freeCount > 0) await tx.execute(queries.useHeldFreeTickets, [order.playerId, order.gameKey, freeCount])
}
