import { LotteryError } from '@fairball/domain/errors'
import { type GameRules, MOST_EQUAL_LINES } from '@fairball/domain/games'
import type { Tx } from '../../db/pool.ts'
import * as queries from './queries.ts'

/** Orders a player may have open at once; decisions section 2 asks for at least 20. */
const MOST_OPEN_ORDERS = 40

/** @throws LotteryError TOO_MANY_REQUESTS while a player has as many unpaid orders as one may have */
export async function checkOpenOrders(tx: Tx, playerId: bigint, now: number): Promise<void> {
  const { open_orders, first_expires_at } = await tx.one(queries.countOpenOrders, [playerId])
  if (open_orders < MOST_OPEN_ORDERS) return
  throw new LotteryError('TOO_MANY_REQUESTS', 'Too many unpaid orders. Pay them or let them expire first.', {
    retryAfterSeconds: Math.max(1, (first_expires_at ?? now) - now),
  })
}

/** Entries and equal lines a player may have in one draw (decisions section 4). @throws LotteryError LIMIT_REACHED */
export async function checkDrawLimits(
  tx: Tx,
  order: { playerId: bigint; game: GameRules; drawIds: readonly bigint[]; masks: readonly bigint[] },
): Promise<void> {
  const { playerId, game, masks } = order
  const drawIds = [...order.drawIds]
  for (const row of await tx.run(queries.countEntriesOfPlayer, [playerId, drawIds])) {
    if (row.entries + masks.length > game.maxEntriesPerDraw) throw tooManyEntries(game)
  }
  if (masks.length > game.maxEntriesPerDraw) throw tooManyEntries(game)

  const times = new Map<bigint, number>()
  for (const mask of masks) times.set(mask, (times.get(mask) ?? 0) + 1)
  const standing = await tx.run(queries.countEqualLines, [playerId, drawIds, [...times.keys()]])
  for (const row of standing) times.set(row.mask, (times.get(row.mask) ?? 0) + row.times)
  if (Math.max(...times.values()) > MOST_EQUAL_LINES) {
    throw new LotteryError('LIMIT_REACHED', `At most ${MOST_EQUAL_LINES} equal lines in one draw.`)
  }
}

function tooManyEntries(game: GameRules): LotteryError {
  return new LotteryError('LIMIT_REACHED', `At most ${game.maxEntriesPerDraw} entries in one draw.`)
}
