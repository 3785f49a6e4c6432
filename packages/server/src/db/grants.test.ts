import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { CONSOLE_GRANTS, CONSOLE_PREFIX, CONSOLE_ROLE, NOT_FOR_WEB, WEB_GRANTS, WEB_ROLE } from './grants.ts'
import { migrate } from './migrate.ts'
import { makeRole } from './roles.ts'
import { registeredStatements } from './sql.ts'

const REFUSED = '42501'
const SOURCES = join(import.meta.dirname, '..')
/** The modules whose statements players need, and those of them that only the worker's jobs run. */
const ASKED = /^(?:accounts|content|games|http|processes|results)\./u
const OF_JOBS = ['accounts.answer-destination-check', 'accounts.release-email', 'accounts.remove-old-exclusions']

interface Table {
  readonly name: string
  readonly isView: boolean
  readonly columns: string[]
}

/** Every table and view of the schema except the parts of `entries`, with the columns that are written. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, c.relkind in ('v', 'm') as "isView", array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      group by c.relname, c.relkind order by c.relname`,
  )
  return rows
}

/** Whether the database refuses a statement for want of a right; other errors count for views, not all of which take changes. */
async function isRefused(client: pg.Client, text: string, isView = false): Promise<boolean> {
  await client.query('begin')
  const error: unknown = await client.query(text).then(
    () => null,
    (reason: unknown) => reason,
  )
  await client.query('rollback')
  return error instanceof pg.DatabaseError && (isView || error.code === REFUSED)
}

/** A role's actual rights on a table, in the format of WEB_GRANTS; columns only if not all of them. */
async function found(client: pg.Client, { name, columns, isView }: Table): Promise<string[]> {
  const allowed = async (statement: (column: string) => string): Promise<string[]> => {
    const may: string[] = []
    for (const column of columns) if (!(await isRefused(client, statement(column), isView))) may.push(column)
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
    ...((await isRefused(client, `delete from "${name}"`, isView)) ? [] : ['delete']),
    ...((await isRefused(client, `truncate "${name}"`, isView)) ? [] : ['truncate']),
  ]
}

/** What a role may do with each table and view. */
async function foundAll(client: pg.Client, role: string, tables: readonly Table[]): Promise<Record<string, string[]>> {
  await client.query(`set role ${role}`)
  const is: Record<string, string[]> = {}
  for (const table of tables) is[table.name] = await found(client, table)
  return inOrder(is)
}

const isOfConsole = ({ name, isView }: Table): boolean => isView && name.startsWith(CONSOLE_PREFIX)

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
    const not = [...NOT_FOR_WEB, ...tables.filter(isOfConsole).map(({ name }) => name)]
    const decided = { ...WEB_GRANTS, ...Object.fromEntries(not.map((name) => [name, []])) }
    expect(await foundAll(client, WEB_ROLE, tables)).toEqual(inOrder(decided))
  })

  it('the role writes nothing that money leaves by, nothing of the log and nothing of the operator', () => {
    const FORBIDDEN =
      /^(?:payout|payable|refund|posting|transfer|ledger|statement|operator|staff|treasury|system_state|settings|game_versions|wins)/u
    for (const [table, texts] of Object.entries(WEB_GRANTS))
      if (FORBIDDEN.test(table))
        expect([table, texts.filter((text) => !text.startsWith('select'))]).toEqual([table, []])
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
    // It may make no schema for the checks of the database either.
    expect(runtime.logged.filter(({ check }) => check === undefined)).toMatchObject(
      [WEB_ROLE, CONSOLE_ROLE].map((role) => ({ level: 'warn', msg: expect.stringContaining(role) as string })),
    )
    await client.query(`drop owned by ${login}`)
  })
})

describe('the role fairball_console', () => {
  it('the role reads its views and what was decided for it, and writes nothing else', async () => {
    const client = await (await testDatabase()).connect()
    const tables = await tablesOf(client)
    const usual = tables.map((table): [string, string[]] => [table.name, isOfConsole(table) ? ['select'] : []])
    expect(await foundAll(client, CONSOLE_ROLE, tables)).toEqual(
      inOrder({ ...Object.fromEntries(usual), ...CONSOLE_GRANTS }),
    )
  })

  it('the role writes nothing but what people sign, their sessions and the counts of their keys', () => {
    const changing = Object.entries(CONSOLE_GRANTS).flatMap(([table, texts]) =>
      texts.filter((text) => !text.startsWith('select')).map((text) => `${text} on ${table}`),
    )
    const allowed =
      /^(?:insert(?: \([\w, ]+\))? on (?:operator_requests|operator_signatures|console_challenges|staff_sessions)|update \([\w, ]+\) on staff_(?:keys|sessions)|delete on console_files)$/u
    expect(changing.filter((text) => !allowed.test(text))).toEqual([])
  })

  it('no view for the console has a column that holds a seed, a secret, a key, a token or a hash of one', async () => {
    const client = await (await testDatabase()).connect()
    const SECRET = /seed(?!_hash)|secret|password|token|sealed|recovery|preimage|proof|^hash$|answer/u
    const shown = (await tablesOf(client))
      .filter(isOfConsole)
      .flatMap(({ name, columns }) =>
        columns.filter((column) => SECRET.test(column)).map((column) => `${name}.${column}`),
      )
    // The hash of an audit row is public.
    expect(shown.filter((one) => one !== 'console_audit.hash')).toEqual([])
  })

  it('a view for the console that leaves rows out is a barrier: a condition that fails cannot tell what they hold', async () => {
    const client = await (await testDatabase()).connect()
    const { rows } = await client.query<{ name: string }>(
      `select relname::text as name from pg_class where relkind = 'v' and starts_with(relname, $1)
        and pg_get_viewdef(oid) ~* '\\mwhere\\M' and not coalesce(reloptions @> array['security_barrier=true'], false)`,
      [CONSOLE_PREFIX],
    )
    expect(rows).toEqual([])
    await client.query(`insert into system_state (key, value) values ('demo.clock-offset', '60'), ('other', 'a word')
      on conflict (key) do update set value = excluded.value`)
    await client.query(`set role ${CONSOLE_ROLE}`)
    const { rows: read } = await client.query('select value from console_demo_clock where value::int > 0')
    expect(read).toEqual([{ value: '60' }])
  })

  it('the role alone may call a function for the console, from the next start on, and gets a new view', async () => {
    const database = await testDatabase()
    const client = await database.connect()
    await client.query(`create function console_known(x text) returns text language sql security definer as $$ select x $$;
      create view console_new as select key from games; grant select on payouts to ${CONSOLE_ROLE}`)
    await migrate({ address: database.url, runtime: testRuntime() })
    const tries = [`select console_known('a')`, 'select key from console_new', 'select id from payouts']
    const refused: Record<string, boolean[]> = {}
    for (const role of [CONSOLE_ROLE, WEB_ROLE]) {
      await client.query(`set role ${role}`)
      refused[role] = []
      for (const text of tries) refused[role].push(await isRefused(client, text))
      await client.query('reset role')
    }
    expect(refused).toEqual({ [CONSOLE_ROLE]: [false, false, true], [WEB_ROLE]: [true, true, false] })
  })
})
