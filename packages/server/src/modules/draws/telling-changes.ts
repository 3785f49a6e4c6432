import { changeSentences } from '@fairball/domain/change-sentences'
import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { versionsOf } from '../catalogue/service.ts'
import type { DrawsContext } from './context.ts'
import { findPlayersOfGame } from './retiring-queries.ts'

/** The job that tells players of a change. */
export const TELL_CHANGE = 'games.tell-change'
/** Players are told who played the game within this time, in seconds, and who have free tickets of it. */
const PLAYED_WITHIN_SECONDS = 90 * 86_400
/** Most players told in one transaction. */
const PLAYERS_AT_ONCE = 500

/** Which players of a change are told next. */
interface Telling {
  readonly gameKey: string
  readonly version: number
  /** the last player told; 0 for none */
  readonly afterId: bigint
}

/** Schedules the telling of a version's changes to the game's players. @param runAt epoch seconds */
export async function tellLater(
  ctx: { readonly jobs: Jobs },
  tx: Tx,
  { gameKey, version, afterId }: Telling,
  runAt: number,
): Promise<void> {
  const payload = { gameKey, version, afterId: String(afterId) }
  await ctx.jobs.add(tx, TELL_CHANGE, payload, { key: `${TELL_CHANGE}:${gameKey}:${version}:${afterId}`, runAt })
}

/** Tells players of a change of their game that may be worse for them, or of its end. Each is told once. */
export async function tellChange(ctx: DrawsContext, tx: Tx, telling: Telling): Promise<void> {
  const { gameKey, version, afterId } = telling
  const now = ctx.runtime.clock.now()
  const versions = await versionsOf(tx, gameKey)
  const change = versions.find((one) => one.version === version)
  const before = versions.find((one) => one.version < version && one.rules.drawTimes.length > 0)
  if (change === undefined || before === undefined) return
  const { fromAt, rules } = change
  const changes = rules.drawTimes.length === 0 ? null : changeSentences(before.rules, rules)
  const since = now - PLAYED_WITHIN_SECONDS
  const players = await tx.run(findPlayersOfGame, { gameKey, since, afterId, most: BigInt(PLAYERS_AT_ONCE) })
  for (const { playerId, freeTickets } of players)
    await ctx.facts.record(tx, 'game.changes', { playerId, gameKey, version, fromAt, changes, freeTickets })
  const last = players.at(-1)
  if (last === undefined || players.length < PLAYERS_AT_ONCE) return
  await tellLater(ctx, tx, { gameKey, version, afterId: last.playerId }, now)
}
