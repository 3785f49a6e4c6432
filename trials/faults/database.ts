// The PostgreSQL of a run: durable as in production, and stopped as hard as a power cut.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import {
  type DatabaseAddress,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  typeParsers,
} from '@fairball/server/testing/database'
import { monotonicTime, systemRuntime } from '@fairball/server/testing/runtime'

/** How long one connection is waited for, where the server may be away. */
const CONNECT_MS = 5_000

/** A PostgreSQL server that stands apart from the processes of the product. */
export interface DatabaseServer {
  /** as `DATABASE_URL` has it */
  readonly url: string
  /** Starts it again after it was stopped or has ended; a server that runs stays. */
  start(): Promise<void>
  /** Stops it without writing anything down, as `pg_ctl stop -m immediate` does, and waits until it has ended. */
  crash(): Promise<void>
  stop(): Promise<void>
  /** Resolves when the server that runs now ends or is crashed. */
  ended(): Promise<unknown>
}

/** Starts a server whose cluster lies in `dataFolder`, an absolute path that exists. */
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
      await server.stop() // what was kept ready to stop it
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

/** Where the database of a process is that brings its own. */
export function embeddedAddress(dataDir: string): DatabaseAddress {
  return { host: join(dataDir, 'postgres'), port: 5432, user: 'fairball', database: 'fairball' }
}

/** Opens one connection that looks on, and closes it. */
export async function look<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...(typeof address === 'string' ? { connectionString: address } : address),
    application_name: 'faults',
    types: typeParsers,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined) // the server may be taken away under it
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Waits in real time. */
export function pause(ms: number): Promise<void> {
  return monotonicTime.sleep(ms)
}
