import { fromHex } from './bytes.ts'
import { type Checkpoint, logKey } from './checkpoint.ts'
import { isSignedBy, type SignedNote } from './note.ts'
import type { LogStatement, StatementOf } from './statements.ts'

/** The proven contents of a log (section 11), and its keys (section 13). */

/** A statement that is proven to be the leaf at its index. */
export interface Logged<S extends LogStatement = LogStatement> {
  readonly index: number
  readonly text: string
  /** of the text, hex: identifies the statement */
  readonly hash: string
  readonly statement: S
}

/** A key of the log, and the start of its validity. */
export interface LogKey {
  /** of the statement that introduced it: the key signs checkpoints of a larger size */
  readonly index: number
  /** of that statement, epoch seconds: the key signs papers dated from then on */
  readonly time: number
  /** 32 bytes */
  readonly publicKey: Uint8Array
}

/** The statements of one log, by index and by hash. */
export class StatementBook {
  readonly #byHash = new Map<string, Logged>()
  readonly #byType = new Map<LogStatement['type'], Map<number, Logged>>()

  constructor(statements: readonly Logged[]) {
    for (const logged of statements) this.add(logged)
  }

  /** Adds a statement that was proven elsewhere. */
  add(logged: Logged): void {
    const { type } = logged.statement
    const ofType = this.#byType.get(type) ?? new Map<number, Logged>()
    this.#byType.set(type, ofType.set(logged.index, logged))
    this.#byHash.set(logged.hash, logged)
  }

  /** All statements of a type, in the order of the log. */
  all<T extends LogStatement['type']>(type: T): Logged<StatementOf<T> & LogStatement>[] {
    const ofType = [...(this.#byType.get(type)?.values() ?? [])] as Logged<StatementOf<T> & LogStatement>[]
    return ofType.toSorted((one, other) => one.index - other.index)
  }

  /** The statement with a hash; null if it is unknown or of another type. */
  find<T extends LogStatement['type']>(type: T, hash: string): Logged<StatementOf<T> & LogStatement> | null {
    const logged = this.#byHash.get(hash)
    return logged?.statement.type === type ? (logged as Logged<StatementOf<T> & LogStatement>) : null
  }

  /** The statement with a hash, of any type; null if it is unknown. */
  named(hash: string): Logged | null {
    return this.#byHash.get(hash) ?? null
  }
}

/** The part of a log that a bundle proves: head, keys and statements. */
export class KnownLog extends StatementBook {
  readonly origin: string
  readonly head: Checkpoint
  readonly keys: readonly LogKey[]

  /**
   * @param head signed by the key in force at its size
   * @param keys in the order of the log
   */
  constructor(origin: string, head: Checkpoint, keys: readonly LogKey[], statements: readonly Logged[]) {
    super(statements)
    this.origin = origin
    this.head = head
    this.keys = keys
  }

  /** Whether a checkpoint belongs to this log and is signed by the key in force at its size. */
  isSigned({ origin, note, size }: Checkpoint): boolean {
    return origin === this.origin && isSignedAt(this.keys, origin, note, size)
  }

  /** Whether a paper is signed by the key in force at its time. @param at epoch seconds */
  isSignedPaper(note: SignedNote, at: number): boolean {
    const key = this.keys.findLast(({ time }) => time <= at)
    return key !== undefined && isSignedBy(note, logKey(this.origin, key.publicKey))
  }
}

/** Whether a note is signed by the newest key announced in the tree of a size. */
export function isSignedAt(keys: readonly LogKey[], origin: string, note: SignedNote, size: number): boolean {
  const key = keys.findLast(({ index }) => index < size)
  return key !== undefined && isSignedBy(note, logKey(origin, key.publicKey))
}

/** The key that a statement announces. */
export function keyOf({ index, statement }: Logged<StatementOf<'log'> | StatementOf<'key'>>): LogKey {
  return { index, time: statement.time, publicKey: fromHex(statement.key, 32) }
}
