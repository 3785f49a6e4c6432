import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createDatabase, databaseAddress, type Db, migrate, typeParsers } from '@fairball/server/testing/database'
import { testRuntime } from '@fairball/server/testing/runtime'

/**
 * A PostgreSQL for simulations. Its template has the newest schema and a started lottery, and is copied for each seed.
 */
export interface SimulationServer {
  readonly url: string
  readonly template: string
  close(): Promise<void>
}

/** The database of one seed, and the simulation's own connection to it. */
export interface SeedDatabase {
  readonly url: string
  /** A separate connection from those of the processes: its queries are not steps. */
  readonly observer: pg.Client
  /** The same for statements of the program. */
  readonly db: Db
  drop(): Promise<void>
}

/**
 * A deadlock is detected immediately by the transaction that closes it. Each statement is planned once per connection,
 * because a seed's tables are small and planning took most of its time.
 */
const SETTINGS = [`deadlock_timeout = '2ms'`, 'plan_cache_mode = force_generic_plan']

let counter = 0

/**
 * Prepares a server for simulations.
 *
 * @param begin sets up the lottery on the migrated template, so that no seed has to open its draws first
 */
export async function prepareServer(url: string, begin: (db: Db) => Promise<void>): Promise<SimulationServer> {
  const template = `fairball_sim_${randomBytes(4).toString('hex')}`
  await administer(url, `create database ${template} template template0`)
  const address = databaseAddress(url, template)
  await migrate({ address, runtime: testRuntime() })
  const db = createDatabase({ address, runtime: testRuntime(), poolSize: 2 })
  await begin(db)
  await db.close()
  return { url, template, close: () => administer(url, `drop database if exists ${template} with (force)`) }
}

/** Copies the template's files for one seed: a copy through the write-ahead log would take three times as long. */
export async function seedDatabase(server: SimulationServer): Promise<SeedDatabase> {
  const name = `${server.template}_${process.pid}_${++counter}`
  await administer(server.url, `create database ${name} template ${server.template} strategy file_copy`)
  const url = databaseAddress(server.url, name)
  const observer = new pg.Client({ connectionString: url, application_name: 'observer', types: typeParsers })
  observer.on('error', () => undefined) // the database is dropped while it is connected
  await observer.connect()
  for (const setting of SETTINGS) await observer.query(`alter database ${name} set ${setting}`)
  const db = createDatabase({ address: url, runtime: testRuntime(), poolSize: 1, applicationName: 'observer' })
  return {
    url,
    observer,
    db,
    async drop() {
      await observer.end()
      await db.close(100)
      await administer(server.url, `drop database if exists ${name} with (force)`)
    },
  }
}

async function administer(serverUrl: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
