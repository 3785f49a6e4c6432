import { LotteryError } from '@fairball/domain/errors'
import { KEY_SECONDS } from '@fairball/domain/periods'
import type { Queries, Tx } from '../../db/pool.ts'
import type { ValueOf } from '../../db/sql.ts'
import type { IdentityContext } from './context.ts'
import * as queries from './key-queries.ts'
import { hashOfKey } from './secrets.ts'

// Keys of links and of the second login step: 256 random bits, stored hashed, valid once and for a limited time.

/** What a key is for. */
type KeyPurpose = ValueOf<typeof queries.keyPurpose>

/** Wrong codes or answers after which a key of the second step is worthless (ASVS 6.6.3). */
const MAX_FAILURES = 5

/** The owner of a valid key. */
export interface KeyOwner {
  readonly playerId: bigint
  /** the address the key was sent to, if any */
  readonly email: string | null
  readonly expiresAt: number
}

/** Makes a key. `email` binds it to the address it is sent to. */
export async function issueKey(
  ctx: IdentityContext,
  tx: Queries,
  purpose: KeyPurpose,
  playerId: bigint,
  email: string | null = null,
): Promise<string> {
  const { key, hash } = ctx.secrets.newKey()
  const nowAt = ctx.runtime.clock.now()
  await tx.execute(queries.insertKey, {
    playerId,
    createdAt: nowAt,
    expiresAt: nowAt + KEY_SECONDS[purpose],
    purpose,
    email,
    hash,
  })
  return key
}

/** The owner of a key; null if it is unknown, used or too old. */
export async function findKey(
  ctx: IdentityContext,
  from: Queries,
  purpose: KeyPurpose,
  key: string,
): Promise<KeyOwner | null> {
  return await from.maybeOne(queries.findKey, [hashOfKey(key), purpose, ctx.runtime.clock.now()])
}

/** The owner of a key. @throws LotteryError INVALID_KEY if it is unknown, used or too old */
export async function lookUpKey(
  ctx: IdentityContext,
  from: Queries,
  purpose: KeyPurpose,
  key: string,
): Promise<KeyOwner> {
  return known(await findKey(ctx, from, purpose, key))
}

/** Uses a key up. @throws LotteryError INVALID_KEY if it is unknown, used or too old */
export async function useKey(ctx: IdentityContext, tx: Tx, purpose: KeyPurpose, key: string): Promise<KeyOwner> {
  return known(await tx.maybeOne(queries.useKey, [hashOfKey(key), purpose, ctx.runtime.clock.now()]))
}

/** Counts a wrong code against a key; the fifth uses it up. */
export async function countKeyFailure(ctx: IdentityContext, from: Queries, key: string): Promise<void> {
  await from.execute(queries.countKeyFailure, [hashOfKey(key), ctx.runtime.clock.now(), MAX_FAILURES])
}

/** Revokes a player's keys of one kind, or all. */
export async function revokeKeys(tx: Tx, playerId: bigint, purpose: KeyPurpose | 'all'): Promise<void> {
  if (purpose === 'all') await tx.execute(queries.removeAllKeys, [playerId])
  else await tx.execute(queries.removeKeys, [playerId, purpose])
}

/** Removes expired keys. */
export async function removeOldKeys(ctx: IdentityContext, tx: Tx): Promise<void> {
  await tx.execute(queries.removeOldKeys, [ctx.runtime.clock.now()])
}

function known(owner: KeyOwner | null): KeyOwner {
  if (owner === null) throw new LotteryError('INVALID_KEY')
  return owner
}
