import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/db/migrate.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { databaseAddress, startTestServer, TEMPLATE, type TestServer } from './test-server.ts'

/** The kept databases of two processes have connections of their own beside those of the running tests. */
const MOST_CONNECTIONS = 300

/** One PostgreSQL for the whole test run, with a migrated template that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = randomBytes(4).toString('hex')
  const server = await startServer()
  const template = `${TEMPLATE}_${run}`
  try {
    await administer(server.url, `create database ${template} template template0`)
    await migrate({ address: databaseAddress(server.url, template), runtime: testRuntime() })
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('databaseServer', server.url)
  project.provide('databaseRun', run)
  return async () => {
    await dropDatabases(server.url, run)
    await server.stop()
  }
}

/** `TEST_DATABASE_URL`, or one that leaves nothing behind. */
async function startServer(): Promise<TestServer> {
  const outside = process.env['TEST_DATABASE_URL']
  if (outside !== undefined && outside !== '') return { url: outside, stop: () => Promise.resolve() }
  const server = await startTestServer(MOST_CONNECTIONS)
  // Each test has connections of its own, and small tables: planning a statement again each time would take longer than
  // running it.
  await administer(server.url, `alter role current_user set plan_cache_mode = force_generic_plan`)
  return server
}

/** Drops a run's templates and the databases that its tests have kept. */
async function dropDatabases(url: string, run: string): Promise<void> {
  const found = await administer(
    url,
    `select datname as name from pg_database where datname ~ '^(${TEMPLATE}|fairball_test)_.*${run}'`,
  )
  for (const { name } of found) await administer(url, `drop database if exists ${name} with (force)`)
}

async function administer(url: string, text: string): Promise<{ name: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ name: string }>(text)).rows
  } finally {
    await client.end()
  }
}
