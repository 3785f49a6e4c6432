import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { freePort } from '../../../test/free-port.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { migrate } from '../migrate.ts'
import { checkDatabase, FOR_TESTS, type Outcome, tryEverything } from './conformance.ts'
import { DURABILITY } from './session-checks.ts'

/** An empty database whose every session begins as `settings` say. */
async function databaseWith(prepare: readonly string[] = [], settings: Readonly<Record<string, string>> = {}) {
  const database = await testDatabase({ isMigrated: false })
  const client = await database.connect()
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const name = rows[0]?.name ?? ''
  for (const text of prepare) await client.query(text)
  for (const [setting, value] of Object.entries(settings))
    await client.query(`alter database ${name} set ${setting} = ${value}`)
  return { client, name, url: database.url }
}

/** What a start tries before it migrates. */
const start = (address: string, mode: 'demo' | 'production' = 'production', { log } = testRuntime()): Promise<void> =>
  checkDatabase({ address, log, hasTables: true, mode })

const POOLER = process.env['PGBOUNCER'] ?? null
/** Lets the limits of our sessions through. */
const LIMITS = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'
const SCHEMAS = `select nspname from pg_namespace where nspname like 'fairball%'`

it('PostgreSQL passes every check; that of these tests says that it may lose what it acknowledged', async () => {
  const { client, url } = await databaseWith(['create schema fairball_conformance_9999999'])
  const outcomes: Outcome[] = []
  await tryEverything(url, (outcome) => void outcomes.push(outcome))
  expect(outcomes.length).toBeGreaterThan(40)
  expect(outcomes.filter(({ seen }) => seen !== null).map(({ id }) => id)).toEqual(DURABILITY)
  // Nothing remains, of this trial or of one whose process died.
  expect((await client.query(SCHEMAS)).rows).toEqual([])
})

describe('a start', () => {
  it.each<[what: string, stub: string, failed: string]>([
    [
      'advisory locks exclude nobody',
      `create function stub.pg_try_advisory_xact_lock(bigint) returns boolean language sql as 'select true'`,
      'advisory-excludes',
    ],
    [
      'advisory locks outlive their transaction',
      `create function stub.pg_advisory_xact_lock(n bigint) returns void language sql as 'select pg_advisory_lock(n)'`,
      'advisory-ends-with-transaction',
    ],
    [
      'notifications are not sent',
      `create function stub.pg_notify(text, text) returns void language sql as 'select'`,
      'listen',
    ],
  ])('a start on a database in which %s is refused, and says so by name', async (_what, stub, id) => {
    const { url } = await databaseWith(['create schema stub', stub], { search_path: 'stub, pg_catalog, public' })
    await expect(start(url)).rejects.toThrow(new RegExp(`^FAIL ${id}: `, 'm'))
  })

  it('a start with a login that may make no schema warns of what it did not try', async () => {
    const { client, name, url } = await databaseWith()
    await client.query(`create role ${name} login`)
    onTestFinished(async () => void (await client.query(`drop role ${name}`)))
    const address = new URL(url)
    address.username = name
    const runtime = testRuntime()
    await start(address.href, 'production', runtime)
    expect(runtime.logged.map(({ msg, check }) => [msg, check])).toEqual(
      ['skip-locked', 'deferred-trigger'].map((id) => ['a check of the database was left out', id]),
    )
  })

  it('a start on a database that runs no triggers is refused before anything is migrated', async () => {
    const { url, client } = await databaseWith([], { session_replication_role: 'replica' })
    await expect(migrate({ address: url, runtime: testRuntime() })).rejects.toThrow(/^FAIL deferred-trigger: /m)
    expect((await client.query(`select from pg_class where relname = 'schema_migrations'`)).rows).toEqual([])
  })

  it('a start on a database that may lose what it acknowledged is refused in production, and warned of in the demo', async () => {
    const { url } = await databaseWith([], { [FOR_TESTS]: 'off' })
    await expect(start(url)).rejects.toThrow(
      /not fit .*\nFAIL fsync: fsync is off\. .*\nFAIL full-page-writes: .*\nFAIL synchronous-commit: [^\n]*$/,
    )
    const runtime = testRuntime()
    await start(url, 'demo', runtime)
    const warned = runtime.logged.filter(({ msg }) => msg === 'this database may lose what it acknowledged')
    expect(warned.map(({ check }) => check)).toEqual(DURABILITY)
  })

  it.skipIf(POOLER === null && process.env['CI'] === undefined).each([
    ['in transaction mode is refused, naming LISTEN', 'transaction', LIMITS],
    ['that refuses the limits of sessions is refused, naming LISTEN', 'transaction', ''],
    ['in session mode is a start like any other', 'session', LIMITS],
  ])('a start through a pooler %s', async (_what, mode, limits) => {
    const address = await startPooler((await databaseWith()).name, `pool_mode = ${mode}\n${limits}`)
    if (mode === 'session') await expect(start(address)).resolves.toBeUndefined()
    else await expect(start(address)).rejects.toThrow(/^FAIL listen: LISTEN [^]*pooler/m)
  })
})

/** Starts PgBouncer before a database of the tests' server. @returns its address @throws Error if it does not run */
async function startPooler(database: string, settings: string): Promise<string> {
  if (POOLER === null) throw new Error('PgBouncer is needed: set PGBOUNCER to its path.')
  const server = new URL(inject('databaseServer'))
  const sockets = server.searchParams.get('host') ?? ''
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'fairball-pooler-'))
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]\n* = host=${sockets} port=5432 user=${server.username}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
      `listen_port = ${port}\nauth_type = any\nunix_socket_dir =\n${settings}\n`,
    { mode: 0o644 },
  )
  execFileSync('chmod', ['755', folder])
  // It refuses to run as root, and has to reach the folder of the server's socket.
  const owner = execFileSync('id', ['-nu', String(statSync(sockets).uid)], { encoding: 'utf8' }).trim()
  const child = spawn(POOLER, ['-q', ...(process.getuid?.() === 0 ? ['-u', owner] : []), file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
    await monotonicTime.sleep(10)
  }
  return `postgres://${server.username}@127.0.0.1:${port}/${database}`
}

async function answers(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
