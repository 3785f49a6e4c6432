import { findFork, isSignedBy, type LogProblem, readLogged } from '@fairball/domain/fairness/log'
import type { Suspicion } from './alarms.ts'
import type { KeptNote } from './kept-log.ts'

/**
 * Holds a note that is served now against the one that was kept (fairness section 3). Another statement in its place is a
 * fork, and proof, if one of the operator's keys signed it.
 *
 * @param publicKeys the operator's keys, hex
 */
export function changeOf(kept: KeptNote, served: string, publicKeys: readonly string[]): Suspicion | null {
  const { note, hash, statement } = kept.logged
  if (served === note) return null
  const { seq } = statement
  const fork = findFork(note, served, publicKeys)
  if (fork !== null) {
    const [before, now] = fork.hashes
    return {
      kind: 'fork',
      key: `fork:${seq}`,
      text:
        `FORK: the operator signed two different statements ${seq}, ${before} and ${now}. ` +
        'Both signed notes are kept. This is proof of fraud.',
      duration: 'for-good',
      seq,
      evidence: { fork: fork.notes, notes: fork.notes },
    }
  }
  const shown = readLogged(served)
  const isSame = typeof shown !== 'string' && shown.hash === hash
  if (isSame && publicKeys.some((key) => isSignedBy(served, statement.operator, key))) return null
  const what = isSame ? 'with a signature that is not valid' : 'as something else, which no key of the operator signed'
  return {
    kind: 'changed',
    key: `changed:${seq}`,
    text: `Statement ${seq} is now served ${what}. Somebody between you and the operator may have changed it.`,
    duration: 'while-so',
    seq,
    evidence: { fork: null, notes: [note, served] },
  }
}

/** The log is shorter than it was. @param last the newest note that was kept */
export function shrunk({ logged }: KeptNote): Suspicion {
  const { seq } = logged.statement
  return {
    kind: 'shrank',
    key: `shrank:${seq}`,
    text: `The log has become shorter: statement ${seq}, which the operator signed, is not served any more.`,
    duration: 'while-so',
    seq,
    evidence: { fork: null, notes: [logged.note] },
  }
}

/**
 * A note that does not follow. If a key of the operator signed it, the two notes are proof that the operator does not keep
 * one log.
 */
export function brokenBy(
  note: string,
  { seq, fault, message }: LogProblem,
  { last, operator, publicKeys }: { last: KeptNote | null; operator: string; publicKeys: readonly string[] },
): Suspicion {
  const isSigned = publicKeys.some((key) => isSignedBy(note, operator, key))
  const who = isSigned ? 'The operator signed it: this is proof.' : 'No key of the operator signed it.'
  return {
    kind: 'broken',
    key: `broken:${seq}:${fault}:${isSigned ? 'signed' : 'unsigned'}`,
    text: `The log is broken: statement ${seq} ${message}. ${who}`,
    duration: isSigned ? 'for-good' : 'while-so',
    seq,
    evidence: { fork: null, notes: last === null ? [note] : [last.logged.note, note] },
  }
}
