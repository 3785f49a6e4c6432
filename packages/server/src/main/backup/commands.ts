import { resolve } from 'node:path'
import type { ConfigAsRead } from '../../config/config.ts'
import { BackupError } from '../../db/base-backup.ts'
import { Refused } from '../../kernel/errors.ts'
import type { OperatorCommand } from '../../modules/operator/command.ts'
import { noteReading, RESTORE_FAILURE, TRIAL_RESTORE } from '../../modules/monitoring/service.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { backUp } from './backup.ts'
import { findServer } from './backup-queries.ts'
import { restore, tryRestore } from './restore.ts'

/** Backups of the database, for whom a timer runs them. */
export const backupCommands = {
  backup: {
    args: ['folder'],
    summary: 'takes a base backup into the folder, beside the archived write-ahead log in its wal; seven are kept',
    async run({ db, runtime, config }, [folder = '']) {
      if (config.databaseUrl === null)
        throw new Refused("The demo's own database is not backed up: copy DATA_DIR while nothing runs.")
      const { folder: place, note } = await refusing(() =>
        backUp({ db, runtime, address: config.databaseUrl ?? '' }, resolve(folder)),
      )
      return `${place}: everything up to ${note.log.size} statements of the log, and what is archived after it.`
    },
  },
  'restore-trial': {
    args: ['folder'],
    summary: 'restores the newest backup beside the database, checks all of it and the log, and removes it again',
    async run({ db, runtime }, [folder = '']) {
      const { statements: reached } = await db.one(findServer, [])
      const found = await refusing(() => tryRestore(runtime, resolve(folder))).catch(async (error: unknown) => {
        await noteReading(db, RESTORE_FAILURE, runtime.clock.now(), { problem: String(error) })
        throw error
      })
      await noteReading(db, TRIAL_RESTORE, runtime.clock.now(), { statements: found.statements })
      const behind = reached - found.statements
      const rest = behind > 0 ? ` The newest ${behind} are not archived yet: see archive_timeout.` : ''
      return `${found.backup.folder} can be restored: every invariant holds, and its log has ${found.statements} of ${reached} statements.${rest}`
    },
  },
} as const satisfies Record<string, OperatorCommand<ConfigAsRead>>

/** Restores for good, where there may be no database any more. @throws Refused */
export async function restoreForGood(runtime: Runtime, [folder, into]: readonly string[]): Promise<string> {
  if (folder === undefined || into === undefined)
    throw new Refused('Usage: operator restore <folder of backups> <folder that does not exist yet>')
  const found = await refusing(() => restore(runtime, resolve(folder), resolve(into)))
  return [
    `${found.backup.folder} and the archive are restored: every invariant holds, and the log has ${found.statements} statements.`,
    `Put ${found.cluster} in the place of the server's data folder, start PostgreSQL, then one worker: it compares the log`,
    'with the head on its disk and with the witnesses (docs/operations.md, section 6).',
  ].join('\n')
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    throw error instanceof BackupError ? new Refused(error.message) : error
  })
}
