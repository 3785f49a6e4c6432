import { writeEvidence } from '@fairball/domain/protocol/bundle'
import { equalBytes, toHex } from '@fairball/domain/protocol/bytes'
import type { Suspicion } from './alarms.ts'
import type { KeptHead } from './kept-log.ts'

/** Two contradicting heads of one log, and their evidence. */

/** A tree that a head continues, with the proof. */
interface ContinuedTree {
  readonly size: number
  readonly root: Uint8Array
  /** hashes of RFC 9162 section 2.1.4 */
  readonly consistency: readonly Uint8Array[]
}

/**
 * Two signed heads of one size with different roots: any verifier can prove the fraud with these alone.
 *
 * @param key the log's, hex
 */
export function forkOfOneSize(one: KeptHead, other: KeptHead, key: string): Suspicion {
  const { origin, size } = one.checkpoint
  const evidence = { kind: 'fork', failed: [], bundle: null, notes: [one.note, other.note], key } as const
  return {
    kind: 'fork',
    key: `fork:${size}:${[one, other]
      .map(({ checkpoint }) => toHex(checkpoint.root))
      .toSorted()
      .join(':')}`,
    text: `Fraud: the log ${origin} has two different heads of size ${size}, both signed with its key.`,
    duration: 'for-good',
    evidence: { name: `fork-${size}`, file: writeEvidence(evidence) },
  }
}

/**
 * Two signed heads of different sizes: the larger one continues a tree of the smaller one's size, but with a different
 * root. The evidence has both notes and the consistency proof for that other tree.
 */
export function forkOfTwoSizes(older: KeptHead, newer: KeptHead, other: ContinuedTree, key: string): Suspicion {
  const { origin, size } = older.checkpoint
  const file = {
    format: 'fairball/witness-fork/v2',
    notes: [older.note, newer.note],
    key,
    continued: {
      size: other.size,
      root: toHex(other.root),
      consistency: other.consistency.map((hash) => toHex(hash)),
    },
  }
  return {
    kind: 'fork',
    key: `fork:${size}:${newer.checkpoint.size}:${toHex(newer.checkpoint.root)}`,
    text:
      `Fraud: the head of size ${newer.checkpoint.size} of the log ${origin} does not continue the one of size ${size}, ` +
      'and both are signed with its key.',
    duration: 'for-good',
    evidence: { name: `fork-${newer.checkpoint.size}`, file: `${JSON.stringify(file, null, 1)}\n` },
  }
}

/** Whether two heads have different roots for one size. */
export function contradict(one: KeptHead, other: KeptHead): boolean {
  return one.checkpoint.size === other.checkpoint.size && !equalBytes(one.checkpoint.root, other.checkpoint.root)
}
