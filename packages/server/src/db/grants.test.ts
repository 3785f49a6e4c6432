import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { makeRole, NOT_FOR_WEB, WEB_GRANTS, WEB_ROLE } from './grants.ts'
import { migrate } from './migrate.ts'
import { registeredStatements } from './sql.ts'

const REFUSED = '42501'
const SOURCES = join(import.meta.dirname, '..')
/** The modules whose statements players need, and those of them that only the worker's jobs run. */
const ASKED = /^(?:accounts|content|games|http|processes|results)\./u
const OF_JOBS = ['accounts.answer-destination-check', 'accounts.release-email', 'accounts.remove-old-exclusions']

/** Every table of the schema except the parts of `entries`, with its columns. */
async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      group by c.relname order by c.relname`,
  )
  return rows
}

/** Whether the database refuses a statement for want of a right; other errors do not count. */
async function isRefused(client: pg.Client, text: string): Promise<boolean> {
  await client.query('begin')
  const error: unknown = await client.query(text).then(
    () => null,
    (reason: unknown) => reason,
  )
  await client.query('rollback')
  return error instanceof pg.DatabaseError && error.code === REFUSED
}

/** A role's actual rights on a table, in the format of WEB_GRANTS; columns only if not all of them. */
async function found(client: pg.Client, { name, columns }: { name: string; columns: string[] }): Promise<string[]> {
  const allowed = async (statement: (column: string) => string): Promise<string[]> => {
    const may: string[] = []
    for (const column of columns) if (!(await isRefused(client, statement(column)))) may.push(column)
    return may
  }
  const told = (what: string, may: string[]): string[] => {
    if (may.length === 0) return []
    return [may.length === columns.length ? what : `${what} (${may.join(', ')})`]
  }
  return [
    ...told('select', await allowed((column) => `select "${column}" from "${name}" limit 0`)),
    ...told(
      'insert',
      await allowed((column) => `insert into "${name}" ("${column}") overriding system value select null where false`),
    ),
    ...told('update', await allowed((column) => `update "${name}" set "${column}" = default where false`)),
    ...((await isRefused(client, `delete from "${name}"`)) ? [] : ['delete']),
    ...((await isRefused(client, `truncate "${name}"`)) ? [] : ['truncate']),
  ]
}

const inOrder = (grants: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(grants).map(([table, texts]) => [
      table,
      texts.map((text) =>
        text.replace(/\((.*)\)/u, (_, list: string) => `(${list.split(', ').toSorted().join(', ')})`),
      ),
    ]),
  )

describe('the role fairball_web', () => {
  it('the role may do with each table what was decided for it, and a new table is decided', async () => {
    const client = await (await testDatabase()).connect()
    const tables = await tablesOf(client)
    await client.query(`set role ${WEB_ROLE}`)
    const is: Record<string, string[]> = {}
    for (const table of tables) is[table.name] = await found(client, table)
    const decided = { ...WEB_GRANTS, ...Object.fromEntries(NOT_FOR_WEB.map((name) => [name, []])) }
    expect(inOrder(is)).toEqual(inOrder(decided))
  })

  it('the role writes nothing that money leaves by, nothing of the log and nothing of the operator', () => {
    const FORBIDDEN =
      /^(?:payout|payable|refund|posting|transfer|ledger|statement|operator|treasury|system_state|wins)/u
    for (const [table, texts] of Object.entries(WEB_GRANTS))
      if (FORBIDDEN.test(table)) expect([table, texts]).toEqual([table, ['select']])
    expect(WEB_GRANTS['player_addresses']?.join()).not.toMatch(/seal|paid_from/u)
  })

  it('the role may run every statement of the modules that answer players', async () => {
    for (const file of await readdir(SOURCES, { recursive: true }))
      if (/(^|\/)[a-z-]*queries\.ts$/u.test(file)) await import(join(SOURCES, file))
    const client = await (await testDatabase()).connect()
    await client.query(`set role ${WEB_ROLE}`)
    const refused: string[] = []
    for (const { name, text } of registeredStatements().filter((one) => ASKED.test(one.name)))
      if (await isRefused(client, `explain (generic_plan) ${text}`)) refused.push(name)
    expect(refused).toEqual(OF_JOBS)
  })

  it.each([
    ['a table', 'create table mine (id int)'],
    ['a table for a moment', 'create temporary table players (id int)'],
    ['a function', 'create function mine() returns int language sql as $$ select 1 $$'],
    ['a column', 'alter table players add column mine int'],
    ['a trigger', 'drop trigger postings_append_only on postings'],
    ['another role', `create role mine`],
    ['the rights of the owner', 'select remember_forgotten_address()'],
  ])('the role may not create or remove %s', async (_what, text) => {
    const database = await testDatabase()
    await migrate({ address: database.url, runtime: testRuntime() }) // the rights of a whole database are not copied
    const client = await database.connect()
    await client.query(`set role ${WEB_ROLE}`)
    expect(await isRefused(client, text)).toBe(true)
  })

  it('the role gets its rights back at the next start, and loses any others, such as on the seeds of draws', async () => {
    const database = await testDatabase()
    const client = await database.connect()
    await client.query(`revoke select on players from ${WEB_ROLE}; grant update (seal) on player_addresses to ${WEB_ROLE};
      grant insert on payouts to ${WEB_ROLE}; grant select on draws to ${WEB_ROLE}`)
    await migrate({ address: database.url, runtime: testRuntime() })
    await client.query(`set role ${WEB_ROLE}`)
    const tries = [
      'select id from players limit 0',
      'select id, seed_hash from draws limit 0',
      'select seed_sealed from draws limit 0',
      'update player_addresses set seal = null',
      'insert into payouts default values',
    ]
    const refused: boolean[] = []
    for (const text of tries) refused.push(await isRefused(client, text))
    expect(refused).toEqual([false, false, true, true, true])
  })

  it('the role is created once, however many databases of a cluster are migrated at the same moment', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => testDatabase({ isMigrated: false })))
    const clients = await Promise.all([...databases, ...databases, ...databases].map(({ connect }) => connect()))
    const name = `made_at_once_${process.pid}`
    await Promise.all(clients.map((client) => makeRole(client, name)))
    await clients[0]?.query(`drop role ${name}`)

    // The tests' template has created this cluster's role; each database grants its rights.
    await Promise.all(databases.map(({ url }) => migrate({ address: url, runtime: testRuntime() })))
    for (const { connect } of databases) {
      const { rows } = await (
        await connect()
      ).query(`select has_table_privilege('${WEB_ROLE}', 'players', 'select') as may`)
      expect(rows).toEqual([{ may: true }])
    }
  })

  it('a missing role is logged, and does not stop a start, if the login may not grant rights', async () => {
    const database = await testDatabase()
    const client = await database.connect()
    const login = `owner_${process.pid}`
    await client.query(
      `create role ${login} login; grant ${login} to current_user; grant select on schema_migrations to ${login}`,
    )
    onTestFinished(async () => {
      const admin = new pg.Client({ connectionString: database.url.replace(/fairball_test[^?]*/u, 'postgres') })
      await admin.connect()
      await admin.query(`drop role ${login}`)
      await admin.end()
    })
    await client.query(`revoke select on players from ${WEB_ROLE}; grant create on schema public to ${login}`)
    const runtime = testRuntime()
    const address = new URL(database.url)
    address.username = login
    await migrate({ address: address.href, runtime })
    expect(runtime.logged).toMatchObject([{ level: 'warn', msg: expect.stringContaining('fairball_web') as string }])
    await client.query(`drop owned by ${login}`)
  })
})
