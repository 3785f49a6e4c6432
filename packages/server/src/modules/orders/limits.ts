import { LotteryError } from '@fairball/domain/errors'
import { MAX_EQUAL_LINES } from '@fairball/domain/games'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import * as queries from './queries.ts'

/** Maximum number of open orders per player; decisions section 2 asks for at least 20. */
const MAX_OPEN_ORDERS = 40

/** @throws LotteryError TOO_MANY_REQUESTS if a player has the maximum of unpaid orders */
export async function checkOpenOrders(standing: RowOf<typeof queries.findStanding>, now: number): Promise<void> {
  const { openOrders, firstExpiresAt } = standing
  if (openOrders < MAX_OPEN_ORDERS) return
  throw new LotteryError('TOO_MANY_REQUESTS', 'Too many unpaid orders. Pay them or let them expire first.', {
    reason: 'OPEN_ORDERS',
    retryAfterSeconds: Math.max(1, (firstExpiresAt ?? now) - now),
  })
}

/** Limits a player's entries and equal lines in one draw, by what each draw allows (decisions section 4). @throws LotteryError LIMIT_REACHED */
export async function checkDrawLimits(
  tx: Tx,
  order: { playerId: bigint; drawIds: readonly bigint[]; masks: readonly bigint[] },
): Promise<void> {
  const { playerId, masks } = order
  const drawIds = [...order.drawIds]
  const times = new Map<bigint, number>()
  for (const mask of masks) times.set(mask, (times.get(mask) ?? 0) + 1)
  const standing = await tx.one(queries.findStandingLines, [playerId, drawIds, [...times.keys()]])
  if (masks.length > standing.room) throw tooManyEntries(standing.mostEntries)
  for (const [place, mask] of standing.masks.entries())
    times.set(mask, (times.get(mask) ?? 0) + (standing.times[place] ?? 0))
  if (Math.max(...times.values()) > MAX_EQUAL_LINES) {
    throw new LotteryError('LIMIT_REACHED', `At most ${MAX_EQUAL_LINES} equal lines in one draw.`, {
      reason: 'EQUAL_LINES',
    })
  }
}

function tooManyEntries(mostEntries: number): LotteryError {
  return new LotteryError('LIMIT_REACHED', `At most ${mostEntries} entries in one draw.`, {
    reason: 'GAME_LINES',
  })
}
