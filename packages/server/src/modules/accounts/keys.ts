import { LotteryError } from '@fairball/domain/errors'
import { KEY_SECONDS } from '@fairball/domain/periods'
import type { Queries, Tx } from '../../db/pool.ts'
import type { Clock } from '../../runtime/runtime.ts'
import type { ValueOf } from '../../db/sql.ts'
import * as queries from './key-queries.ts'
import type { Secrets } from './secrets.ts'

/** What a key is for. */
export type KeyPurpose = ValueOf<typeof queries.keyPurpose>

/** Wrong codes or answers after which a key of the second step is worth nothing (ASVS 6.6.3). */
const MOST_FAILURES = 5

/** Whom a good key is for. */
export interface KeyOwner {
  readonly playerId: bigint
  /** the address the key was sent to, where it was sent to one */
  readonly email: string | null
  readonly expiresAt: number
}

export type Keys = ReturnType<typeof createKeys>

/** Keys of links and of the second login step: 256 random bits, stored hashed, good once and for a while. */
export function createKeys({ secrets, clock }: { secrets: Secrets; clock: Clock }) {
  /** Makes a key. `email` binds it to the address it is sent to. */
  async function issue(
    tx: Queries,
    purpose: KeyPurpose,
    playerId: bigint,
    email: string | null = null,
  ): Promise<string> {
    const { key, hash } = secrets.newKey()
    const nowAt = clock.now()
    await tx.execute(queries.insertKey, [playerId, nowAt, nowAt + KEY_SECONDS[purpose], purpose, email, hash])
    return key
  }

  /** Whom a key is for. @throws LotteryError INVALID_KEY when it is unknown, used or too old */
  async function look(from: Queries, purpose: KeyPurpose, key: string): Promise<KeyOwner> {
    return ownerOf(await from.maybeOne(queries.findKey, [secrets.hashOfKey(key), purpose, clock.now()]))
  }

  /** Uses a key up. @throws LotteryError INVALID_KEY when it is unknown, used or too old */
  async function use(tx: Tx, purpose: KeyPurpose, key: string): Promise<KeyOwner> {
    return ownerOf(await tx.maybeOne(queries.useKey, [secrets.hashOfKey(key), purpose, clock.now()]))
  }

  /** Counts a wrong code against a key; the fifth uses it up. */
  async function countFailure(from: Queries, key: string): Promise<void> {
    await from.execute(queries.countKeyFailure, [secrets.hashOfKey(key), clock.now(), MOST_FAILURES])
  }

  /** Makes a player's keys of one kind worthless, or all. */
  async function revoke(tx: Tx, playerId: bigint, purpose: KeyPurpose | 'all'): Promise<void> {
    if (purpose === 'all') await tx.execute(queries.removeAllKeys, [playerId])
    else await tx.execute(queries.removeKeys, [playerId, purpose])
  }

  /** Removes keys whose time is over. */
  async function removeOld(tx: Tx): Promise<void> {
    await tx.execute(queries.removeOldKeys, [clock.now()])
  }

  return { issue, look, use, countFailure, revoke, removeOld }
}

function ownerOf(row: { player_id: bigint; email: string | null; expires_at: number } | null): KeyOwner {
  if (row === null) throw new LotteryError('INVALID_KEY')
  return { playerId: row.player_id, email: row.email, expiresAt: row.expires_at }
}
