import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '@fairball/domain/protocol/bytes'
import { z } from 'zod'
import { BackupError, BASE_FILE, takeBaseBackup } from '../../db/base-backup.ts'
import type { Db } from '../../db/pool.ts'
import { rootAt } from '../../modules/fairness/service.ts'
import { LOG_TREE } from '../../modules/fairness/trees.ts'
import { BACKUP, noteReading } from '../../modules/monitoring/service.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { findServer } from './backup-queries.ts'

/** How many base backups are kept. */
const KEPT = 7
const NOTE_FILE = 'backup.json'
const FORMAT = 'fairball/backup/v1'
const noteSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** epoch seconds */
  at: z.int(),
  /** the major version of PostgreSQL */
  server: z.int(),
  /** the login and the database of the lottery */
  user: z.string(),
  database: z.string(),
  /** the head of the log before the backup began: a restored database reaches it at least */
  log: z.strictObject({ size: z.int(), root: z.string() }),
  /** the first segment of the write-ahead log that is needed after it */
  segment: z.string(),
})
/** What a backup says of itself. */
type BackupNote = z.output<typeof noteSchema>

/** A backup in the folder of backups. */
export interface Backup {
  /** absolute */
  readonly folder: string
  readonly note: BackupNote
}

/** Where base backups are in the folder of backups. */
function basesIn(folder: string): string {
  return join(folder, 'base')
}

/** Where PostgreSQL archives its write-ahead log, beside them. */
export function walIn(folder: string): string {
  return join(folder, 'wal')
}

/**
 * Takes a base backup of the database, with the head of the log noted, and removes those that newer ones replace.
 *
 * @param folder of backups; the new one is `base/<time>` in it
 * @returns the new one
 * @throws BackupError; DatabaseUnavailable
 */
export async function backUp(
  { db, runtime, address }: { readonly db: Db; readonly runtime: Pick<Runtime, 'clock'>; readonly address: string },
  folder: string,
): Promise<Backup> {
  const at = runtime.clock.now()
  const { server, user, database, segment, statements } = await db.one(findServer, [])
  const root = statements === 0 ? '' : toHex(await rootAt(db, LOG_TREE, statements))
  const name = new Date(at * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const place = join(basesIn(folder), name)
  const draft = `${place}.unfinished`
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new BackupError(
      `${draft} cannot be made (${(error as NodeJS.ErrnoException).code}). Give the folder to this user.`,
    )
  }
  await takeBaseBackup(address, draft)
  const note: BackupNote = { format: FORMAT, at, server, user, database, log: { size: statements, root }, segment }
  writeFileSync(join(draft, NOTE_FILE), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, place)
  prune(folder)
  await noteReading(db, BACKUP, at, { statements, bytes: statSync(join(place, BASE_FILE)).size })
  return { folder: place, note }
}

/** The newest backup in a folder. @throws BackupError if there is none */
export function newestBackup(folder: string): Backup {
  const newest = backupsIn(folder).at(-1)
  if (newest === undefined)
    throw new BackupError(`${basesIn(folder)} holds no backup. Name the folder that operator backup wrote to.`)
  return newest
}

/** Every whole backup, the oldest first. */
function backupsIn(folder: string): Backup[] {
  const names = readOrNone(basesIn(folder)).filter((name) => /^\d{8}T\d{6}Z$/.test(name))
  return names.toSorted().map((name) => {
    const place = join(basesIn(folder), name)
    const read = noteSchema.safeParse(JSON.parse(readFileSync(join(place, NOTE_FILE), 'utf8')))
    if (!read.success) throw new BackupError(`${join(place, NOTE_FILE)} says nothing that this version understands.`)
    return { folder: place, note: read.data }
  })
}

/** Removes old backups, and the write-ahead log that only they need. */
function prune(folder: string): void {
  const backups = backupsIn(folder)
  for (const { folder: old } of backups.slice(0, -KEPT)) rmSync(old, { recursive: true })
  const [oldest] = backups.slice(-KEPT)
  // The names of segments are ordered within a timeline, and the timeline comes first; a history file is kept.
  for (const name of readOrNone(walIn(folder)))
    if (/^[0-9A-F]{24}/.test(name) && oldest !== undefined && name.slice(8, 24) < oldest.note.segment.slice(8))
      rmSync(join(walIn(folder), name))
}

function readOrNone(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new BackupError(`${folder} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
