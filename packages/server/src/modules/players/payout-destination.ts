import type { Tx } from '../../db/pool.ts'
import type { PlayersContext } from './context.ts'
import * as queries from './destination-queries.ts'

// Where a player's winnings go over Lightning, and which way they go first.

/** Deletes every destination and choice: the next ones are first ones again. @returns how many destinations there were */
export async function forgetDestinations(tx: Tx, playerId: bigint): Promise<number> {
  await tx.execute(queries.removePayFirst, [playerId, -1])
  return (await tx.one(queries.removeDestinations, [playerId, 0n])).forgotten
}

/** Deletes, for a closed account, what waits; what is in use is needed for what is still owed. */
export async function forgetWaitingDestinations(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<void> {
  const nowAt = ctx.runtime.clock.now()
  const inUse = await tx.maybeOne(queries.findUsableDestination, [playerId, nowAt])
  await tx.one(queries.removeDestinations, [playerId, inUse?.id ?? 0n])
  await tx.execute(queries.removePayFirst, [playerId, nowAt])
}
