import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger, Runtime } from '../runtime/runtime.ts'
import { checkDatabase } from './conformance/conformance.ts'
import { translateError } from './database-errors.ts'
import { CONSOLE, WEB } from './grants.ts'
import { databaseExcess, LoginMayMore, loginOf, tableExcess } from './rights.ts'
import { grantRoles } from './roles.ts'
import { clientConfigs, type DatabaseAddress } from './connection-settings.ts'
import { connectToPrimary } from './primary.ts'

/** The folder of this program's migrations. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')

/**
 * The migrations in the folder and those in the database do not fit, or one of them failed. The message says what to
 * do.
 */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MigrationError'
  }
}

/** The number of the newest migration in the folder. */
export async function newestMigration(folder: string = MIGRATIONS_FOLDER): Promise<number> {
  return Math.max(0, ...(await readMigrations(folder)).map((migration) => migration.version))
}

/** One numbered file. */
interface Migration {
  version: number
  name: string
  text: string
  checksum: string
}

interface AppliedMigration {
  version: number
  name: string
  checksum: string
}

/** Any unique number: "fairball" in ASCII. */
const ADVISORY_LOCK = 0x6661_6972_6261_6c6cn
const FILE_NAME = /^(\d{4})_[a-z0-9][a-z0-9_-]*\.sql$/
const APPLIED = 'select version, name, checksum from schema_migrations order by version'
/** Whatever needs a row of a table queues behind a migration that waits for the whole table. */
const LONGEST_LOCK_MS = 5_000
const LOCK_NOT_AVAILABLE = '55P03'
/** How long a process that does not migrate waits for one that does, and how often it checks, in ms of real time. */
const LONGEST_WAIT_MS = 60_000
const LOOK_MS = 500
/** No such table, or no right to read it: before the worker has created and granted them. */
const NOT_YET = ['42P01', '42501']

/**
 * Brings a database to the newest migration. Numbered files are applied in order, each in a transaction of its own; of
 * several processes that start together one migrates and the others wait for it. Idempotent. After the program's own
 * migrations the roles of the database have their rights (grants.ts).
 *
 * @param options.folder default: the program's own migrations
 * @param options.mode default: production, where a database that may lose what it acknowledged is refused
 * @param options.longestLockMs how long a migration waits for a table that is in use; default 5,000
 * @returns the names of the files applied now
 * @throws MigrationError if an applied migration was changed or is missing, if one that was not applied comes before
 *   one that was, if a number is used twice, or if one fails
 * @throws DatabaseUnfit if the database lacks what the program rests on
 * @throws DatabaseUnavailable
 */
export async function migrate(options: {
  address: DatabaseAddress
  runtime: Pick<Runtime, 'clock' | 'log'>
  mode?: 'demo' | 'production'
  folder?: string
  longestLockMs?: number
}): Promise<string[]> {
  const { mode = 'production', longestLockMs = LONGEST_LOCK_MS } = options
  const migrations = await readMigrations(options.folder ?? MIGRATIONS_FOLDER)
  await checkDatabase({ address: options.address, log: options.runtime.log, hasTables: true, mode })
  const client = await connectToPrimary(
    clientConfigs({
      address: options.address,
      applicationName: 'fairball migrations',
      statementTimeoutMs: 0, // rebuilding a large table takes its time
      idleInTransactionTimeoutMs: 0,
    }),
  )
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK.toString()])
    const applied = await applyMissing(client, migrations, { ...options, longestLockMs })
    if (options.folder === undefined) await grantRoles(client, options.runtime.log)
    return applied
  } catch (error) {
    throw translateError(error)
  } finally {
    await client.end().catch(() => undefined) // the lock ends with the connection
  }
}

/** The processes that wait for a worker to migrate: what they are called, and what the database lacks for them. */
const WAITERS = {
  web: { name: 'a web process', role: WEB, whatLacks: whatWebLacks },
  console: { name: 'the console', role: CONSOLE, whatLacks: whatConsoleLacks },
} as const

/**
 * Waits until a worker has migrated the database, and begun the lottery in it, for a process whose login may do
 * neither. Then looks at what the login may do.
 *
 * @param options.mode as in `migrate`
 * @param options.longestWaitMs default: 60,000
 * @throws DatabaseUnfit if the database lacks what the program rests on
 * @throws MigrationError if none has after that time, and if the migrations do not fit, like `migrate`
 * @throws LoginMayMore for a login that may do more than its role: of a web process the owner's may
 * @throws DatabaseUnavailable
 */
export async function awaitMigrated(options: {
  address: DatabaseAddress
  runtime: Pick<Runtime, 'log' | 'monotonic'>
  signal: AbortSignal
  waiter: keyof typeof WAITERS
  mode?: 'demo' | 'production'
  longestWaitMs?: number
}): Promise<void> {
  const { address, signal, waiter, mode = 'production', longestWaitMs = LONGEST_WAIT_MS } = options
  const { name, whatLacks } = WAITERS[waiter]
  const { log, monotonic } = options.runtime
  const migrations = await readMigrations(MIGRATIONS_FOLDER)
  await checkDatabase({ address, log, hasTables: false, mode })
  const client = await connectToPrimary(clientConfigs({ address, applicationName: 'fairball start' }))
  try {
    const until = monotonic.nowMs() + longestWaitMs
    let lacks = await whatLacks(client, migrations)
    if (lacks !== null) log.warn({ lacks }, 'waiting for a worker to make the database ready')
    while (lacks !== null) {
      if (monotonic.nowMs() >= until)
        throw new MigrationError(
          `The database is not ready for ${name}: ${lacks}. ` +
            `Start a worker (ROLE=worker) of the same version, which makes it ready. Its login has to be another one than that of ${name}.`,
        )
      await monotonic.sleep(LOOK_MS, signal)
      lacks = await whatLacks(client, migrations)
    }
    await checkLogin(client, waiter, log)
  } catch (error) {
    throw translateError(error)
  } finally {
    await client.end().catch(() => undefined) // nothing is in progress
  }
}

/** @throws LoginMayMore */
async function checkLogin(client: pg.Client, waiter: keyof typeof WAITERS, log: Logger): Promise<void> {
  const { role } = WAITERS[waiter]
  const { login, isOwner } = await loginOf(client)
  if (waiter === 'console') {
    const found = isOwner
      ? ['everything, since the tables are its own']
      : [...(await databaseExcess(client)), ...(await tableExcess(client, role))]
    if (found.length > 0) throw new LoginMayMore(role.role, login, found)
  } else if (!isOwner) {
    const found = await tableExcess(client, role)
    if (found.length > 0) throw new LoginMayMore(role.role, login, found)
  } else
    log.warn(
      {},
      'this web process has a login of the database that may write payouts: docs/operations.md, section 8, has the lines for another one',
    )
}

/** What the database lacks for a web process; null for nothing. @throws MigrationError like `checkApplied` */
async function whatWebLacks(client: pg.Client, migrations: readonly Migration[]): Promise<string | null> {
  return await orNotYet(WEB.role, async () => {
    const { rows } = await client.query<AppliedMigration>(APPLIED)
    checkApplied(rows, migrations)
    const [next] = migrations.slice(rows.length)
    if (next !== undefined) return `it lacks the migration ${next.name}`
    const { rowCount } = await client.query('select from games limit 1')
    return rowCount === 0 ? 'no worker has begun the lottery in it' : null
  })
}

/** What the database lacks for the console; null for nothing. @throws MigrationError if it is of a newer version */
async function whatConsoleLacks(client: pg.Client, migrations: readonly Migration[]): Promise<string | null> {
  return await orNotYet(CONSOLE.role, async () => {
    const { rows } = await client.query<{ version: number | null }>('select version from console_schema')
    const version = rows[0]?.version ?? 0
    if (version > (migrations.at(-1)?.version ?? 0))
      throw new MigrationError(
        `The database has migration ${version}, which this version of the program does not know. Start the newer version.`,
      )
    const next = migrations.find((one) => one.version > version)
    return next === undefined ? null : `it lacks the migration ${next.name}`
  })
}

/** What `look` finds, or that its tables are not there or not readable yet. */
async function orNotYet(role: string, look: () => Promise<string | null>): Promise<string | null> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !NOT_YET.includes(error.code ?? '')) throw error
    return `${error.message} (either no worker has made its tables, or this login is no member of ${role})`
  }
}

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
  { runtime, longestLockMs }: { runtime: Pick<Runtime, 'clock' | 'log'>; longestLockMs: number },
): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    version int primary key, name text not null, checksum text not null, applied_at bigint not null)`)
  const { rows } = await client.query<AppliedMigration>(APPLIED)
  checkApplied(rows, migrations)
  await refuseOldProtocol(client)
  const missing = migrations.slice(rows.length)
  // From here on: a process that waits for another one's migrations waits as long as these take.
  await client.query(`set lock_timeout = ${longestLockMs}`)
  for (const migration of missing) {
    await applyOne(client, migration, runtime.clock.now())
    runtime.log.info({ migration: migration.name }, 'migration applied')
  }
  return missing.map((migration) => migration.name)
}

/** Statements of version 1 of the draw protocol are in a table that later versions do not have. */
async function refuseOldProtocol(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(`select to_regclass('statements') is not null as is_there`)
  if (rows[0]?.is_there !== true) return
  const { rowCount } = await client.query('select from statements limit 1')
  if (rowCount === 0) return
  throw new MigrationError(
    'This database was made by version 1 of the draw protocol, which this program no longer speaks. Start with an empty ' +
      'database; what is open in this one is drawn and paid by the program that made it.',
  )
}

function checkApplied(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const file = migrations[index]
    // Two branches take numbers independently; the one with the lower ones has to come first.
    if (file !== undefined && file.version < version)
      throw new MigrationError(
        `Migration ${file.name} comes before ${name}, which this database already has: migrations only go forward. ` +
          'Give it a number after every migration that is in use.',
      )
    if (file === undefined || file.version !== version)
      throw new MigrationError(
        `The database has migration ${name}, which this version of the program does not know. ` +
          'Start the newer version that applied it, or restore the file: migrations only go forward.',
      )
    if (file.checksum !== checksum)
      throw new MigrationError(
        `Migration ${name} was changed after it had been applied to this database` +
          `${file.name === name ? '' : ` (it is ${file.name} now)`}. ` +
          'Restore the file as it was and put the change into a new migration.',
      )
  }
}

async function applyOne(client: pg.Client, migration: Migration, nowAt: number): Promise<void> {
  await client.query('begin')
  try {
    const before = await transactionId(client)
    await client.query(migration.text)
    if ((await transactionId(client)) !== before)
      throw new MigrationError(`Migration ${migration.name} ends its transaction: take begin, commit and rollback out.`)
    await client.query('insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)', [
      migration.version,
      migration.name,
      migration.checksum,
      nowAt,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // the first error is more useful
    if (error instanceof MigrationError || !(error instanceof pg.DatabaseError)) throw error
    if (error.code === LOCK_NOT_AVAILABLE)
      throw new MigrationError(
        `Migration ${migration.name} needs a table that is in use, and gave up before players had to wait. Start again.`,
        error,
      )
    throw new MigrationError(
      `Migration ${migration.name}${lineOf(migration.text, error)} failed: ${error.message}`,
      error,
    )
  }
}

async function transactionId(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id ?? ''
}

/** `, line 12`: PostgreSQL counts characters from the start of the text. */
function lineOf(text: string, error: pg.DatabaseError): string {
  if (error.position === undefined) return ''
  return `, line ${text.slice(0, Number(error.position)).split('\n').length},`
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)))
  for (const [index, { name, version }] of migrations.entries())
    if (version === migrations[index - 1]?.version)
      throw new MigrationError(`${name} has the number of another migration. Give it the next one that is free.`)
  return migrations
}

/** Numbers may have gaps: a branch takes its own, and need not use all of them. */
async function readMigration(folder: string, name: string): Promise<Migration> {
  const version = Number(FILE_NAME.exec(name)?.[1])
  if (!(version > 0))
    throw new MigrationError(`${name} is no name of a migration: name it 0001_what-it-does.sql, with its own number.`)
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
  return { version, name, text, checksum: createHash('sha256').update(text).digest('hex') }
}
