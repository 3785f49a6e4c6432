import { inject } from 'vitest'
import pg from 'pg'
import { CONSOLE_ROLE } from '../src/db/grants.ts'
import { createDatabase, type Db } from '../src/db/pool.ts'
import { CONSOLE_POOL_SIZE, CONSOLE_STATEMENT_MS } from '../src/main/console-app.ts'
import type { TestRuntime } from '../src/runtime/test-runtime.ts'
import { databaseAddress } from './test-server.ts'

/** A database as the console's process has it: by a login of the console's role, for reading alone. */
export async function consoleLogin(
  rows: (text: string) => Promise<readonly Record<string, unknown>[]>,
  runtime: TestRuntime,
): Promise<{ readonly db: Db; end(): Promise<void> }> {
  const [here] = await rows('select current_database() as name')
  const name = String(here?.['name'])
  const login = `reads_${name}`
  const server = inject('databaseServer')
  const administer = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: databaseAddress(server, name) })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await administer(`create role ${login} login in role ${CONSOLE_ROLE}`)
  const url = new URL(databaseAddress(server, name))
  url.username = login
  const db = createDatabase({
    address: url.href,
    runtime,
    poolSize: CONSOLE_POOL_SIZE,
    statementTimeoutMs: CONSOLE_STATEMENT_MS,
    areStatementsReadOnly: true,
  })
  return {
    db,
    async end() {
      await db.close()
      await administer(`drop role ${login}`)
    },
  }
}
