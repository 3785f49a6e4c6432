import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, renameSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { Runtime } from '../runtime/runtime.ts'
import { EmbeddedDatabaseError, serverBinaries, serverUser, type ServerUser } from './embedded-binaries.ts'
import { clusterHome, ownerOfCluster, SOCKET_PORT, socketFolder } from './embedded-folders.ts'
import { FOR_TESTS } from './conformance/conformance.ts'
import type { DatabaseAddress } from './connection-settings.ts'

export { EmbeddedDatabaseError } from './embedded-binaries.ts'

/** A PostgreSQL that this process started and stops. */
export interface EmbeddedPostgres {
  /** Where it is, as its only user, in the database `fairball`. */
  readonly address: Exclude<DatabaseAddress, string>
  /** Resolves if the server ends without being told to, with the end of its log. */
  readonly died: Promise<string>
  /** Stops it in an orderly way ("fast": connections are cut, everything is written down). Idempotent. */
  stop(): Promise<void>
}

/** The launcher's settings. */
interface EmbeddedPostgresOptions {
  /** An absolute path that exists; the cluster goes into its subfolder `postgres`. No other process may use it. */
  dataFolder: string
  runtime: Pick<Runtime, 'monotonic' | 'log'>
  /** Maximum number of sessions. Default 100. */
  maxConnections?: number
  /** Default true. False trades the safety of data at a power cut for speed: for tests only. */
  isDurable?: boolean
}

const DATABASE = 'fairball'
/** Time limit until it is ready: crash recovery of a large database takes its time. */
const START_LIMIT_MS = 300_000
const STOP_FAST_LIMIT_MS = 20_000
const STOP_IMMEDIATE_LIMIT_MS = 10_000
const ORPHANS_LIMIT_MS = 20_000
const POLL_MS = 20
const MAX_LOG_BYTES = 10_000_000

/**
 * Starts a PostgreSQL for `dataFolder`, creating its cluster the first time, and waits until it answers. It listens on
 * a socket that only its own user and root can reach, and on no port, so copies never meet.
 *
 * A server that a killed process left behind is stopped first; PostgreSQL itself recovers whatever was not written
 * down.
 *
 * @throws EmbeddedDatabaseError with what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { runtime } = options
  const user = ownerOfCluster(options.dataFolder) ?? serverUser()
  const binaries = await serverBinaries(user)
  const home = await clusterHome(options.dataFolder, user)
  const place: Place = {
    user,
    binaries,
    home,
    cluster: join(home, 'cluster'),
    sockets: await socketFolder(home, user),
    log: join(options.dataFolder, 'postgres.log'),
  }
  if (dirname(place.home) !== options.dataFolder)
    runtime.log.info(
      { folder: place.home, user: user?.name },
      "the database's files are outside DATA_DIR, which its user cannot enter",
    )

  await stopLeftover(place, runtime)
  await makeCluster(place, options)
  const server = await startServer(place, options)
  const address = addressIn(place.sockets)
  try {
    await createDatabaseIfMissing(address)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { address, died: server.died, stop: server.stop }
}

/**
 * The address of the server that another process started on `dataFolder`, for a command beside it. Nothing is started.
 *
 * @throws EmbeddedDatabaseError if the folder of its socket cannot be used
 */
export async function runningPostgres(dataFolder: string): Promise<EmbeddedPostgres['address']> {
  const user = ownerOfCluster(dataFolder) ?? serverUser()
  return addressIn(await socketFolder(await clusterHome(dataFolder, user), user))
}

function addressIn(sockets: string): EmbeddedPostgres['address'] {
  return { host: sockets, port: SOCKET_PORT, user: DATABASE, database: DATABASE }
}

/** The server's user, programs and folders. */
interface Place {
  user: ServerUser | null
  binaries: string
  home: string
  cluster: string
  sockets: string
  log: string
}

/** Nothing of our environment (PGDATA, PGPORT, LANG, …) affects the server. */
const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

function launch(place: Place, program: string, args: readonly string[]): ChildProcess {
  const log = openSync(place.log, 'a', 0o600)
  try {
    return spawn(join(place.binaries, 'bin', program), args, {
      cwd: place.home,
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', log, log],
      detached: true, // a session of its own: Ctrl-C in the terminal reaches only us, and we stop it in order
      ...(place.user === null ? {} : { uid: place.user.uid, gid: place.user.gid }),
    })
  } finally {
    closeSync(log)
  }
}

function ended(child: ChildProcess): Promise<{ code: number | null; reason: string }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, reason: error.message }))
    child.once('exit', (code, signal) => resolve({ code, reason: signal ?? `status ${code}` }))
  })
}

/**
 * The cluster is made beside its place and moved there complete: a first start that was killed leaves nothing half
 * done.
 */
async function makeCluster(place: Place, options: EmbeddedPostgresOptions): Promise<void> {
  if (existsSync(join(place.cluster, 'PG_VERSION'))) return checkVersion(place)
  if (existsSync(place.cluster))
    throw new EmbeddedDatabaseError(
      `The database in ${place.cluster} is damaged: its PG_VERSION is missing. Restore a copy, or set DATA_DIR to a new folder.`,
    )
  const unfinished = `${place.cluster}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  const { code, reason } = await ended(
    launch(place, 'initdb', [
      `--pgdata=${unfinished}`,
      `--username=${DATABASE}`,
      '--auth=trust', // only its owner and root may enter the socket's folder
      '--encoding=UTF8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
      ...(options.isDurable === false ? ['--no-sync'] : []),
    ]),
  )
  if (code !== 0) throw new EmbeddedDatabaseError(`The database could not be made (${reason}).\n${endOfLog(place)}`)
  await rename(unfinished, place.cluster)
}

function checkVersion(place: Place): void {
  const version = readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8').trim()
  const bundled = readFileSync(join(place.binaries, 'share', 'postgresql', 'postgres.bki'), 'utf8')
  const own = /^# PostgreSQL (\d+)/.exec(bundled)?.[1]
  if (own !== undefined && version !== own)
    throw new EmbeddedDatabaseError(
      `The database in ${place.cluster} was made by PostgreSQL ${version}, and this version brings ${own}. ` +
        'Start it with the version of Fairball that made it, or set DATA_DIR to a new folder.',
    )
}

interface RunningServer {
  died: Promise<string>
  stop(): Promise<void>
}

async function startServer(place: Place, options: EmbeddedPostgresOptions): Promise<RunningServer> {
  const { monotonic, log } = options.runtime
  keepLogSmall(place)
  const child = launch(place, 'postgres', ['-D', place.cluster, ...serverSettings(place, options)])
  const end = ended(child)
  let hasEnded = false
  void end.then(() => (hasEnded = true))
  const pid = child.pid
  if (pid === undefined) throw new EmbeddedDatabaseError(`PostgreSQL could not be started: ${(await end).reason}`)
  const guard = guardAgainstOurDeath(place, pid)

  const startedMs = monotonic.nowMs()
  let saidAtMs = startedMs
  while (!isReady(place.cluster, pid)) {
    if (hasEnded) {
      guard.dismiss()
      throw new EmbeddedDatabaseError(`PostgreSQL ended at its start (${(await end).reason}).\n${endOfLog(place)}`)
    }
    const nowMs = monotonic.nowMs()
    if (nowMs - startedMs > START_LIMIT_MS) {
      process.kill(pid, 'SIGINT')
      throw new EmbeddedDatabaseError(`PostgreSQL was not ready after ${START_LIMIT_MS / 1000} s.\n${endOfLog(place)}`)
    }
    if (nowMs - saidAtMs > 10_000) {
      saidAtMs = nowMs
      log.info('the database is still recovering')
    }
    await monotonic.sleep(POLL_MS)
  }

  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    await stopProcess(place, pid, () => hasEnded, options.runtime)
    guard.dismiss()
    if (place.sockets !== place.home) await rm(place.sockets, { recursive: true, force: true })
  }
  return {
    stop: () => (stopping ??= stop()),
    died: new Promise((resolve) => {
      void end.then(({ reason }) => {
        if (stopping === null) resolve(`${reason}\n${endOfLog(place)}`)
      })
    }),
  }
}

/**
 * Settings as arguments: they take precedence over the files in the cluster, and root writes nothing into a folder that
 * belongs to the server's user.
 */
function serverSettings(place: Place, options: EmbeddedPostgresOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: `"${place.sockets.replaceAll('"', '""')}"`, // a list: quotes keep a comma in the path
    unix_socket_permissions: '0700',
    max_connections: String(options.maxConnections ?? 100),
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    jit: 'off',
    // Plans made while a table was nearly empty read all of it, and are kept until it is analyzed: a first rush of
    // sales must not wait a minute for that.
    autovacuum_naptime: '5s',
    log_checkpoints: 'off',
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(options.isDurable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', [FOR_TESTS]: 'on' }
      : {}),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * A small process that outlives us by a moment: it waits for our end of a pipe to close, which the kernel does however
 * we die, and then stops the server in order. So a `kill -9` leaves nothing running behind.
 */
function guardAgainstOurDeath(place: Place, pid: number): { dismiss(): void } {
  const script = 'read -r word; [ "$word" = dismissed ] || kill -INT "$1"'
  const guard = spawn('/bin/sh', ['-c', script, 'fairball-guard', String(pid)], {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...(place.user === null ? {} : { uid: place.user.uid, gid: place.user.gid }),
  })
  guard.on('error', () => undefined) // without it a leftover waits for the next start, which stops it
  guard.stdin.on('error', () => undefined) // it is already gone
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return { dismiss: () => guard.stdin.end('dismissed\n') }
}

function isReady(cluster: string, pid: number): boolean {
  const file = readPidFile(cluster)
  return file !== null && file.pid === pid && file.isReady
}

/** The content of postmaster.pid: the first line is the process, the eighth whether it takes connections. */
function readPidFile(cluster: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return Number.isSafeInteger(pid) && pid > 1 ? { pid, isReady: lines[7]?.trim() === 'ready' } : null
  } catch {
    return null // no server, or it is writing the file right now
  }
}

/** Stops what a killed process left behind: a server, or the remains of a server that was killed as well. */
async function stopLeftover(place: Place, runtime: Pick<Runtime, 'monotonic' | 'log'>): Promise<void> {
  const left = readPidFile(place.cluster)
  if (left !== null && isServerOf(place.cluster, left.pid)) {
    runtime.log.info({ pid: left.pid }, 'stopping the database that a killed process left behind')
    await stopProcess(place, left.pid, () => !isServerOf(place.cluster, left.pid), runtime)
  }
  if (process.platform !== 'linux') return // PostgreSQL checks its own file
  await stopOrphans(place, runtime)
  // With no process left in the cluster these files mean nothing. But their number may by now belong to any process, at
  // which PostgreSQL would refuse to start: numbers restart in a container, and a killed process whose parent does not
  // collect it keeps its own.
  const socket = join(place.sockets, `.s.PGSQL.${SOCKET_PORT}`)
  for (const path of [join(place.cluster, 'postmaster.pid'), `${socket}.lock`, socket]) await rm(path, { force: true })
}

/** Sessions outlive a killed server for a moment; two servers must never write one cluster. */
async function stopOrphans(place: Place, runtime: Pick<Runtime, 'monotonic' | 'log'>): Promise<void> {
  const startedMs = runtime.monotonic.nowMs()
  for (let orphans = processesIn(place.cluster); orphans.length > 0; orphans = processesIn(place.cluster)) {
    const waitedMs = runtime.monotonic.nowMs() - startedMs
    if (waitedMs > ORPHANS_LIMIT_MS)
      throw new EmbeddedDatabaseError(
        `Processes ${orphans.join(', ')} of an earlier PostgreSQL still use ${place.cluster}. End them (kill -QUIT), then start again.`,
      )
    if (waitedMs > ORPHANS_LIMIT_MS / 2) for (const pid of orphans) signalIfAlive(pid, 'SIGQUIT')
    await runtime.monotonic.sleep(POLL_MS)
  }
}

function processesIn(cluster: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && isServerOf(cluster, pid))
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new EmbeddedDatabaseError(`PostgreSQL (process ${pid}) cannot be stopped by this user.`, error)
  }
}

/** A server's working folder is its cluster; without /proc, a process with that number has to suffice. */
function isServerOf(cluster: string, pid: number): boolean {
  if (process.platform !== 'linux') return isAlive(pid)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return false // gone, or another user's process, which our server is not
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** "Fast" first, which writes everything down; "immediate" if that takes too long; then the next start recovers. */
async function stopProcess(
  place: Place,
  pid: number,
  hasEnded: () => boolean,
  runtime: Pick<Runtime, 'monotonic' | 'log'>,
): Promise<void> {
  const steps = [
    { signal: 'SIGINT', limitMs: STOP_FAST_LIMIT_MS },
    { signal: 'SIGQUIT', limitMs: STOP_IMMEDIATE_LIMIT_MS },
  ] as const
  for (const { signal, limitMs } of steps) {
    if (hasEnded()) return
    signalIfAlive(pid, signal)
    const untilMs = runtime.monotonic.nowMs() + limitMs
    while (!hasEnded() && runtime.monotonic.nowMs() < untilMs) await runtime.monotonic.sleep(POLL_MS)
    if (!hasEnded()) runtime.log.warn({ pid, signal, limitMs }, 'the database is slow to stop')
  }
  if (!hasEnded()) throw new EmbeddedDatabaseError(`PostgreSQL (process ${pid}) does not stop.\n${endOfLog(place)}`)
}

async function createDatabaseIfMissing(address: Exclude<DatabaseAddress, string>): Promise<void> {
  const client = new pg.Client({ ...address, database: 'postgres', connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } catch (error) {
    throw new EmbeddedDatabaseError(`The embedded database does not answer: ${(error as Error).message}`, error)
  } finally {
    await client.end().catch(() => undefined) // it may never have connected
  }
}

function keepLogSmall(place: Place): void {
  if (existsSync(place.log) && statSync(place.log).size > MAX_LOG_BYTES) renameSync(place.log, `${place.log}.1`)
}

/** The last lines of the server's log, for a message. */
function endOfLog(place: Place): string {
  const lines = existsSync(place.log) ? readFileSync(place.log, 'utf8').trimEnd().split('\n').slice(-12) : []
  return [`The end of ${place.log}:`, ...lines.map((line) => `  ${line}`)].join('\n')
}
