import type { Seal, Tail } from './bundle.ts'
import { asciiBytes, fromHex, toHex } from './bytes.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import type { Hash } from './hash.ts'
import type { KnownLog, Logged } from './known-log.ts'
import { RANGE_STATEMENTS } from './numbers.ts'
import { isStatementError, readLogStatement } from './statements.ts'
import { isConsistent, leafHash, peakCount, TreeFolder, type TreeHead } from './tree.ts'

/** Ranges of statements (sections 3, 7 and 12): proof that they are the whole log between two indexes. */

/** A range that leads to a checkpoint of the log; the log's head continues the checkpoint. */
export interface ReadRange {
  readonly checkpoint: Checkpoint
  readonly statements: readonly Logged[]
}

/** Reads a seal. @returns the reason if it is not of this log */
export function readSeal(log: KnownLog, seal: Seal, hash: Hash): ReadRange | string {
  const checkpoint = readCheckpoint(seal.checkpoint)
  if (checkpoint === null || !log.isSigned(checkpoint)) return 'its checkpoint is not signed by the key of the log'
  if (seal.left.length !== peakCount(seal.start)) return 'the hashes before the range are not as many as its start has'
  const folder = new TreeFolder(
    hash,
    seal.start,
    seal.left.map((item) => fromHex(item)),
  )
  const statements = readAll(log, folder, seal.statements, 0, hash)
  if (statements === null) return 'a statement of the range is none of this log, or its times go down'
  const end: TreeHead = { size: folder.size, root: folder.root() }
  if (end.size !== checkpoint.size || toHex(end.root) !== toHex(checkpoint.root)) {
    return 'the statements do not lead to the checkpoint'
  }
  const proof = seal.consistency.map((item) => fromHex(item))
  return isConsistent(hash, checkpoint, log.head, proof)
    ? { checkpoint, statements }
    : 'the head of the log does not continue the checkpoint'
}

/**
 * Reads the statements after a seal.
 *
 * @returns the statements after the seal, or the reason if they are not of this log
 */
export function readTail(log: KnownLog, sealed: ReadRange, tail: Tail, hash: Hash): readonly Logged[] | string {
  const { checkpoint } = sealed
  if (tail.left.length !== peakCount(checkpoint.size))
    return 'the hashes before the tail are not those of the checkpoint'
  const left = tail.left.map((item) => fromHex(item))
  const folder = new TreeFolder(hash, checkpoint.size, left)
  if (toHex(folder.root()) !== toHex(checkpoint.root)) return 'the tail does not go on from the checkpoint'
  const sealedAt = sealed.statements.at(-1)?.statement.time ?? 0
  const statements = readAll(log, folder, tail.statements, sealedAt, hash)
  if (statements === null) return 'a statement after the seal is none of this log, or its times go down'
  const end: TreeHead = { size: folder.size, root: folder.root() }
  const proof = tail.consistency.map((item) => fromHex(item))
  return isConsistent(hash, end, log.head, proof) ? statements : 'the head of the log does not continue the tail'
}

/**
 * Reads statements into a tree; null if one is not a statement of the log, or is dated before its predecessor.
 *
 * @param from the first is dated from then on, epoch seconds
 */
function readAll(
  log: KnownLog,
  folder: TreeFolder,
  texts: readonly string[],
  from: number,
  hash: Hash,
): Logged[] | null {
  if (texts.length === 0 || texts.length > RANGE_STATEMENTS) return null
  const statements: Logged[] = []
  let before = from
  for (const text of texts) {
    const logged = readOne(text, folder.size, hash)
    if (logged === null || logged.statement.log !== log.origin || logged.statement.time < before) return null
    before = logged.statement.time
    statements.push(logged)
    folder.add(leafHash(hash, asciiBytes(text)))
  }
  return statements
}

function readOne(text: string, index: number, hash: Hash): Logged | null {
  try {
    const statement = readLogStatement(text)
    return { index, text, hash: toHex(hash(asciiBytes(text))), statement }
  } catch (error) {
    if (isStatementError(error)) return null
    throw error
  }
}
