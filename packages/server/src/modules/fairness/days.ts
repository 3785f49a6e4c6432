import type { StatementType } from '@fairball/domain/protocol/statements'
import type { Queries } from '../../db/pool.ts'
import { isStatedSince } from './daily-queries.ts'

export const DAY_SECONDS = 86_400

/**
 * Whether the log has a statement of this type on the same day (UTC). The caller holds the log's head.
 *
 * @param time epoch seconds
 */
export async function isStatedToday(from: Queries, type: StatementType, time: number): Promise<boolean> {
  const midnight = Math.floor(time / DAY_SECONDS) * DAY_SECONDS
  return (await from.one(isStatedSince, [type, midnight])).isStated
}
