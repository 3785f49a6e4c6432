import { onTestFinished, inject } from 'vitest'
import pg from 'pg'
import { createDatabase, type Db } from '../src/db/pool.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { databaseAddress, TEMPLATE } from './test-server.ts'

/** The own database of one test file, on the newest schema and empty. */
export interface TestDatabase {
  readonly db: Db
  /** Its `postgres://` address, for code that opens its own connection. */
  readonly url: string
  /** A plain connection, for reading what no statement of the program shows. Ended with the database. */
  connect(): Promise<pg.Client>
  /** Ends the connections and removes the database; called automatically at the end of a test if made inside one. */
  drop(): Promise<void>
}

let counter = 0

/**
 * Makes a fresh database as a copy of the migrated template. Its files are copied: through the log it would take three
 * times as long.
 *
 * In `beforeAll`, end it with `afterAll(() => database.drop())`; inside a test it ends with the test.
 *
 * @param options.runtime whose log the database's connections write to; default: a silent one
 * @param options.isMigrated false for an empty database, for tests of the migrations themselves
 * @param options.template what `databaseTemplate` made, in place of an empty database on the newest schema
 */
export async function testDatabase(
  options: {
    runtime?: Pick<Runtime, 'monotonic' | 'log'>
    isMigrated?: boolean
    template?: string
    poolSize?: number
  } = {},
): Promise<TestDatabase> {
  const serverUrl = inject('databaseServer')
  const name = `fairball_test_${process.pid}_${++counter}_${inject('databaseRun')}`
  const template = options.isMigrated === false ? 'template0' : (options.template ?? templateName())
  await administer(serverUrl, `create database ${name} template ${template} strategy file_copy`)

  const url = databaseAddress(serverUrl, name)
  const runtime = options.runtime ?? testRuntime()
  const db = createDatabase({ address: url, runtime, poolSize: options.poolSize ?? 10 })
  const clients: pg.Client[] = []
  let dropping: Promise<void> | null = null
  const drop = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.end()))
    await db.close(1_000)
    await administer(serverUrl, `drop database if exists ${name} with (force)`)
  }
  const database: TestDatabase = {
    db,
    url,
    async connect() {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => undefined) // the database may be removed under it
      await client.connect()
      clients.push(client)
      return client
    },
    drop: () => (dropping ??= drop()),
  }
  dropWithTest(database)
  return database
}

/**
 * Fills a database for copies of it, which remains until the end of the run.
 *
 * @param fill must end its own use of the database
 * @returns its name
 */
export async function databaseTemplate(
  name: string,
  runtime: Pick<Runtime, 'monotonic' | 'log'>,
  fill: (db: Db) => Promise<void>,
): Promise<string> {
  const serverUrl = inject('databaseServer')
  const template = `${templateName()}_${name}`
  await administer(serverUrl, `create database ${template} template ${templateName()} strategy file_copy`)
  const db = createDatabase({ address: databaseAddress(serverUrl, template), runtime })
  try {
    await fill(db)
  } finally {
    await db.close()
  }
  return template
}

function templateName(): string {
  return `${TEMPLATE}_${inject('databaseRun')}`
}

/** Outside a test (in `beforeAll`) Vitest has no end to wait for: there the caller drops. */
function dropWithTest(database: TestDatabase): void {
  try {
    onTestFinished(() => database.drop())
  } catch {
    return
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
