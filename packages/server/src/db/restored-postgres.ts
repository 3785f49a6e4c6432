import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Runtime } from '../runtime/runtime.ts'
import { BackupError, BASE_FILE } from './base-backup.ts'
import { canServerUser, serverBinaries, serverUser, type ServerUser } from './embedded-binaries.ts'
import type { DatabaseAddress } from './connection-settings.ts'

/** How often it is asked whether the recovery is over, in ms of real time. */
const LOOK_MS = 100
/** A recovery that reads a day of the write-ahead log takes its time. */
const LONGEST_RECOVERY_MS = 3_600_000
const PORT = 5432
/** Nothing of our environment (PGDATA, PGPORT, LANG, …) affects the server. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** A server on a restored cluster, reachable by a socket in the same folder alone. */
interface RestoredPostgres {
  readonly address: Exclude<DatabaseAddress, string>
  /** Stops it in order. */
  stop(): Promise<void>
}

/** What is restored, and where. */
interface RestoreOptions {
  /** the folder of a base backup */
  readonly base: string
  /** the folder of the archived write-ahead log; null for the backup alone */
  readonly wal: string | null
  /** a folder that does not exist yet, for the cluster and its socket */
  readonly folder: string
  /** the major version of the server that was backed up */
  readonly major: number
  /** the login and the database that the lottery uses */
  readonly user: string
  readonly database: string
  readonly runtime: Pick<Runtime, 'monotonic'>
}

/** The folder of the cluster in that of a restore. */
export function clusterIn(folder: string): string {
  return join(folder, 'cluster')
}

/**
 * Restores a base backup, and the write-ahead log up to its end, and starts a server on it.
 *
 * @throws BackupError with the end of the server's log
 */
export async function startRestored(options: RestoreOptions): Promise<RestoredPostgres> {
  const { folder, wal, runtime } = options
  const user = serverUser()
  const binaries = await binariesOf(options.major, user)
  const cluster = clusterIn(folder)
  for (const one of [folder, cluster]) {
    mkdirSync(one, { mode: 0o700 })
    if (user !== null) chownSync(one, user.uid, user.gid)
  }
  unpack(join(options.base, BASE_FILE), cluster, user)
  for (const name of ['recovery.signal', 'postgresql.conf', 'pg_ident.conf'])
    if (!existsSync(join(cluster, name))) give(join(cluster, name), '', user)
  const access = join(folder, 'access.conf')
  give(access, 'local all all trust\n', user)
  if (wal !== null && !canServerUser(user, '-x', wal))
    throw new BackupError(`${wal}: the user ${user?.name} cannot read it.`)
  const server = launch(join(binaries, 'bin', 'postgres'), cluster, settingsOf({ folder, wal, access }), {
    folder,
    user,
  })
  const address = { host: folder, port: PORT, user: options.user, database: options.database }
  await untilRecovered(server, address, runtime, () => endOfLog(folder)).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return { address, stop: () => server.stop() }
}

/** The programs of this major version: the project's own, or Debian's. @throws BackupError */
async function binariesOf(major: number, user: ServerUser | null): Promise<string> {
  const debian = `/usr/lib/postgresql/${major}`
  const own = await serverBinaries(user).catch(() => null) // not installed
  const found = [own, debian].find(
    (folder) => folder !== null && majorOf(join(folder, 'bin', 'postgres'), user) === major,
  )
  if (found !== null && found !== undefined) return found
  throw new BackupError(`A restore needs the server of PostgreSQL ${major}: apt-get install postgresql-${major}.`)
}

function majorOf(program: string, user: ServerUser | null): number | null {
  const asUser = user === null ? {} : { uid: user.uid, gid: user.gid }
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', cwd: '/', ...asUser })
  return status === 0 ? Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]) : null
}

function unpack(archive: string, cluster: string, user: ServerUser | null): void {
  const input = openSync(archive, 'r')
  try {
    const asUser = user === null ? {} : { uid: user.uid, gid: user.gid }
    const { status, stderr } = spawnSync('tar', ['--extract', '--gzip'], {
      cwd: cluster,
      stdio: [input, 'ignore', 'pipe'],
      encoding: 'utf8',
      ...asUser,
    })
    if (status !== 0) throw new BackupError(`${archive} cannot be unpacked: ${stderr}`)
  } finally {
    closeSync(input)
  }
}

function give(path: string, text: string, user: ServerUser | null): void {
  writeFileSync(path, text, { mode: 0o600 })
  chmodSync(path, 0o600)
  if (user !== null) chownSync(path, user.uid, user.gid)
}

/** Settings as arguments: they take precedence over those of the server that was backed up. */
function settingsOf({ folder, wal, access }: { folder: string; wal: string | null; access: string }): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
    hba_file: access,
    ident_file: join(clusterIn(folder), 'pg_ident.conf'),
    archive_mode: 'off',
    restore_command: wal === null ? 'false' : `cp "${wal}/%f" "%p"`,
    recovery_target_timeline: 'latest',
    // Otherwise the settings of the server that was backed up would have to be the same here.
    hot_standby: 'off',
    shared_preload_libraries: '',
    ssl: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function launch(
  program: string,
  cluster: string,
  settings: readonly string[],
  { folder, user }: { folder: string; user: ServerUser | null },
): { readonly child: ChildProcess; readonly hasEnded: () => boolean; stop(): Promise<void> } {
  const log = openSync(join(folder, 'restore.log'), 'a', 0o600)
  const child = spawn(program, ['-D', cluster, ...settings], {
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ['ignore', log, log],
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  })
  closeSync(log)
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  const stop = async (): Promise<void> => {
    if (!isOver) child.kill('SIGINT')
    await ended
  }
  return { child, hasEnded: () => isOver, stop }
}

/** Waits until the server has read the log to its end and takes changes. @throws BackupError */
async function untilRecovered(
  server: { readonly hasEnded: () => boolean },
  address: Exclude<DatabaseAddress, string>,
  { monotonic }: Pick<Runtime, 'monotonic'>,
  why: () => string,
): Promise<void> {
  const until = monotonic.nowMs() + LONGEST_RECOVERY_MS
  while (!(await answers(address))) {
    if (server.hasEnded()) throw new BackupError(`The restored database does not start:\n${why()}`)
    if (monotonic.nowMs() > until) throw new BackupError(`The recovery took more than an hour:\n${why()}`)
    await monotonic.sleep(LOOK_MS)
  }
}

async function answers(address: Exclude<DatabaseAddress, string>): Promise<boolean> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined) // it says so by the answer
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined) // nothing is in progress
  }
}

function endOfLog(folder: string): string {
  return readFileSync(join(folder, 'restore.log'), 'utf8').slice(-2_000)
}
