// A lottery of several real processes on one database, each of which can be killed and started again at its port.
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '@fairball/server/testing/database'
import { freePort } from '@fairball/server/testing/fixtures'
import { type Process, startProcess } from '../product.ts'
import { type DatabaseServer, embeddedAddress, startDatabaseServer } from './database.ts'

/** A file that takes what the processes log, to find the reason of something lost. */
const LOG = process.env['FAULTS_LOG']

type Role = 'web' | 'worker' | 'both'

/** One process of a cluster: the port stays, whichever process serves there. */
export interface Member {
  /** web 1, worker 2 */
  readonly name: string
  readonly role: Role
  /** 0 for a worker */
  readonly port: number
  /** where its metrics are */
  readonly monitorPort: number
  /** Restarts it. @returns the milliseconds until it was ready */
  start(): Promise<number>
  /** `kill -9` */
  kill(): Promise<void>
  /** Ends it in order. */
  stop(): Promise<void>
}

export interface Cluster {
  readonly members: readonly Member[]
  /** the ports of the members that serve */
  readonly webPorts: readonly number[]
  /** for connections that look on */
  readonly database: DatabaseAddress
  /** null where a process brings its own */
  readonly server: DatabaseServer | null
  /** What an operator's command needs to be about this cluster; its processes have to be stopped where the database is theirs. */
  readonly env: Readonly<Record<string, string>>
  /** What nobody ordered: processes that ended by themselves. */
  readonly deaths: readonly string[]
  /** Ends every process in order, and leaves the database and the folder. */
  stopMembers(): Promise<void>
  close(): Promise<void>
}

export interface ClusterSettings {
  readonly roles: readonly Role[]
  /** whether the one process brings its own database; otherwise one stands apart */
  readonly isEmbedded?: boolean
  /** where the cluster of the database that stands apart lies; default: in the cluster's folder */
  readonly databaseFolder?: string
  /** What is done to the database that stands apart before any process is on it. */
  readonly prepare?: (server: DatabaseServer, clusterFolder: string) => Promise<void>
  /** further variables of every process */
  readonly env?: Readonly<Record<string, string>>
  /** where players reach it; default: the first process that serves */
  readonly publicUrl?: string
}

/** Makes a folder of which nothing has to stay, that a database of another user can pass through. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-faults-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Starts a database and processes of the given roles on it, one after the other: the workers first, who make it ready. */
export async function startCluster(settings: ClusterSettings): Promise<Cluster> {
  const { roles, isEmbedded = false } = settings
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const serverFolder = settings.databaseFolder ?? join(folder, 'database')
  mkdirSync(serverFolder, { recursive: true, mode: 0o711 })
  const server = isEmbedded ? null : await startDatabaseServer(serverFolder)
  const env = {
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(server === null ? {} : { DATABASE_URL: server.url }),
    ...settings.env,
  }
  const deaths: string[] = []
  const running = new Map<string, Process>()
  const ports = await Promise.all(roles.map(async (role) => (role === 'worker' ? 0 : await freePort())))
  const { publicUrl = `http://localhost:${ports.find((port) => port !== 0)}` } = settings

  async function memberOf(role: Role, place: number): Promise<Member> {
    const name = `${role} ${roles.slice(0, place + 1).filter((one) => one === role).length}`
    const port = ports[place] ?? 0
    const monitorPort = await freePort()
    /** The process that runs, whose end is wanted from now on. */
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
          env: { ...env, MONITOR_PORT: String(monitorPort) },
          onOutput: log,
        })
        running.set(name, started)
        void started.ended.then(() => {
          if (running.get(name) === started) deaths.push(`${name} ended unasked`)
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
      database: server?.url ?? embeddedAddress(dataDir),
      server,
      env,
      deaths,
      stopMembers,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
