import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '@fairball/domain/protocol/bytes'
import { BackupError } from '../../db/base-backup.ts'
import { createDatabase, type Db } from '../../db/pool.ts'
import { clusterIn, startRestored } from '../../db/restored-postgres.ts'
import { rootAt } from '../../modules/fairness/service.ts'
import { LOG_TREE } from '../../modules/fairness/trees.ts'
import { lotteryInvariants } from '../../modules/monitoring/service.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { findServer } from './backup-queries.ts'
import { type Backup, newestBackup, walIn } from './backup.ts'

/** What a restored database turned out to hold. */
interface Restored {
  readonly backup: Backup
  /** statements of its log */
  readonly statements: number
  /** the folder of the restored cluster, to be started by its server's user */
  readonly cluster: string
}

/**
 * Restores the newest backup and the archived write-ahead log into a folder, starts PostgreSQL on it, and checks what it
 * holds: every invariant on everything, and that its log continues the one that the backup noted. The server is stopped
 * afterwards, and the cluster stays.
 *
 * @param folder of backups
 * @param into a folder that does not exist yet
 * @throws BackupError with what is wrong
 */
export async function restore(runtime: Runtime, folder: string, into: string): Promise<Restored> {
  const backup = newestBackup(folder)
  const { server: major, user, database, log } = backup.note
  const wal = statSync(walIn(folder), { throwIfNoEntry: false }) === undefined ? null : walIn(folder)
  if (statSync(into, { throwIfNoEntry: false }) !== undefined)
    throw new BackupError(`${into} exists already. Name a folder that does not.`)
  const server = await startRestored({ base: backup.folder, wal, folder: into, major, user, database, runtime })
  const db = createDatabase({ address: server.address, runtime, poolSize: 3, applicationName: 'fairball restore' })
  try {
    const statements = await checkLog(db, log)
    const { violations } = await lotteryInvariants.check(db, null)
    if (violations.length > 0)
      throw new BackupError(
        `It breaks invariants: ${violations.map(({ id, problem }) => `${id}: ${problem}`).join('; ')}.`,
      )
    return { backup, statements, cluster: clusterIn(into) }
  } finally {
    await db.close()
    await server.stop()
  }
}

/** Restores into a folder that is removed again: whether the backups can be restored. @throws BackupError */
export async function tryRestore(runtime: Runtime, folder: string): Promise<Restored> {
  const parent = mkdtempSync(join(tmpdir(), 'fairball-restore-'))
  try {
    chmodSync(parent, 0o711) // the server's user has to pass through
    return await restore(runtime, folder, join(parent, 'restored'))
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

/** The size of the restored log, which has to continue the noted one. @throws BackupError */
async function checkLog(db: Db, noted: { readonly size: number; readonly root: string }): Promise<number> {
  const { statements } = await db.one(findServer, [])
  if (statements < noted.size)
    throw new BackupError(`Its log has ${statements} statements, and had ${noted.size} when the backup began.`)
  if (noted.size > 0 && toHex(await rootAt(db, LOG_TREE, noted.size)) !== noted.root)
    throw new BackupError(
      `Its log is another one than when the backup began: the root of ${noted.size} statements differs.`,
    )
  return statements
}
