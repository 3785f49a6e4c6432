import { toHex } from '@fairball/domain/protocol/bytes'
import type { Queries } from '../../db/pool.ts'
import { LOG_TREE, rootAt } from './trees.ts'

/**
 * The database does not fit a head of the log that is known outside it. The message says what is missing and what to
 * do.
 */
export class LogHeadError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'LogHeadError'
  }
}

/** A head of the log that was committed. */
interface Head {
  readonly size: number
  /** hex */
  readonly root: string
}

/**
 * The newest head that this process has seen committed. While it runs, another server may take the database's place
 * that lacks some of it: then nothing more may be signed (docs/fairness.md, section 7).
 */
export class KnownHead {
  #head: Head | null = null
  #isDoubted = false

  learn(head: Head): void {
    if (head.size > (this.#head?.size ?? 0)) this.#head = head
  }

  /** A connection was lost, so another server may answer now: the next check compares the root as well. */
  doubt(): void {
    this.#isDoubted = true
  }

  /**
   * Checks that the database's log continues this head.
   *
   * @param size number of statements in the database
   * @throws LogHeadError
   */
  async assertContinuedBy(from: Queries, size: number): Promise<void> {
    const known = this.#head
    if (known === null) return
    const reached = `this process has read ${known.size} statements of the log`
    if (size < known.size) throw new LogHeadError(`${reached}; ${missingFrom(size, known.size)}`)
    if (!this.#isDoubted) return
    const root = toHex(await rootAt(from, LOG_TREE, known.size))
    if (root !== known.root)
      throw new LogHeadError(
        `${reached}, with the root ${known.root}, and the database has ${root} there: statements that were published ` +
          'have been replaced. Nothing more is signed. Bring back the database that holds them (docs/operations.md, section 6).',
      )
    this.#isDoubted = false
  }
}

/** What a database lacks of its log, and what to do about it. */
export function missingFrom(size: number, known: number): string {
  const present = size === 0 ? 'holds none of them' : `holds the first ${size}`
  return (
    `the database ${present}, as one does that was restored from an older backup, or a standby that lagged behind. ` +
    `Statements ${size} to ${known - 1} are missing, and others in their places would look like fraud. Restore the archive ` +
    'of the database up to its end (docs/operations.md, section 6). If this is a new lottery that only shares the folder ' +
    'of another one, set DATA_DIR to a folder of its own.'
  )
}
