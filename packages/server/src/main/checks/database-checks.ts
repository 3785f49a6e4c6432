import { newestMigration } from '../../db/migrate.ts'
import { headFileIn } from '../../modules/fairness/head-file.ts'
import { HeadFile } from '../../modules/fairness/service.ts'
import { openInstallation } from '../../modules/fairness/installation.ts'
import { type Check, fail, messageOf, ok, RUNBOOK, unknown, warn } from './check.ts'
import { findArchiver, findDurability, findLogins, findSchema } from './check-queries.ts'

/**
 * How far the clock may differ from the database's and be behind what is proven, in seconds; far less than what stops
 * sales.
 */
const CLOCK_SECONDS = 5
/** Age of the last archived segment from which on somebody should look. */
const OLD_SEGMENT_SECONDS = 3600

const database: Check = async ({ db }) => {
  const { version, isDurable } = await db.one(findDurability, [])
  if (isDurable) return ok(`PostgreSQL ${version} answers, and writes before it acknowledges.`)
  return fail(
    `PostgreSQL ${version} acknowledges before it writes. Switch fsync, full_page_writes and synchronous_commit on.`,
    RUNBOOK.backup,
  )
}

const migrations: Check = async ({ db }) => {
  const [known, { version }] = [await newestMigration(), await db.one(findSchema, [])]
  if (version === known) return ok(`The database has the schema of this version, ${version}.`)
  if (version > known)
    return fail(
      `The database has the schema ${version} of a newer version; this one knows ${known}. Update it.`,
      RUNBOOK.processes,
    )
  return fail(
    `The database has the schema ${version}, this version wants ${known}. Start a worker of it.`,
    RUNBOOK.processes,
  )
}

const grants: Check = async ({ db, config }) => {
  const { roles, webOwners } = await db.one(findLogins, [])
  if (roles < 2n)
    return fail(
      'A role for web or console is missing. Run operator grants, and its lines as the owner.',
      RUNBOOK.console,
    )
  if (webOwners > 0n && config.databaseUrl !== null)
    return warn('A web process has the login of the owner. Give it one of fairball_web.', RUNBOOK.processes)
  return ok('Web and console have roles with the rights of this version.')
}

const walArchive: Check = async ({ db, config, runtime }) => {
  if (config.databaseUrl === null) return ok("The demo's own database is not archived.")
  const { isOn, archivedAt, failedAt, hasReplica } = await db.one(findArchiver, [])
  if (hasReplica) return ok('A replica follows the database.')
  if (!isOn)
    return fail(
      'The write-ahead log is archived nowhere: a lost disk loses money and the log. Set archive_mode and archive_command, or run a replica.',
      RUNBOOK.backup,
    )
  if (failedAt !== null && failedAt >= (archivedAt ?? 0))
    return fail("The last try to archive failed. PostgreSQL's log has what archive_command said.", RUNBOOK.backup)
  if (archivedAt === null) return ok('Archiving is on; no segment is full yet.')
  const age = runtime.clock.now() - runtime.clock.offsetSeconds() - archivedAt
  if (age > OLD_SEGMENT_SECONDS)
    return warn(
      `The last segment was archived ${age} s ago. Set archive_timeout, so that a quiet hour is kept too.`,
      RUNBOOK.backup,
    )
  return ok(`The last segment was archived ${age} s ago.`)
}

const backupHead: Check = async ({ config, lottery }) => {
  const file = new HeadFile({ ...lottery.fairness, path: headFileIn(config.dataDir) })
  return await file.check().then(
    () => ok('The database reaches the head of the log that is kept outside of it.'),
    (error: unknown) => fail(`${messageOf(error)}.`, RUNBOOK.backup),
  )
}

const clock: Check = async ({ db, lottery: { clockRule } }) => {
  const behind = await clockRule.behindSeconds(db)
  const ahead = Math.round(clockRule.aheadSeconds())
  const remedy = 'chronyc tracking, on this computer and on that of the database: set the one that is wrong.'
  if (behind > CLOCK_SECONDS)
    return fail(`Our clock is ${behind} s behind what is proven. ${remedy}`, RUNBOOK.monitoring)
  if (Math.abs(ahead) > CLOCK_SECONDS)
    return fail(
      `Our clock is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's. ${remedy}`,
      RUNBOOK.monitoring,
    )
  return ok("Our clock and the database's agree.")
}

const secretKey: Check = async ({ db, runtime, config }) => {
  if (config.secretKey === null) return unknown('SECRET_KEY is not known here.')
  return await openInstallation({ db, runtime, secretKey: config.secretKey }).then(
    () => ok('SECRET_KEY opens what was sealed with it.'),
    () => fail('SECRET_KEY is not the one that this database was sealed with. Set that one.', RUNBOOK.backup),
  )
}

/** Checks of the database and of the computer. */
export const DATABASE_CHECKS = {
  database,
  migrations,
  grants,
  'wal-archive': walArchive,
  'backup-head': backupHead,
  clock,
}
export const KEY_CHECKS = { 'secret-key': secretKey }
