import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toHex } from '@fairball/domain/protocol/bytes'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type KnownHead, LogHeadError, missingFrom } from './known-head.ts'
import { LOG_CHANNEL } from './log.ts'
import * as queries from './queries.ts'
import { LOG_TREE, rootAt } from './trees.ts'

/** The stored head of a log. */
interface LogHead {
  readonly origin: string
  readonly size: number
  /** hex */
  readonly root: string
}

const FORMAT = 'fairball/head/v2'
const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  origin: z.string(),
  size: z.int().nonnegative(),
  root: z.string().regex(/^[0-9a-f]{64}$/),
})

/** The file in a data folder that keeps the log's head. */
export function headFileIn(dataDir: string): string {
  return join(dataDir, 'fairness-head.json')
}

/**
 * A copy of the log's head in a file outside the database. A database restored from an older backup would put other
 * statements at indexes already used, which looks like fraud (docs/fairness.md, section 7).
 */
export class HeadFile {
  readonly #db: Db
  readonly #log: Runtime['log']
  readonly #origin: string
  readonly #path: string
  readonly #known: KnownHead
  #isWriting = false
  #isOutdated = false

  constructor(deps: {
    readonly db: Db
    readonly runtime: Pick<Runtime, 'log'>
    readonly origin: string
    readonly path: string
    readonly known: KnownHead
  }) {
    this.#db = deps.db
    this.#log = deps.runtime.log
    this.#origin = deps.origin
    this.#path = deps.path
    this.#known = deps.known
  }

  /** @throws LogHeadError when the database is behind the file, or has another log than the file names */
  async check(): Promise<void> {
    const kept = await readHead(this.#path)
    if (kept === null) return
    const size = await sizeOfLog(this.#db)
    const reached = `${this.#path} says that the log ${kept.origin} has ${kept.size} statements`
    if (size < kept.size) throw new LogHeadError(`${reached}; ${missingFrom(size, kept.size)}`)
    const root = toHex(await rootAt(this.#db, LOG_TREE, kept.size))
    if (root === kept.root && kept.origin === this.#origin) return this.#known.learn(kept)
    throw new LogHeadError(
      `${reached}, with the root ${kept.root}; the log ${this.#origin} of the database has ${root} there. One of the two is of ` +
        'another lottery, or a log that was published has been replaced. Restore the database that belongs to this folder, ' +
        'or set DATA_DIR to a folder of its own.',
    )
  }

  /** Updates the file to what is committed. It never goes back, whichever process writes. */
  async update(): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.one(queries.lockHeadFile, [])
      const size = await sizeOfLog(tx)
      await this.#known.assertContinuedBy(tx, size)
      const kept = await readHead(this.#path)
      if (size === 0) return
      if (kept !== null && kept.size > size) {
        throw new LogHeadError(`${this.#path} is ahead of the database: ${kept.size} statements, not ${size}`)
      }
      const isKept = kept?.size === size
      const root = isKept ? kept.root : toHex(await rootAt(tx, LOG_TREE, size))
      if (!isKept) await writeHead(this.#path, { origin: this.#origin, size, root })
      this.#known.learn({ size, root })
    })
  }

  /** Keeps the file at the log's head, whichever process appends, until the database is closed. */
  async follow(): Promise<void> {
    const updateSoon = (): void => this.#updateSoon()
    const onGap = (): void => {
      this.#known.doubt()
      updateSoon()
    }
    await this.#db.listen(LOG_CHANNEL, updateSoon, onGap)
    await this.update()
  }

  /** When many statements come at once, only the first and the last are written. */
  #updateSoon(): void {
    this.#isOutdated = true
    if (!this.#isWriting) void this.#writeWhileOutdated()
  }

  async #writeWhileOutdated(): Promise<void> {
    this.#isWriting = true
    while (this.#isOutdated) {
      this.#isOutdated = false
      await this.update().catch((error: unknown) => {
        this.#log.error({ err: error, path: this.#path }, 'the head of the fairness log could not be kept in its file')
      })
    }
    this.#isWriting = false
  }
}

async function sizeOfLog(from: Pick<Db, 'maybeOne'>): Promise<number> {
  const head = await from.maybeOne(queries.findHead, [])
  return head === null ? 0 : head.index + 1
}

/** What a file says; null if there is none. @throws LogHeadError when it cannot be read or is not such a file */
export async function readHead(path: string): Promise<LogHead | null> {
  try {
    const { origin, size, root } = headSchema.parse(JSON.parse(await readFile(path, 'utf8')))
    return { origin, size, root }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new LogHeadError(
      `${path}, which keeps the head of the fairness log, cannot be read. Restore it. Where there is no copy, and the ` +
        'database was not restored from a backup, remove it: the next start writes another.',
      error,
    )
  }
}

/** Writes all or nothing, durably once this returns. */
async function writeHead(path: string, head: LogHead): Promise<void> {
  const draft = `${path}.new`
  try {
    await mkdir(dirname(path), { recursive: true }) // beside an embedded database, nothing else is kept there
    const file = await open(draft, 'w', 0o644)
    try {
      await file.writeFile(`${JSON.stringify({ format: FORMAT, ...head })}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    const folder = await open(dirname(path), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    const reason = (error as Error).message
    throw new LogHeadError(
      `The head of the fairness log cannot be kept in ${path} (${reason}). Give DATA_DIR to this user, or set another folder.`,
      error,
    )
  }
}
