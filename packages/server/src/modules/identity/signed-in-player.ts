import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import { lockPlayer } from './queries.ts'
import { isSessionLive } from './session-queries.ts'

/** A player's row, locked until the transaction ends. */
export type LockedPlayer = RowOf<typeof lockPlayer>

/**
 * The beginning of every transaction in which a logged-in player writes. It locks the player's row, and only then
 * checks whether the session that admitted the request still lives. Whatever ends sessions holds the same lock, so a
 * request that was in progress when the password was changed or the account closed comes either before that or too
 * late, never after it.
 *
 * Every transaction takes this lock before any other row of the player: two of them never wait for each other.
 *
 * @throws Unauthorized if the session has ended, or the account was closed, since the request came in
 */
export async function lockSignedIn(tx: Tx, player: Pick<SignedIn, 'id' | 'sessionId'>): Promise<LockedPlayer> {
  const locked = await tx.maybeOne(lockPlayer, [player.id])
  if (locked === null || !(await tx.one(isSessionLive, [player.sessionId, player.id])).isLive) throw new Unauthorized()
  return locked
}
