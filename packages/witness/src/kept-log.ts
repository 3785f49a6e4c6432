import { join } from 'node:path'
import {
  type LoggedNote,
  type LogHead,
  type LogKey,
  LogVerifier,
  readLogged,
  type VerifiedLog,
} from '@fairball/domain/fairness/log'
import { NO_HASH } from '@fairball/domain/fairness/statements'
import { FolderError, Journal, numberOf, parseObject, textOf } from './journal.ts'
import type { Files } from './runtime.ts'

/** A statement as the witness saw it first. */
export interface KeptNote {
  readonly logged: LoggedNote
  /** when it was first served to this witness, epoch seconds */
  readonly seenAt: number
  /** when the witness had looked at the whole log before, and it was not there; null where it never had */
  readonly lookedAt: number | null
}

/** Names of files in the folder. */
const LOG_FILE = 'log.jsonl'
const HEAD_FILE = 'head.json'
/** The log is not followed beyond this size: a thousand times a busy lottery's year would be needed. */
export const MOST_LOG_BYTES = 384 * 1024 * 1024

/**
 * The operator's log as the witness saw it: every note is on the disk before the head that counts it, so that no crash loses
 * or doubles one. The head only says how far signatures need not be verified again.
 */
export class KeptLog {
  readonly #files: Files
  readonly #folder: string
  readonly #journal: Journal
  readonly #notes: KeptNote[]
  #verifier: LogVerifier

  private constructor(
    files: Files,
    folder: string,
    found: { journal: Journal; notes: KeptNote[]; head: LogHead | null },
  ) {
    this.#files = files
    this.#folder = folder
    this.#journal = found.journal
    this.#notes = found.notes
    this.#verifier = new LogVerifier({ head: found.head })
  }

  /**
   * Reads what was kept, verifying what the head does not count yet.
   *
   * @param isReadOnly changes nothing in the folder
   * @param verifiesAll verifies every signature, whatever the head says
   * @throws FolderError where the files do not fit together: something other than this program changed them
   */
  static open(
    files: Files,
    folder: string,
    { isReadOnly = false, verifiesAll = false }: { isReadOnly?: boolean; verifiesAll?: boolean } = {},
  ): { log: KeptLog; repairedBytes: number } {
    const { journal, rows, repairedBytes } = Journal.open(files, join(folder, LOG_FILE), { isReadOnly })
    const notes = rows.map(readKept)
    const counted = readHead(files, folder)
    if (counted !== null && counted.seq >= notes.length) {
      throw new FolderError(`${LOG_FILE} ends before the head of ${HEAD_FILE}: lines of it were lost.`)
    }
    assertChained(notes, counted)
    const head = verifyRest(notes, verifiesAll ? null : counted)
    const log = new KeptLog(files, folder, { journal, notes, head })
    if (!isReadOnly && head !== null && head.seq !== counted?.seq) log.#writeHead(head)
    return { log, repairedBytes }
  }

  /** from seq 0 without a gap */
  get notes(): readonly KeptNote[] {
    return this.#notes
  }

  get last(): KeptNote | null {
    return this.#notes.at(-1) ?? null
  }

  /** null before the first statement */
  get head(): LogHead | null {
    return this.#verifier.head
  }

  /** The keys the operator has had, hex, from the first to the one in force. */
  get publicKeys(): string[] {
    return this.head?.keys.map(({ publicKey }) => publicKey) ?? []
  }

  get isFull(): boolean {
    return this.#journal.bytes > MOST_LOG_BYTES
  }

  /** The whole of it, for those who verify a draw by it. */
  verified(): VerifiedLog {
    return { head: this.head, statements: this.#notes.map(({ logged }) => logged), problem: null }
  }

  /**
   * Takes the notes that follow, as far as they verify, and keeps those. Nothing of them is lost or doubled by a crash.
   *
   * @returns what was kept, and the first that does not verify
   */
  take(
    served: readonly string[],
    sight: { readonly seenAt: number; readonly lookedAt: number | null },
  ): { kept: KeptNote[]; broken: { note: string; problem: NonNullable<VerifiedLog['problem']> } | null } {
    const before = this.#verifier.head
    const verifier = new LogVerifier({ head: before })
    const kept: KeptNote[] = []
    let broken: { note: string; problem: NonNullable<VerifiedLog['problem']> } | null = null
    for (const note of served) {
      const logged = verifier.add(note)
      if (logged === null) {
        broken = verifier.problem === null ? null : { note, problem: verifier.problem }
        break
      }
      kept.push({ logged, ...sight })
    }
    const { head } = verifier
    if (kept.length > 0 && head !== null) {
      this.#journal.add(...kept.map(toRow))
      this.#writeHead(head)
      this.#notes.push(...kept)
      this.#verifier = new LogVerifier({ head })
    }
    return { kept, broken }
  }

  #writeHead({ operator, seq, hash, time, keys }: LogHead): void {
    const head = { format: 'fairball/witness-head/v1', operator, seq, hash, time, keys }
    this.#files.replace(join(this.#folder, HEAD_FILE), `${JSON.stringify(head)}\n`)
  }
}

function toRow({ logged, seenAt, lookedAt }: KeptNote): object {
  return { seq: logged.statement.seq, seen_at: seenAt, looked_at: lookedAt, note: logged.note }
}

function readKept(row: Record<string, unknown>, place: number): KeptNote {
  const logged = readLogged(textOf(row, 'note'))
  if (typeof logged === 'string' || logged.statement.seq !== place) {
    throw new FolderError(`${LOG_FILE}, line ${place + 1} is not statement ${place}: the file was changed.`)
  }
  const lookedAt = row['looked_at'] === null ? null : numberOf(row, 'looked_at')
  return { logged, seenAt: numberOf(row, 'seen_at'), lookedAt }
}

/** Up to the head the hashes alone say that nothing was changed: the head's hash holds them all. */
function assertChained(notes: readonly KeptNote[], counted: CountedHead | null): void {
  let prev = NO_HASH
  for (const { logged } of notes.slice(0, counted === null ? 0 : counted.seq + 1)) {
    if (logged.statement.prev !== prev) throw changed(logged.statement.seq)
    prev = logged.hash
  }
  if (counted !== null && prev !== counted.hash) throw changed(counted.seq)
}

function changed(seq: number): FolderError {
  return new FolderError(`${LOG_FILE} does not fit ${HEAD_FILE} at statement ${seq}: the files were changed.`)
}

function verifyRest(notes: readonly KeptNote[], counted: CountedHead | null): LogHead | null {
  const before = notes.slice(0, counted === null ? 0 : counted.seq + 1)
  const seedHashes = before.flatMap(({ logged: { statement } }) =>
    statement.type === 'open' ? [statement.seedhash] : [],
  )
  const verifier = new LogVerifier({ head: counted === null ? null : { ...counted, seedHashes } })
  for (const { logged } of notes.slice(before.length)) verifier.add(logged.note)
  if (verifier.problem === null) return verifier.head
  const { seq, message } = verifier.problem
  throw new FolderError(`${LOG_FILE} was changed: statement ${seq} ${message}.`)
}

type CountedHead = Omit<LogHead, 'seedHashes'>

function readHead(files: Files, folder: string): CountedHead | null {
  const bytes = files.read(join(folder, HEAD_FILE))
  if (bytes === null) return null
  const row = parseObject(new TextDecoder().decode(bytes))
  if (row === null || row['format'] !== 'fairball/witness-head/v1' || !Array.isArray(row['keys'])) {
    throw new FolderError(`${HEAD_FILE} is damaged. Delete it: it is made again from ${LOG_FILE}.`)
  }
  const keys = (row['keys'] as Record<string, unknown>[]).map(readKey)
  const [operator, hash] = [textOf(row, 'operator'), textOf(row, 'hash')]
  return { operator, hash, seq: numberOf(row, 'seq'), time: numberOf(row, 'time'), keys }
}

function readKey(row: Record<string, unknown>): LogKey {
  const untilAt = row['untilAt'] === null ? null : numberOf(row, 'untilAt')
  return { publicKey: textOf(row, 'publicKey'), fromAt: numberOf(row, 'fromAt'), untilAt }
}
