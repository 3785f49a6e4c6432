import { type Fork, findFork, LogVerifier } from '@fairball/domain/fairness/log'
import type { KeptNote } from './kept-log.ts'

/** How what two witnesses saw fits together. */
type Comparison =
  | { readonly outcome: 'same'; readonly inBoth: number; readonly onlyInOne: number }
  | { readonly outcome: 'fork'; readonly fork: Fork }
  | { readonly outcome: 'other-log'; readonly seq: number; readonly reason: string }

/**
 * Holds two kept logs against each other (fairness section 3). The first place where they differ is proof of a fork if both
 * statements there are signed by a key that the common part of the logs names; where even the first statement differs, by the
 * key in each.
 */
export function compareLogs(one: readonly KeptNote[], other: readonly KeptNote[]): Comparison {
  const inBoth = Math.min(one.length, other.length)
  const onlyInOne = Math.max(one.length, other.length) - inBoth
  const verifier = new LogVerifier()
  for (let seq = 0; seq < inBoth; seq += 1) {
    const [a, b] = [one[seq]?.logged, other[seq]?.logged]
    if (a === undefined || b === undefined) break // both are there: the loop ends before the shorter log
    if (a.hash !== b.hash) return difference(seq, [a.note, b.note], keysUpTo(verifier, a.note, b.note))
    if (verifier.add(a.note) === null) {
      return { outcome: 'other-log', seq, reason: `Statement ${seq} ${verifier.problem?.message}.` }
    }
  }
  return { outcome: 'same', inBoth, onlyInOne }
}

function difference(seq: number, notes: readonly [string, string], keys: readonly string[]): Comparison {
  const fork = findFork(notes[0], notes[1], keys)
  if (fork !== null) return { outcome: 'fork', fork }
  const reason = `Statement ${seq} differs, but not both are signed by one operator: one of the folders shows another log.`
  return { outcome: 'other-log', seq, reason }
}

/** Keys that both witnesses had before; at the very beginning only a key that both first statements name. */
function keysUpTo({ head }: LogVerifier, noteA: string, noteB: string): string[] {
  if (head !== null) return head.keys.map(({ publicKey }) => publicKey)
  const [a, b] = [noteA, noteB].map((note) => {
    const { statements } = firstOf(note)
    const statement = statements[0]?.statement
    return statement?.type === 'log' ? statement.key : null
  })
  return a !== null && a !== undefined && a === b ? [a] : []
}

function firstOf(note: string): LogVerifier {
  const verifier = new LogVerifier()
  verifier.add(note)
  return verifier
}
