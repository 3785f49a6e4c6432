import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { COSIGNED_BEFORE_SECONDS } from '@fairball/domain/protocol/numbers'
import { isMet, readPolicy } from '@fairball/domain/protocol/policy'
import type { Queries } from '../../db/pool.ts'
import { readStatement, readStatementOf } from './log.ts'
import { textOf } from './texts.ts'
import * as queries from './witness-queries.ts'

/** A close, and its deadline for cosignatures. */
interface CloseInTime {
  readonly openHash: string
  readonly closeHash: string
  /** epoch seconds: when its round is due, less 60 */
  readonly until: number
}

/**
 * Whether a close is in force (docs/fairness.md, section 7): the log has it in time, and a checkpoint that holds it
 * meets its draw's policy with cosignatures dated from 60 s before it on. With `quorum none` the first condition
 * suffices.
 */
export async function isInForce(from: Queries, close: CloseInTime): Promise<boolean> {
  const open = await readStatementOf(from, 'open', close.openHash)
  const { time } = await readStatement(from, close.closeHash)
  if (time < open.close || time > close.until) return false
  const policy = readPolicy((await textOf(from, open.policy)) ?? '')
  return policy.quorum === null || (await sealingSize(from, close)) !== null
}

/** The size of the first checkpoint that holds a statement and meets the policy of its draw; null for none. */
export async function sealingSize(from: Queries, { openHash, closeHash, until }: CloseInTime): Promise<number | null> {
  const open = await readStatementOf(from, 'open', openHash)
  const policy = readPolicy((await textOf(from, open.policy)) ?? '')
  const { index, time } = await readStatement(from, closeHash)
  const earliest = time - COSIGNED_BEFORE_SECONDS
  for (const { size } of await from.run(queries.listCosignedSizes, [index, earliest, until])) {
    const checkpoint = readCheckpoint(await cosignedCheckpoint(from, size))
    if (checkpoint !== null && isMet(policy, checkpoint.note, earliest, until)) return size
  }
  return null
}

/** The note of a checkpoint with all its cosignatures so far. */
export async function cosignedCheckpoint(from: Queries, size: number): Promise<string> {
  const { note, lines } = await from.one(queries.findCosigned, [size])
  return withLines(note, lines)
}

/** The note of the newest checkpoint with all its cosignatures so far; null before the log begins. */
export async function newestCheckpoint(from: Queries): Promise<string | null> {
  const found = await from.maybeOne(queries.findNewestCosigned, [])
  return found === null ? null : withLines(found.note, found.lines)
}

function withLines(note: string, lines: readonly string[]): string {
  return note + lines.map((line) => `${line}\n`).join('')
}
