import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import { LotteryError } from '@fairball/domain/errors'
import type { Queries, Tx } from '../../db/pool.ts'
import type { Clock } from '../../runtime/runtime.ts'
import type { ConsoleContext } from './context.ts'
import { findFile, findReaders, insertFile, removeOldFiles, takeFile } from './file-queries.ts'
import type { Desk } from './kinds/kind.ts'
import { refusal } from './refusal.ts'
import type { SignedInStaff } from './sessions.ts'

// What a worker leaves for the people who signed a request. The console shows it to them alone.

const KEPT_SECONDS = 24 * 3600

/** A file to leave. */
interface NewFile {
  readonly name: string
  /** its media type */
  readonly type: string
  readonly content: string
  /** whether the first answer takes it away */
  readonly isOnce: boolean
}

/** Leaves a file for the people who signed. @returns its id, the `file` of the request's result */
export async function leaveFile({ ctx, tx, requestId, signers }: Desk, file: NewFile): Promise<string> {
  const id = ctx.runtime.random.uuid()
  await tx.execute(insertFile, { id, requestId, now: ctx.runtime.clock.now(), readers: [...signers], ...file })
  return id
}

/** Lets the person who signed for a file read it. @throws LotteryError NOT_FOUND; CodedRefusal ACCESS_DENIED */
export async function requireReader(
  { db, runtime }: { readonly db: Queries; readonly runtime: { readonly clock: Clock } },
  staff: Pick<SignedInStaff, 'id'>,
  id: string,
): Promise<{ readonly name: string }> {
  const file = await db.maybeOne(findReaders, [id, runtime.clock.now() - KEPT_SECONDS])
  if (file === null) throw new LotteryError('NOT_FOUND')
  if (!file.readers.includes(staff.id)) throw refusal('ACCESS_DENIED')
  return file
}

/**
 * A file, for the person who signed for it.
 *
 * @throws LotteryError NOT_FOUND for one that is gone; CodedRefusal ACCESS_DENIED
 */
export async function fileOf(
  { db, runtime }: Pick<ConsoleContext, 'db' | 'runtime'>,
  staff: SignedInStaff,
  id: string,
): Promise<ConsoleAnswerOf<typeof readCalls.getFile>> {
  const file = await db.maybeOne(findFile, [id, runtime.clock.now() - KEPT_SECONDS])
  if (file === null) throw new LotteryError('NOT_FOUND')
  if (!file.readers.includes(staff.id)) throw refusal('ACCESS_DENIED')
  const { name, type, content } = file
  if (!file.isOnce) return { name, type, content }
  const taken = await db.transaction((tx) => tx.maybeOne(takeFile, [id]))
  if (taken === null) throw new LotteryError('NOT_FOUND') // another call has just had it
  return taken
}

/** Removes the files of yesterday. @param now epoch seconds */
export async function removeFiles(tx: Tx, now: number): Promise<void> {
  await tx.execute(removeOldFiles, [now - KEPT_SECONDS])
}
