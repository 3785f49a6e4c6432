import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createDatabase, databaseAddress, type Db, migrate, typeParsers } from '@fairball/server/testing/database'
import { testRuntime } from '@fairball/server/testing/runtime'
import { SharedConnections } from './shared-connections.ts'

/**
 * A PostgreSQL for simulations. Its template has the newest schema and a started lottery, and is copied for each seed.
 */
export interface SimulationServer {
  readonly url: string
  readonly template: string
  /** connected to the maintenance database */
  readonly administrator: pg.Pool
  close(): Promise<void>
}

/** The database of one seed, and the simulation's own connections to it. */
export interface SeedDatabase {
  readonly url: string
  /** A separate connection from those of the processes: its queries are not steps. */
  readonly observer: pg.Client
  /** The same for statements of the program. */
  readonly db: Db
  /** The connections of the processes. */
  readonly connections: SharedConnections
  drop(): Promise<void>
}

/**
 * A deadlock is detected immediately by the transaction that closes it. Each statement is planned once per connection,
 * because a seed's tables are small and planning took most of its time.
 */
const SETTINGS = '-c deadlock_timeout=2ms -c plan_cache_mode=force_generic_plan'

let counter = 0

/**
 * Prepares a server for simulations.
 *
 * @param begin sets up the lottery on the migrated template, so that no seed has to open its draws first
 * @param base the template to begin with
 */
export async function prepareServer(
  url: string,
  begin: (db: Db) => Promise<void>,
  base = 'template0',
): Promise<SimulationServer> {
  const template = `fairball_sim_${randomBytes(4).toString('hex')}`
  const administrator = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 })
  administrator.on('error', () => undefined) // the server is stopped while it is connected
  await administrator.query(`create database ${template} template ${base} strategy file_copy`)
  const address = databaseAddress(url, template)
  await migrate({ address, runtime: testRuntime() })
  const db = createDatabase({ address, runtime: testRuntime(), poolSize: 2 })
  await begin(db)
  await db.close()
  const close = async (): Promise<void> => {
    await administrator.query(`drop database if exists ${template} with (force)`)
    await administrator.end()
  }
  return { url, template, administrator, close }
}

/** Copies the template's files for one seed: a copy through the write-ahead log would take three times as long. */
export async function seedDatabase({
  url: serverUrl,
  template,
  administrator,
}: SimulationServer): Promise<SeedDatabase> {
  const name = `${template}_${process.pid}_${++counter}`
  await administrator.query(`create database ${name} template ${template} strategy file_copy`)
  const address = new URL(databaseAddress(serverUrl, name))
  address.searchParams.set('options', SETTINGS)
  const url = address.href
  const observer = new pg.Client({ connectionString: url, application_name: 'observer', types: typeParsers })
  observer.on('error', () => undefined) // the database is dropped while it is connected
  await observer.connect()
  return {
    url,
    observer,
    // Not one of the processes' connections: a planted bug changes statements there.
    db: createDatabase({ address: url, runtime: testRuntime(), poolSize: 1, applicationName: 'observer' }),
    connections: new SharedConnections(url),
    drop: async () => void (await administrator.query(`drop database if exists ${name} with (force)`)),
  }
}
