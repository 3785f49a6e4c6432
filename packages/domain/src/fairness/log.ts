import { assert } from '../assert.ts'
import { fromHex } from './bytes.ts'
import { type HashFunctions, NOBLE_HASH } from './hash.ts'
import { parseNote, verifyNote } from './signed-note.ts'
import {
  isLogged,
  type LoggedStatement,
  NO_HASH,
  parseStatement,
  statementHash,
  StatementError,
  type StatementOf,
} from './statements.ts'

/** A statement of a log with everything that is asked of it again and again. */
export interface LoggedNote<S extends LoggedStatement = LoggedStatement> {
  /** as it was served, with its signature lines */
  readonly note: string
  /** what is signed and hashed */
  readonly text: string
  /** hash of the text, hex */
  readonly hash: string
  readonly statement: S
}

/** A statement of one kind in a log. */
export type LoggedNoteOf<K extends LoggedStatement['type']> = LoggedNote<Extract<LoggedStatement, StatementOf<K>>>

/** A key of the operator and when it was in force. */
export interface LogKey {
  /** Ed25519, 32 bytes as hex */
  readonly publicKey: string
  /** time of the statement that made it known, epoch seconds */
  readonly fromAt: number
  /** time of the statement that replaced it; null for the key in force */
  readonly untilAt: number | null
}

/** What has to be remembered of a log to go on verifying it later. Plain values: it can be kept in a file. */
export interface LogHead {
  readonly operator: string
  /** of the newest statement */
  readonly seq: number
  /** of the newest statement, hex */
  readonly hash: string
  /** of the newest statement, epoch seconds */
  readonly time: number
  /** from the first to the one in force */
  readonly keys: readonly LogKey[]
  /** of every draw opened so far: none may come again */
  readonly seedHashes: readonly string[]
}

/**
 * What a note breaks. `form`: it is not a statement of a log; `signature`: the key in force did not sign it; `order`: `seq`,
 * `prev`, `time` or the operator do not follow from the statement before; `seed`: its `seedhash` came before.
 */
export type LogFault = 'form' | 'signature' | 'order' | 'seed'

/** The first thing that is wrong with a log. Nothing after it is taken for true. */
export interface LogProblem {
  /** the place of the note in the log, from 0: its `seq` if it were right */
  readonly seq: number
  readonly fault: LogFault
  /** what is wrong, in plain words, as the end of a sentence: "statement 12 is …" */
  readonly message: string
}

/** A log that was verified, up to its first problem. */
export interface VerifiedLog {
  /** null where not even the first statement holds */
  readonly head: LogHead | null
  /** in order, all verified */
  readonly statements: readonly LoggedNote[]
  readonly problem: LogProblem | null
}

/**
 * Takes the notes of a log one by one and holds each against those before: signed by the key in force, `seq` without a gap,
 * `prev` the hash of the one before, `time` never decreasing, one operator, no `seedhash` twice; a change of the key is signed
 * by the old and the new one (fairness sections 3 and 10, step 1). Stops at the first problem.
 */
export class LogVerifier implements VerifiedLog {
  readonly statements: LoggedNote[] = []
  readonly #hash: HashFunctions
  readonly #seedHashes: Set<string>
  #head: Omit<LogHead, 'seedHashes'> | null
  #problem: LogProblem | null = null

  /** @param head where an earlier verifier of the same log stopped; the next note is the one after it */
  constructor({ head = null, hash = NOBLE_HASH }: { head?: LogHead | null; hash?: HashFunctions } = {}) {
    this.#head = head
    this.#seedHashes = new Set(head?.seedHashes)
    this.#hash = hash
  }

  /** What to remember, to go on later; null before the first statement. */
  get head(): LogHead | null {
    return this.#head === null ? null : { ...this.#head, seedHashes: [...this.#seedHashes] }
  }

  /** The first problem; null as long as everything holds. */
  get problem(): LogProblem | null {
    return this.#problem
  }

  /** Takes the next note. Never throws: notes come from anywhere. @returns the statement, or null from the first problem on */
  add(note: string): LoggedNote | null {
    if (this.#problem !== null) return null
    const logged = readLogged(note, this.#hash)
    const problem = typeof logged === 'string' ? { fault: 'form' as const, message: logged } : this.#problemOf(logged)
    if (problem !== null || typeof logged === 'string') {
      this.#problem = { seq: this.#nextSeq(), fault: problem?.fault ?? 'form', message: problem?.message ?? '' }
      return null
    }
    this.#advance(logged)
    return logged
  }

  #nextSeq(): number {
    return this.#head === null ? 0 : this.#head.seq + 1
  }

  #problemOf({ note, statement }: LoggedNote): { fault: LogFault; message: string } | null {
    const order = orderProblem(this.#head, statement)
    if (order !== null) return { fault: 'order', message: order }
    const signature = this.#signatureProblem(note, statement)
    if (signature !== null) return { fault: 'signature', message: signature }
    if (statement.type === 'open' && this.#seedHashes.has(statement.seedhash)) {
      return { fault: 'seed', message: 'opens a draw with the seed hash of an earlier draw' }
    }
    return null
  }

  #signatureProblem(note: string, statement: LoggedStatement): string | null {
    const inForce = this.#head?.keys.at(-1)?.publicKey ?? (statement.type === 'log' ? statement.key : '')
    if (!isSignedBy(note, statement.operator, inForce)) return 'is not signed with the key in force'
    if (statement.type !== 'key') return null
    if (statement.key === inForce) return 'changes the key to the one that is in force'
    return isSignedBy(note, statement.operator, statement.key) ? null : 'is not signed with the new key as well'
  }

  #advance(logged: LoggedNote): void {
    const { hash, statement } = logged
    const { operator, seq, time } = statement
    const known = this.#head?.keys ?? []
    const isNewKey = statement.type === 'log' || statement.type === 'key'
    const keys = isNewKey
      ? [
          ...known.map((key) => ({ ...key, untilAt: key.untilAt ?? time })),
          { publicKey: statement.key, fromAt: time, untilAt: null },
        ]
      : known
    if (statement.type === 'open') this.#seedHashes.add(statement.seedhash)
    this.#head = { operator, seq, hash, time, keys }
    this.statements.push(logged)
  }
}

/** Verifies a whole log from its first statement on, or from a remembered head (fairness section 10, step 1). */
export function verifyLog(
  notes: Iterable<string>,
  options: { head?: LogHead | null; hash?: HashFunctions } = {},
): VerifiedLog {
  const verifier = new LogVerifier(options)
  for (const note of notes) if (verifier.add(note) === null) break
  return verifier
}

/** Two different statements of one operator with one `seq`, both signed: proof of fraud (fairness section 3). */
export interface Fork {
  readonly seq: number
  /** the two notes */
  readonly notes: readonly [string, string]
  /** hashes of their statements, hex */
  readonly hashes: readonly [string, string]
}

/**
 * Holds two notes against each other (fairness section 3). Never throws.
 *
 * @param publicKeys the operator's keys, hex; each note has to be signed with one of them
 * @returns null where they are no proof: the same statement, another `seq` or operator, or not both signed
 */
export function findFork(noteA: string, noteB: string, publicKeys: readonly string[]): Fork | null {
  const [a, b] = [readLogged(noteA, NOBLE_HASH), readLogged(noteB, NOBLE_HASH)]
  if (typeof a === 'string' || typeof b === 'string' || a.hash === b.hash) return null
  if (a.statement.seq !== b.statement.seq || a.statement.operator !== b.statement.operator) return null
  const isSigned = (logged: LoggedNote): boolean =>
    publicKeys.some((key) => isSignedBy(logged.note, logged.statement.operator, key))
  if (!isSigned(a) || !isSigned(b)) return null
  return { seq: a.statement.seq, notes: [noteA, noteB], hashes: [a.hash, b.hash] }
}

/** Whether a note carries a valid signature of an operator's key. Never throws. @param publicKey hex */
export function isSignedBy(note: string, operator: string, publicKey: string): boolean {
  try {
    return verifyNote(note, { name: operator, publicKey: fromHex(publicKey, 32) }) !== null
  } catch {
    return false // a name or a key that is none
  }
}

/** Takes a note for a statement of a log, or says what it is instead. Signatures are not verified. Never throws. */
export function readLogged(note: string, hash: HashFunctions = NOBLE_HASH): LoggedNote | string {
  const parsed = parseNote(note)
  if (parsed === null) return 'is not a signed note'
  try {
    const statement = parseStatement(parsed.text)
    assert(isLogged(statement), `a ${statement.type} does not stand in a log`)
    return { note, text: parsed.text, hash: statementHash(parsed.text, hash), statement }
  } catch (error) {
    if (error instanceof StatementError || error instanceof RangeError) return `is not a statement: ${error.message}`
    throw error
  }
}

function orderProblem(head: Omit<LogHead, 'seedHashes'> | null, { seq, prev, time, operator }: LoggedStatement) {
  if (head === null) {
    return seq === 0 && prev === NO_HASH ? null : `has the number ${seq}, but a log begins with 0`
  }
  if (operator !== head.operator) return 'is of another operator'
  if (seq !== head.seq + 1) return `has the number ${seq}, but ${head.seq + 1} follows ${head.seq}`
  if (prev !== head.hash) return 'does not name the hash of the statement before it'
  return time < head.time ? 'is earlier than the statement before it' : null
}
