import { createHash } from 'node:crypto'
import type { Queries, Tx } from '../../db/pool.ts'
import type { Clock } from '../../runtime/runtime.ts'
import { Refused } from '../../kernel/errors.ts'
import { hashedPieces, type Stretch } from './journal.ts'
import { type LockOnWire, lockOnWire, stretchOf } from './months.ts'
import * as queries from './queries.ts'

/** Time after the end of a month before it can be locked. */
const LOCKED_AFTER_SECONDS = 86_400

/** What recomputing a locked month's journal gave. */
interface VerifiedMonth extends LockOnWire {
  readonly month: string
  readonly ok: boolean
  /** the hash of the journal as it is now */
  readonly computed_hash: string
}

/**
 * Locks a month: nothing dated in it is posted any more, and its journal has a hash that never changes. Transfers of
 * the month that are being written are waited for; others are not disturbed.
 *
 * @param month `2026-11`
 * @throws Refused before a day has passed since the month's end, or if it is locked
 */
export async function lockMonth(
  { clock }: { readonly clock: Pick<Clock, 'now'> },
  tx: Tx,
  month: string,
  requestId: string,
): Promise<LockOnWire> {
  const stretch = stretchOf(month)
  if (stretch === null) throw new Refused(`${month} is not a month, such as 2026-11.`)
  const lockedAt = clock.now()
  if (lockedAt < stretch.to + LOCKED_AFTER_SECONDS)
    throw new Refused(`${month} can be locked from 24 hours after its end.`)
  await tx.run(queries.waitForMonth, [month])
  const { journalHash, lastTransferId } = await hashOf(tx, stretch)
  const lock = { month, lockedAt, lastTransferId, journalHash }
  if ((await tx.execute(queries.insertLock, { ...lock, requestId })) === 0) throw new Refused(`${month} is locked.`)
  return lockOnWire(lock)
}

/** Computes the hash of a locked month again; null for a month that is not locked. */
export async function verifyMonth(tx: Tx, month: string): Promise<VerifiedMonth | null> {
  const [lock, stretch] = [await tx.maybeOne(queries.findLock, [month]), stretchOf(month)]
  if (lock === null || stretch === null) return null
  const { journalHash, lastTransferId } = await hashOf(tx, stretch)
  const ok = journalHash === lock.journalHash && lastTransferId === lock.lastTransferId
  return { month, ok, ...lockOnWire(lock), computed_hash: journalHash }
}

/** The lock of the newest month that is locked, whose hash is the public head of the journal; null for none. */
export async function journalHead(from: Queries): Promise<({ readonly month: string } & LockOnWire) | null> {
  const lock = await from.maybeOne(queries.findNewestLock, [])
  return lock === null ? null : { month: lock.month, ...lockOnWire(lock) }
}

async function hashOf(tx: Tx, stretch: Stretch): Promise<{ journalHash: string; lastTransferId: bigint | null }> {
  const hash = createHash('sha256')
  let lastTransferId: bigint | null = null
  const keepNewest = (id: bigint): void => {
    if (lastTransferId === null || id > lastTransferId) lastTransferId = id
  }
  for await (const piece of hashedPieces(tx, stretch, keepNewest)) hash.update(piece)
  return { journalHash: hash.digest('hex'), lastTransferId }
}
