import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'

/** The database and the head that was kept beside it do not fit. The message says what is missing and what to do. */
export class LogHeadError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'LogHeadError'
  }
}

/** The newest statement of a log. */
export interface LogHead {
  readonly operator: string
  readonly seq: number
  readonly hash: string
}

/** Processes hear of a new statement on this channel, after its commit. */
export const LOG_CHANNEL = 'fairness_log'

const headSchema = z.strictObject({
  format: z.literal('fairball/head/v1'),
  operator: z.string(),
  seq: z.int().nonnegative(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})

/** The file of a data folder in which the log's head is kept. */
export function headFileIn(dataDir: string): string {
  return join(dataDir, 'fairness-head.json')
}

export type HeadFile = ReturnType<typeof createHeadFile>

/**
 * The newest statement, kept in a file beside the database too: a database restored from an older backup would sign other
 * statements with numbers that were used already, which is what fraud looks like (fairness section 9).
 */
export function createHeadFile(deps: {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'log'>
  readonly operatorName: string
  readonly path: string
}) {
  const { db, runtime, operatorName, path } = deps
  let writing: Promise<void> | null = null
  let isOutdated = false

  /** @throws LogHeadError when the database is behind the file, or holds another statement where the file names one */
  async function check(): Promise<void> {
    const kept = await readHead(path)
    if (kept === null) return
    const head = await db.maybeOne(queries.findHead, [])
    const problem = await problemWith(kept, head?.seq ?? null)
    if (problem !== null) throw new LogHeadError(problem)
  }

  async function problemWith(kept: LogHead, newestSeq: number | null): Promise<string | null> {
    const reached = `${path} says that the log of ${kept.operator} has reached statement ${kept.seq}`
    if (newestSeq === null || newestSeq < kept.seq) {
      const present = newestSeq === null ? 'holds none of it' : `ends with statement ${newestSeq}`
      return (
        `${reached}; the database ${present}, as one does that was restored from an older backup. Statements ` +
        `${(newestSeq ?? -1) + 1} to ${kept.seq} are missing. Import them from any mirror of the log (a witness, a saved bundle):\n` +
        `  npm run operator -- import-log <address or file>\n` +
        'If this is a new lottery that only shares the folder of another one, set DATA_DIR to a folder of its own.'
      )
    }
    const stored = await db.one(queries.findStatementAt, [kept.seq])
    if (stored.hash === kept.hash && kept.operator === operatorName) return null
    return (
      `${reached}, whose hash is ${kept.hash}; the database of ${operatorName} has another one there, ${stored.hash}. ` +
      'One of the two is of another lottery, or a log that was published has been replaced. Restore the database that ' +
      'belongs to this folder, or set DATA_DIR to a folder of its own.'
    )
  }

  /** Brings the file up to what is committed. It never goes back, whichever process writes. */
  async function update(): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.one(queries.lockHeadFile, [])
      const head = await tx.maybeOne(queries.findHead, [])
      const kept = await readHead(path)
      if (head === null || (kept?.seq === head.seq && kept.hash === head.hash)) return
      if (kept !== null && kept.seq >= head.seq) {
        throw new LogHeadError(`${path} is ahead of the database: statement ${kept.seq}, not ${head.seq}`)
      }
      await writeHead(path, { operator: operatorName, seq: head.seq, hash: head.hash })
    })
  }

  /** Updates soon: of many statements that come at once, the first and the last are written. */
  function updateSoon(): void {
    isOutdated = true
    writing ??= writeWhileOutdated().finally(() => {
      writing = null
    })
  }

  async function writeWhileOutdated(): Promise<void> {
    while (isOutdated) {
      isOutdated = false
      await update().catch((error: unknown) => {
        runtime.log.error({ err: error, path }, 'the head of the fairness log could not be kept in its file')
      })
    }
  }

  return {
    check,
    update,

    /** Keeps the file at the head of the log, whichever process appends, until the database is closed. */
    async follow(): Promise<void> {
      await db.listen(LOG_CHANNEL, updateSoon, updateSoon)
      await update()
    },
  }
}

/** What a file says; null without one. @throws LogHeadError when it cannot be read, or is no such file */
export async function readHead(path: string): Promise<LogHead | null> {
  try {
    const { operator, seq, hash } = headSchema.parse(JSON.parse(await readFile(path, 'utf8')))
    return { operator, seq, hash }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new LogHeadError(
      `${path}, which keeps the head of the fairness log, cannot be read. Restore it. Where there is no copy, and the ` +
        'database was not restored from a backup, remove it: the next start writes it anew.',
      error,
    )
  }
}

/** Whole or not at all, and there to stay once this returns. */
async function writeHead(path: string, head: LogHead): Promise<void> {
  const draft = `${path}.new`
  try {
    await mkdir(dirname(path), { recursive: true }) // with a database of its own, nothing else is kept there
    const file = await open(draft, 'w', 0o644)
    try {
      await file.writeFile(`${JSON.stringify({ format: 'fairball/head/v1', ...head })}\n`)
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
