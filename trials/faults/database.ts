// The PostgreSQL of a run: durable as in production, and stopped as abruptly as by a power cut.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import {
  clientConfigs,
  connectToPrimary,
  type DatabaseAddress,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@fairball/server/testing/database'
import { monotonicTime, systemRuntime } from '@fairball/server/testing/runtime'

/** Time limit for one connection while the server may be down, in ms. */
const CONNECT_MS = 5_000

/** A PostgreSQL server separate from the product's processes. */
export interface DatabaseServer {
  /** in the form of `DATABASE_URL` */
  readonly url: string
  /** Starts it after it was stopped or has exited; does nothing if it is running. */
  start(): Promise<void>
  /** Stops it without a checkpoint, as `pg_ctl stop -m immediate` does, and waits until it has exited. */
  crash(): Promise<void>
  stop(): Promise<void>
  /** Resolves when the current server exits or is crashed. */
  ended(): Promise<unknown>
}

/** Starts a server whose files are in `dataFolder`, an existing absolute path. */
export async function startDatabaseServer(dataFolder: string): Promise<DatabaseServer> {
  const runtime = systemRuntime({ logLevel: 'silent' })
  const launch = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataFolder, runtime, maxConnections: 200 })
  let server = await launch()
  let isUp = true
  const follow = (): void => void server.died.then(() => (isUp = false))
  follow()
  const { host, user, database } = server.address

  return {
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async start() {
      if (isUp) return
      await server.stop() // releases the old server's resources
      server = await launch()
      isUp = true
      follow()
    },
    async crash() {
      const [pid] = readFileSync(join(dataFolder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      await server.died
      isUp = false
    },
    stop: () => server.stop(),
    ended: () => server.died,
  }
}

/** The database address of a process that brings its own. */
export function embeddedAddress(dataDir: string): DatabaseAddress {
  return { host: join(dataDir, 'postgres'), port: 5432, user: 'fairball', database: 'fairball' }
}

/** Opens a connection for observation, and closes it after `work`. */
export async function look<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPrimary(
    clientConfigs({ address, applicationName: 'faults', connectionTimeoutMs: CONNECT_MS, statementTimeoutMs: 0 }),
  )
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Waits in real time. */
export function pause(ms: number): Promise<void> {
  return monotonicTime.sleep(ms)
}
