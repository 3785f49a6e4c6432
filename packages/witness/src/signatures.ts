import { join } from 'node:path'
import { isSignedBy } from '@fairball/domain/fairness/log'
import {
  noteOf,
  parseNote,
  signText,
  witnessedAt,
  witnessedText,
  witnessSignatureLine,
} from '@fairball/domain/fairness/signed-note'
import { toHex } from '@fairball/domain/fairness/bytes'
import type { WatchedDraw } from './draw-book.ts'
import { FolderError, Journal, numberOf, textOf } from './journal.ts'
import type { Files } from './runtime.ts'
import type { WitnessKey } from './witness-key.ts'

/** A close this witness signed. */
export interface SignedClose {
  readonly closeHash: string
  readonly openHash: string
  readonly round: bigint
  readonly title: string
  readonly seq: number
  /** the date in the signature, epoch seconds */
  readonly at: number
  /** the close with the operator's signature and the witness's */
  readonly note: string
  /** the draw names this witness: the operator has to take the signature */
  readonly isNamed: boolean
  /** when the round is due; handing over makes no sense after it */
  readonly dueAt: number
}

/** What became of a signature. */
type HandOver = 'kept' | 'waiting' | 'taken' | 'given-up'

const SIGNATURES_FILE = 'signatures.jsonl'

/** The signatures of this witness. Each is on the disk before anybody else can have it: none is ever made twice. */
export class Signatures {
  readonly #journal: Journal
  readonly #key: WitnessKey
  readonly #signed = new Map<string, SignedClose>()
  readonly #outcomes = new Map<string, HandOver>()

  private constructor(key: WitnessKey, journal: Journal, rows: Record<string, unknown>[]) {
    this.#key = key
    this.#journal = journal
    for (const row of rows) this.#recall(row)
  }

  /** @throws FolderError */
  static open(files: Files, folder: string, key: WitnessKey, options: { isReadOnly?: boolean } = {}): Signatures {
    const { journal, rows } = Journal.open(files, join(folder, SIGNATURES_FILE), options)
    return new Signatures(key, journal, rows)
  }

  get all(): SignedClose[] {
    return [...this.#signed.values()]
  }

  /** What became of the signature of a close. */
  outcomeOf({ openHash, round }: Pick<SignedClose, 'openHash' | 'round'>): HandOver | null {
    return this.#outcomes.get(placeOf(openHash, round)) ?? null
  }

  /** Signatures that the operator has not taken yet. */
  get waiting(): SignedClose[] {
    return this.all.filter((signed) => this.outcomeOf(signed) === 'waiting')
  }

  /**
   * Signs the close of a draw, if it may be: it is sound, was seen in time, it is still in time, and no other close of this
   * draw and round was ever signed (fairness section 5). The date is that of signing, which is never before that of seeing.
   *
   * @param operatorKeys the keys of the operator, hex
   * @returns null where it may not be, or was signed before
   */
  sign(draw: WatchedDraw, now: number, operatorKeys: readonly string[]): SignedClose | null {
    const { close, deadlineAt, dueAt, open, round, title } = draw
    if (close === null || !close.isSound || deadlineAt === null || dueAt === null) return null
    if (this.#signed.has(placeOf(open.hash, round))) return null
    const { text, note, hash, statement } = close.logged
    const at = Math.max(now, statement.time, close.kept.seenAt)
    if (at >= deadlineAt) return null
    const line = witnessSignatureLine(this.#key, at, signText(witnessedText(text, at), this.#key.secretSeed))
    const signedNote = noteOf(text, [...operatorLines(note, text, statement.operator, operatorKeys), line])
    if (witnessedAt(signedNote, this.#key) !== at) throw new FolderError('The key of this witness does not work.')
    const ownKey = toHex(this.#key.publicKey)
    const isNamed = draw.witnesses.list.some(({ name, publicKey }) => name === this.#key.name && publicKey === ownKey)
    const signed: SignedClose = {
      closeHash: hash,
      openHash: open.hash,
      round,
      title,
      seq: statement.seq,
      at,
      note: signedNote,
      isNamed,
      dueAt,
    }
    this.#add(toRow(signed))
    return signed
  }

  /** Keeps what became of a signature. */
  settle({ openHash, round }: SignedClose, outcome: 'taken' | 'given-up', at: number): void {
    this.#add({ at, open: openHash, round: String(round), outcome })
  }

  #add(row: Record<string, unknown>): void {
    this.#journal.add(row)
    this.#recall(row)
  }

  #recall(row: Record<string, unknown>): void {
    const [openHash, round] = [textOf(row, 'open'), BigInt(textOf(row, 'round'))]
    const place = placeOf(openHash, round)
    const outcome = row['outcome']
    if (outcome === 'taken' || outcome === 'given-up') {
      this.#outcomes.set(place, outcome)
      return
    }
    const isNamed = row['named'] === true
    this.#signed.set(place, {
      closeHash: textOf(row, 'close'),
      openHash,
      round,
      title: textOf(row, 'draw'),
      seq: numberOf(row, 'seq'),
      at: numberOf(row, 'at'),
      note: textOf(row, 'note'),
      isNamed,
      dueAt: numberOf(row, 'due'),
    })
    this.#outcomes.set(place, isNamed ? 'waiting' : 'kept')
  }
}

function placeOf(openHash: string, round: bigint): string {
  return `${openHash}:${round}`
}

function toRow({ closeHash, openHash, round, title, seq, at, note, isNamed, dueAt }: SignedClose) {
  return {
    at,
    close: closeHash,
    open: openHash,
    round: String(round),
    draw: title,
    seq,
    named: isNamed,
    due: dueAt,
    note,
  }
}

/** The operator's own valid lines; others are left away, so that a note full of lines still takes ours. */
function operatorLines(note: string, text: string, operator: string, keys: readonly string[]): string[] {
  const count = parseNote(note)?.signatures.length ?? 0
  const lines = note
    .slice(text.length + 1, -1)
    .split('\n')
    .slice(0, count)
  return lines
    .filter((line) => line.startsWith(`— ${operator} `))
    .filter((line) => keys.some((key) => isSignedBy(noteOf(text, [line]), operator, key)))
    .slice(0, 2)
}
