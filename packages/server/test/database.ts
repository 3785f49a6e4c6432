import { onTestFinished, inject } from 'vitest'
import pg from 'pg'
import { createDatabase, type Db } from '../src/db/pool.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { type KeptDatabase, keepDatabase } from './kept-databases.ts'
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
/** Databases that are like their template and wait for a test, the one that waits longest first. */
const waiting: KeptDatabase[] = []
/** Number of databases that wait in a process: each has up to a dozen connections. */
const MOST_WAITING = 3
/** What makes and removes databases: one connection of each process. */
let administrator: Promise<pg.Client> | null = null

/**
 * A fresh database like the migrated template: a copy of it, or one that an earlier test of this process had, with its
 * rows put back.
 *
 * In `beforeAll`, end it with `afterAll(() => database.drop())`; inside a test it ends with the test.
 *
 * @param options.runtime whose log the database's connections write to; default: a silent one
 * @param options.isMigrated false for an empty database of its own, for tests of the migrations themselves
 * @param options.template what `databaseTemplate` made, in place of an empty database on the newest schema
 */
export async function testDatabase(
  options: { runtime?: Pick<Runtime, 'monotonic' | 'log'>; isMigrated?: boolean; template?: string } = {},
): Promise<TestDatabase> {
  const template = options.isMigrated === false ? null : (options.template ?? templateName())
  const place = waiting.findLastIndex((one) => one.template === template)
  const [kept = await copyOf(template)] = place === -1 ? [] : waiting.splice(place, 1)
  const { url } = kept
  const db = kept.lend(options.runtime ?? testRuntime())
  const clients: pg.Client[] = []
  let dropping: Promise<void> | null = null
  const drop = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.end()))
    if (await kept.restore()) waiting.push(kept)
    else await remove(kept)
    if (waiting.length > MOST_WAITING) await Promise.all(waiting.splice(0, 1).map(remove))
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

/** Files are copied: through the log it would take three times as long. */
async function copyOf(template: string | null): Promise<KeptDatabase> {
  const name = `fairball_test_${process.pid}_${++counter}_${inject('databaseRun')}`
  await administer(`create database ${name} template ${template ?? 'template0'} strategy file_copy`)
  return await keepDatabase(name, databaseAddress(inject('databaseServer'), name), template)
}

async function remove(kept: KeptDatabase): Promise<void> {
  await kept.end()
  await administer(`drop database if exists ${kept.name} with (force)`)
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
  const template = `${templateName()}_${name}`
  await administer(`create database ${template} template ${templateName()} strategy file_copy`)
  const db = createDatabase({ address: databaseAddress(inject('databaseServer'), template), runtime })
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

async function administer(text: string): Promise<void> {
  administrator ??= connectedTo(inject('databaseServer'))
  await (await administrator).query(text)
}

async function connectedTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // the server may stop before this process
  await client.connect()
  return client
}
