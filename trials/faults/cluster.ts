// A lottery of several real processes on one database. Each can be killed and restarted on its port.
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '@fairball/server/testing/database'
import { freePort } from '@fairball/server/testing/fixtures'
import { type Process, startProcess } from '../product.ts'
import { type DatabaseServer, embeddedAddress, startDatabaseServer } from './database.ts'

/** A file for the processes' logs, to investigate a loss. */
const LOG = process.env['FAULTS_LOG']

type Role = 'web' | 'worker' | 'both'

/** One member of a cluster. Its port stays the same across restarts. */
export interface Member {
  /** such as web 1 or worker 2 */
  readonly name: string
  readonly role: Role
  /** 0 for a worker */
  readonly port: number
  /** the port of its metrics */
  readonly monitorPort: number
  /** Starts or restarts it. @returns the milliseconds until it was ready */
  start(): Promise<number>
  /** `kill -9` */
  kill(): Promise<void>
  /** Shuts it down gracefully. */
  stop(): Promise<void>
}

export interface Cluster {
  readonly members: readonly Member[]
  /** the ports of the members that serve */
  readonly webPorts: readonly number[]
  /** for connections of observers */
  readonly database: DatabaseAddress
  /** null unless this cluster started a separate database */
  readonly server: DatabaseServer | null
  /**
   * Environment for an operator's command on this cluster. If the processes bring the database, they must be stopped
   * first.
   */
  readonly env: Readonly<Record<string, string>>
  /** Processes that exited without being asked to. */
  readonly deaths: readonly string[]
  /** From now on members start this release, whatever they started before. */
  update(): void
  /** Shuts every process down gracefully, and keeps the database and the folder. */
  stopMembers(): Promise<void>
  close(): Promise<void>
}

export interface ClusterSettings {
  readonly roles: readonly Role[]
  /** whether the single process brings its own database; otherwise there is a separate one */
  readonly isEmbedded?: boolean
  /** the address of a separate database that the caller starts and stops; default: one is started */
  readonly databaseUrl?: string
  /** folder of the separate database's files; default: inside the cluster's folder */
  readonly databaseFolder?: string
  /** Prepares the separate database before any process uses it. */
  readonly prepare?: (server: DatabaseServer, clusterFolder: string) => Promise<void>
  /** the folder of another release, whose program the members start until the update */
  readonly release?: string
  /** further variables of every process */
  readonly env?: Readonly<Record<string, string>>
  /** the address players use; default: that of the first process that serves */
  readonly publicUrl?: string
}

/** Makes a temporary folder that a database running as another user can pass through. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-faults-'))
  chmodSync(folder, 0o711)
  return folder
}

/**
 * Starts a database and processes of the given roles on it, one after the other. Workers come first, because they set
 * the database up.
 */
export async function startCluster(settings: ClusterSettings): Promise<Cluster> {
  const { roles, isEmbedded = false, databaseUrl } = settings
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const serverFolder = settings.databaseFolder ?? join(folder, 'database')
  mkdirSync(serverFolder, { recursive: true, mode: 0o711 })
  const server = isEmbedded || databaseUrl !== undefined ? null : await startDatabaseServer(serverFolder)
  const url = databaseUrl ?? server?.url
  const env = {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(url === undefined ? {} : { DATABASE_URL: url }),
    ...settings.env,
  }
  const deaths: string[] = []
  let { release } = settings
  const running = new Map<string, Process>()
  const ports = await Promise.all(roles.map(async (role) => (role === 'worker' ? 0 : await freePort())))
  const { publicUrl = `http://localhost:${ports.find((port) => port !== 0)}` } = settings

  async function memberOf(role: Role, place: number): Promise<Member> {
    const name = `${role} ${roles.slice(0, place + 1).filter((one) => one === role).length}`
    const port = ports[place] ?? 0
    const monitorPort = await freePort()
    /** The running process, which is about to be ended on purpose. */
    const taken = (): Process | undefined => {
      const process = running.get(name)
      running.delete(name)
      return process
    }
    const log = (chunk: Buffer): void => {
      if (LOG !== undefined) appendFileSync(LOG, `${name}: ${chunk.toString()}`)
    }
    return {
      name,
      role,
      port,
      monitorPort,
      async start() {
        const startedAt = performance.now()
        const started = await startProcess({
          dataDir,
          port,
          role,
          publicUrl,
          release,
          env: { ...env, MONITOR_PORT: String(monitorPort) },
          onOutput: log,
        })
        running.set(name, started)
        void started.ended.then(() => {
          if (running.get(name) === started) deaths.push(`${name} exited unexpectedly`)
        })
        return performance.now() - startedAt
      },
      async kill() {
        await taken()?.kill()
      },
      async stop() {
        await taken()?.stop()
      },
    }
  }

  async function stopMembers(): Promise<void> {
    const all = [...running.values()]
    running.clear()
    await Promise.all(all.map((one) => one.stop()))
  }

  async function close(): Promise<void> {
    await stopMembers()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().finally(() => process.exit(130)))
  try {
    if (server !== null) await settings.prepare?.(server, join(serverFolder, 'postgres/cluster'))
    const members = await Promise.all(roles.map(memberOf))
    const workersFirst = members.toSorted((one, other) => Number(one.role === 'web') - Number(other.role === 'web'))
    for (const member of workersFirst) await member.start()
    return {
      members,
      webPorts: ports.filter((port) => port !== 0),
      database: url ?? embeddedAddress(dataDir),
      server,
      env,
      deaths,
      update: () => (release = undefined),
      stopMembers,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
