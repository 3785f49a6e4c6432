// The baselines of trust.md section 3, measured next to the product in the same run, with the same client and number of
// connections.
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { SERVER_OPTIONS, SERVER_VARIABLES } from '../../product.ts'
import { closedLoop, type LoadResult, requestBytes } from './http-load.ts'

/** The baselines' database, on the product's server. */
export const BASELINE_DATABASE = 'bench_baselines'
/** Number of rows; each request reads or increments one. */
export const ROWS = 100_000
/** Number of connections set in trust.md section 3. */
export const CONNECTIONS = 32
/** Connections to PostgreSQL: as many as in the product's pool. */
const PGBENCH_CLIENTS = 10
/** pgbench's scale. With fewer branches than clients, the clients would wait for each other. */
const PGBENCH_SCALE = 20

const run = promisify(execFile)

const REQUESTS = {
  bare: requestBytes({ path: '/bare' }),
  row: requestBytes({ path: '/row' }),
  transaction: requestBytes({ method: 'POST', path: '/transaction' }),
  kept: requestBytes({ path: '/kept' }),
} as const
/**
 * A bare route, a row read through our pool, and a durable transaction of two statements: A, B and C of trust.md.
 * `kept` is A with the bytes that were last given to `keep`.
 */
export type BaselineName = keyof typeof REQUESTS

/** Baselines that can be measured repeatedly. */
export interface Baselines {
  /** Makes the bare route `kept` answer with these bytes. @param coding how they are compressed */
  keep(body: Buffer, coding: string): Promise<void>
  measure(name: BaselineName, seconds: number): Promise<LoadResult>
  stop(): Promise<void>
}

/** A connection to the product's own database. @param dataDir of a product that runs its own PostgreSQL */
export async function connectTo(dataDir: string, database = 'fairball'): Promise<pg.Client> {
  const client = new pg.Client({ host: join(dataDir, 'postgres'), port: 5432, user: 'fairball', database })
  await client.connect()
  return client
}

/** Creates the baselines' database on the product's server, and starts the process that serves it. */
export async function startBaselines(dataDir: string): Promise<Baselines> {
  const admin = await connectTo(dataDir)
  await admin.query(`create database ${BASELINE_DATABASE}`)
  await admin.end()
  const db = await connectTo(dataDir, BASELINE_DATABASE)
  await db.query('create table bench_rows (id int primary key, value int not null)')
  await db.query(
    'create table bench_events (id bigint generated always as identity primary key, row_id int, words text)',
  )
  await db.query('insert into bench_rows select n, 0 from generate_series(1, $1::int) as n', [ROWS])
  await db.query('vacuum analyze bench_rows')
  const { rows } = await db.query<{ synchronous_commit: string }>('show synchronous_commit')
  await db.end()
  if (rows[0]?.synchronous_commit !== 'on') throw new Error('the database of a baseline must be durable')

  const file = join(import.meta.dirname, 'baseline-server.ts')
  const server = fork(file, [join(dataDir, 'postgres')], {
    execArgv: SERVER_OPTIONS,
    env: { ...SERVER_VARIABLES, ...process.env },
  })
  const [port] = (await once(server, 'message')) as [number] // its only message
  return {
    async keep(body, coding) {
      const isKept = once(server, 'message')
      server.send({ coding, body: body.toString('base64') })
      await isKept
    },
    async measure(name, seconds) {
      const result = await closedLoop({ port, connections: CONNECTIONS, seconds, next: () => REQUESTS[name] })
      if (result.errors.size > 0) throw new Error(`the baseline ${name} failed: ${result.firstError}`)
      return result
    },
    async stop() {
      server.disconnect()
      await once(server, 'exit')
    },
  }
}

/**
 * Transactions a second of pgbench (TPC-B like: five statements and a commit), on the product's server, with as many
 * connections as the product's pool; null without pgbench.
 */
export async function measurePgbench(dataDir: string, seconds: number): Promise<number | null> {
  const database = 'bench_pgbench'
  const admin = await connectTo(dataDir)
  await admin.query(`create database ${database}`)
  await admin.end()
  const place = ['--host', join(dataDir, 'postgres'), '--port', '5432', '--username', 'fairball']
  try {
    await run('pgbench', [...place, '--initialize', '--quiet', '--scale', String(PGBENCH_SCALE), database])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const clients = ['--client', String(PGBENCH_CLIENTS), '--jobs', '2', '--protocol', 'prepared']
  const { stdout } = await run('pgbench', [...place, ...clients, '--time', String(seconds), database])
  const tps = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  if (!(tps > 0)) throw new Error(`pgbench reported no rate: ${stdout}`)
  return tps
}

/** Explains a missing baseline. */
export const NO_PGBENCH = "pgbench is not installed, so D is left out; it is in Debian's postgresql-contrib"
