// Runs two PostgreSQL servers under Patroni with the project's own configuration (deploy/patroni), and the etcd that
// keeps which of them is the primary, in a temporary folder.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { serverUser } from '@fairball/server/testing/database'
import { freePort } from '@fairball/server/testing/fixtures'
import { monotonicTime } from '@fairball/server/testing/runtime'

const CONFIG = join(import.meta.dirname, '../deploy/patroni/config.yml')
/** Debian keeps the programs of each version of PostgreSQL here. */
const DEBIAN_BINARIES = '/usr/lib/postgresql'
const NAMES = ['one', 'two'] as const
const LOOK_MS = 100
/** Time limit for a cluster that begins, or for a server that follows again, in ms. */
const READY_MS = 120_000

/** What Patroni says of its server. */
interface Standing {
  /** the primary is a `master` before Patroni 4 */
  readonly role: 'master' | 'primary' | 'replica' | 'uninitialized'
  readonly state: string
  readonly sync_standby?: boolean
}

/** Two servers, of which one is the primary. */
interface PatroniPair {
  /** in the form of `DATABASE_URL`, with both servers */
  readonly url: string
  /** Waits until one server is the primary and the other its synchronous standby, or with `isCareless` any standby. */
  ready(): Promise<void>
  /** Cuts the power of the primary: its Patroni and every process of its PostgreSQL end at once. @returns its name */
  killPrimary(): string
  /**
   * Keeps the standby from receiving anything more. Returns what lets it continue, without what its network card has
   * received meanwhile.
   */
  holdStandby(): () => void
  /** Starts a server again, which becomes the standby. */
  start(name: string): void
  stop(): Promise<void>
}

/** What is missing here to run it; null for nothing. */
export function missingForPatroni(): string | null {
  const missing = ['patroni', 'etcd'].filter((program) => spawnSync(program, ['--version']).status !== 0)
  if (binaries() === null) missing.push('postgresql')
  return missing.length === 0
    ? null
    : `${missing.join(' and ')} is missing: apt-get install patroni python3-etcd etcd-server postgresql`
}

/** The folder of Debian's newest PostgreSQL. */
function binaries(): string | null {
  if (!existsSync(DEBIAN_BINARIES)) return null
  const versions = readdirSync(DEBIAN_BINARIES).toSorted((one, other) => Number(other) - Number(one))
  return versions.length === 0 ? null : join(DEBIAN_BINARIES, versions[0] ?? '', 'bin')
}

/**
 * Starts the pair, with an empty database `fairball` of a login `fairball`.
 *
 * @param isCareless whether commits are acknowledged before the standby has them
 */
export async function startPatroniPair(isCareless: boolean): Promise<PatroniPair> {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-patroni-'))
  const user = serverUser()
  chmodSync(folder, 0o700)
  if (user !== null) chownSync(folder, user.uid, user.gid)
  const [etcd, peer] = [await freePort(), await freePort()]
  const password = randomBytes(12).toString('hex')
  const ports = new Map<string, { readonly rest: number; readonly database: number }>()
  for (const name of NAMES) ports.set(name, { rest: await freePort(), database: await freePort() })
  const placeOf = (name: string) => {
    const place = ports.get(name)
    if (place === undefined) throw new Error(`there is no server ${name}`)
    return place
  }
  const running = new Map<string, ChildProcess>()

  function launch(name: string, program: string, args: readonly string[], env: Record<string, string> = {}): void {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env },
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    })
    closeSync(log)
    running.set(name, child)
  }

  function start(name: string): void {
    const { rest, database } = placeOf(name)
    launch(name, 'patroni', [CONFIG], {
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcd}`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${rest}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${rest}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${database}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${database}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, name),
      PATRONI_POSTGRESQL_BIN_DIR: binaries() ?? '',
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_PASSWORD: password,
    })
  }

  /** What a server's Patroni knows of itself; null while it does not answer. */
  async function standing(name: string): Promise<Standing | null> {
    try {
      const answer = await fetch(`http://127.0.0.1:${placeOf(name).rest}/patroni`)
      return (await answer.json()) as Standing // by its documentation
    } catch {
      return null
    }
  }

  async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
    const lastMs = performance.now() + READY_MS
    while (!(await isDone())) {
      if (performance.now() > lastMs) throw new Error(`${what} took longer than ${READY_MS / 1000} s, see ${folder}`)
      await monotonicTime.sleep(LOOK_MS)
    }
  }

  async function ready(): Promise<void> {
    await until('a primary with a standby', async () => {
      const all = await Promise.all(NAMES.map(standing))
      const isUp = all.every((one) => one?.state === 'running')
      const standby = all.find((one) => one?.role === 'replica')
      return isUp && all.some(isServing) && (isCareless ? standby !== undefined : standby?.sync_standby === true)
    })
  }

  /** Every process of a server's PostgreSQL. */
  function processesOf(name: string): number[] {
    const [line = ''] = readFileSync(join(folder, name, 'postmaster.pid'), 'utf8').split('\n')
    return [Number(line), ...childrenOf(Number(line))]
  }

  const isPrimary = (name: string): boolean => !existsSync(join(folder, name, 'standby.signal'))
  const nameWhere = (fits: (name: string) => boolean): string => {
    const found = NAMES.find((name) => running.has(name) && fits(name))
    if (found === undefined) throw new Error('no such server is running')
    return found
  }

  async function stop(): Promise<void> {
    const ended = Promise.all([...running.values()].filter(isRunning).map((child) => once(child, 'exit')))
    for (const name of NAMES) if (running.has(name)) kill(name)
    running.get('etcd')?.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }

  function kill(name: string): void {
    running.get(name)?.kill('SIGKILL')
    running.delete(name)
    if (!existsSync(join(folder, name, 'postmaster.pid'))) return
    for (const pid of processesOf(name)) signal(pid, 'SIGKILL')
  }

  const address = `http://127.0.0.1:${etcd}`
  const peerAddress = `http://127.0.0.1:${peer}`
  launch('etcd', 'etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${address}`,
    `--advertise-client-urls=${address}`,
    `--listen-peer-urls=${peerAddress}`,
    `--initial-advertise-peer-urls=${peerAddress}`,
    `--initial-cluster=default=${peerAddress}`,
  ])
  try {
    for (const name of NAMES) start(name)
    await ready() // before that, Patroni starts the first server twice
    const primary = nameWhere(isPrimary)
    await setUp(placeOf(primary), password)
    if (isCareless) await patch(placeOf(primary).rest, { synchronous_mode: false })
    await ready()
  } catch (error) {
    await stop()
    throw error
  }
  const hosts = NAMES.map((name) => `127.0.0.1:${placeOf(name).database}`).join(',')
  return {
    url: `postgres://fairball:${password}@${hosts}/fairball?target_session_attrs=read-write`,
    ready,
    start,
    stop,
    killPrimary() {
      const name = nameWhere(isPrimary)
      kill(name)
      return name
    },
    holdStandby() {
      const pids = processesOf(nameWhere((name) => !isPrimary(name))).filter((pid) =>
        titleOf(pid).includes('walreceiver'),
      )
      for (const pid of pids) signal(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) {
          signal(pid, 'SIGTERM') // the receiver ends as soon as it continues, and another takes its place
          signal(pid, 'SIGCONT')
        }
      }
    },
  }
}

function isServing(one: Standing | null): boolean {
  return (one?.role === 'master' || one?.role === 'primary') && one.state === 'running'
}

async function setUp({ database: port }: { readonly database: number }, password: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' })
  await client.connect()
  await client.query(`create role fairball login createrole password '${password}'`)
  await client.query(`create database fairball owner fairball encoding 'UTF8' template template0`)
  await client.end()
}

/** Changes what Patroni keeps for the whole cluster. */
async function patch(rest: number, change: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${rest}/config`, { method: 'PATCH', body: JSON.stringify(change) })
  if (!answer.ok) throw new Error(`Patroni answered ${answer.status}: ${await answer.text()}`)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

function titleOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended
  }
}
