import { asciiBytes, toHex } from '@fairball/domain/protocol/bytes'
import { checkpointText } from '@fairball/domain/protocol/checkpoint'
import { textHash } from '@fairball/domain/protocol/hash'
import {
  type LogStatement,
  readLogStatement,
  type Statement,
  writeStatement,
} from '@fairball/domain/protocol/statements'
import { leafHash } from '@fairball/domain/protocol/tree'
import { assertNotFast } from '../../db/database-clock.ts'
import type { Queries, Tx } from '../../db/pool.ts'
import type { FairnessContext, LogContext } from './context.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'
import { signedNote } from './signing.ts'
import { appendToTree, LOG_TREE } from './trees.ts'
import { askWitnesses, COSIGNED_AT_ONCE } from './witness-jobs.ts'

/** Processes hear of a new statement on this channel, after its commit. */
export const LOG_CHANNEL = 'fairness_log'

/** A statement without what the log adds: which log it belongs to, and its time. */
type LoggedFields = DistributiveOmit<LogStatement, 'log' | 'time'>
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never

/** The place of a statement. */
export interface Appended {
  /** hex, the name of the statement */
  readonly hash: string
  readonly index: number
  /** epoch seconds */
  readonly time: number
}

/** A statement as read from the log. */
export interface ReadStatement extends Appended {
  readonly text: string
  readonly statement: LogStatement
}

/**
 * Locks the log's head until the transaction ends. Lock it late: all closes and settlements wait here. A fast process
 * stops here even if its clock was right when it began: every later statement would carry a later time (decision 37).
 *
 * @returns the time that a statement appended now carries, in epoch seconds: never before that of the newest one
 * @throws FastClock
 */
export async function lockHead({ runtime, databaseClock }: LogContext, tx: Tx): Promise<number> {
  await tx.one(queries.lockHead, [])
  const head = await databaseClock.ask(() => tx.one(queries.findHeadTime, []))
  assertNotFast(head)
  return Math.max(runtime.clock.now(), head.row.at ?? 0)
}

/**
 * Appends a statement inside the caller's transaction, with its checkpoint. No one can read it before the commit.
 *
 * @param at what `lockHead` returned earlier in the same transaction, if the statement depends on its own time, or a
 *   later moment
 * @throws StatementError if the statement is malformed
 * @throws LogHeadError if the database lacks statements that this process has read
 */
export async function appendStatement(ctx: LogContext, tx: Tx, fields: LoggedFields, at?: number): Promise<Appended> {
  const now = await lockHead(ctx, tx)
  const head = await tx.maybeOne(queries.findHead, [])
  const time = at ?? now
  if (time < (head?.at ?? 0)) throw new Error(`a statement of ${time} would be dated before the newest one`)
  // The fields are those of one type; with the two common fields they make a statement of it.
  const text = writeStatement({ ...fields, log: ctx.origin, time } as never)
  const hash = textHash(text)
  const index = head === null ? 0 : head.index + 1
  await ctx.known.assertContinuedBy(tx, index)
  const openHash = await drawOf(tx, fields, hash)
  await tx.execute(queries.insertStatement, { index, at: time, hash, type: fields.type, text, openHash })
  const { size, root } = await appendToTree(tx, LOG_TREE, index, [leafHash(NODE_HASH, asciiBytes(text))])
  const keys = await ctx.keys.forCheckpoints(tx, time)
  const note = signedNote(checkpointText(ctx.origin, { size, root }), ctx.origin, keys)
  await tx.execute(queries.insertCheckpoint, [size, time, note])
  if (COSIGNED_AT_ONCE.includes(fields.type)) await askWitnesses(ctx, tx, size)
  await tx.notify(LOG_CHANNEL, String(index))
  return { hash, index, time }
}

/** Reads a statement of the log. @throws Error if no statement has this hash */
export async function readStatement(from: Queries, hash: string): Promise<ReadStatement> {
  const found = await from.maybeOne(queries.findStatement, [hash])
  if (found === null) throw new Error(`no statement of the log has the hash ${hash}`)
  const { index, at: time, text } = found
  return { hash, index, time, text, statement: readLogStatement(text) }
}

/** Reads a statement of a known type. @throws Error if no statement has this hash, or if it has another type */
export async function readStatementOf<T extends LogStatement['type']>(
  from: Queries,
  type: T,
  hash: string,
): Promise<Extract<LogStatement, { readonly type: T }>> {
  const { statement } = await readStatement(from, hash)
  if (!isOf(type, statement)) throw new Error(`the statement ${hash} is a ${statement.type}, not a ${type}`)
  return statement
}

/**
 * Begins the log at the first start, with its key and the hash of the next one. Idempotent.
 *
 * @param after the head of the log that it follows after a loss of data (docs/fairness.md, section 7); default none
 */
export async function beginLog(ctx: LogContext, after: FairnessContext['after'] = null): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx.one(queries.lockHead, []) // a process that appends nothing starts with any clock
    if ((await tx.maybeOne(queries.findHead, [])) !== null) return
    const { publicKey } = await ctx.keys.inForce(tx)
    const next = await ctx.keys.nextHash(tx)
    await appendStatement(ctx, tx, { type: 'log', key: toHex(publicKey), next, after })
  })
}

/**
 * Puts the next key in force and commits to another next one (docs/fairness.md, section 13). Every process signs with
 * it from the commit on.
 *
 * @returns the key now in force, hex, and the hash of its statement
 */
export async function changeKey(ctx: LogContext): Promise<{ publicKey: string; hash: string }> {
  return await ctx.db.transaction(async (tx) => {
    const time = await lockHead(ctx, tx)
    await ctx.keys.rotate(tx, time)
    const publicKey = toHex((await ctx.keys.inForce(tx)).publicKey)
    const next = await ctx.keys.nextHash(tx)
    const { hash } = await appendStatement(ctx, tx, { type: 'key', key: publicKey, next }, time)
    return { publicKey, hash }
  })
}

/** The newest statement and the key in force; null before the first start. */
export async function headOfLog(ctx: LogContext, from: Queries) {
  const head = await from.maybeOne(queries.findHead, [])
  if (head === null) return null
  const { publicKey } = await ctx.keys.inForce(from)
  return { origin: ctx.origin, publicKey: toHex(publicKey), ...head }
}

/** The identity of the draw that a statement is about; null for other statements. */
async function drawOf(from: Queries, fields: LoggedFields, hash: string): Promise<string | null> {
  switch (fields.type) {
    case 'open':
      return hash
    case 'sold':
    case 'close':
    case 'postpone':
    case 'void':
      return fields.open
    case 'result':
      return (await from.one(queries.findOpenHash, [fields.close])).openHash
    case 'log':
    case 'key':
    case 'chain':
    case 'game':
    case 'paid':
    case 'solvency':
    case 'code':
      return null
  }
}

function isOf<T extends LogStatement['type']>(
  type: T,
  statement: Statement,
): statement is Extract<LogStatement, { readonly type: T }> {
  return statement.type === type
}
