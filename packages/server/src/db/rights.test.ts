import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { loginIn } from '../../test/logins.ts'
import { grantsText } from '../modules/operator/grants-commands.ts'
import { monotonicTime } from '../runtime/system-runtime.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { CONSOLE_ROLE, WEB_ROLE } from './grants.ts'
import { awaitMigrated, migrate } from './migrate.ts'

/** A migrated database, and a start of the console or of a web process with a login that is in `role`. */
async function starting(role: string, waiter: 'console' | 'web') {
  const database = await testDatabase()
  const runtime = testRuntime()
  await migrate({ address: database.url, runtime }) // the rights of a whole database are not copied
  const owner = await database.connect()
  await owner.query(`insert into games (key, position) values ('a-game', 1)`)
  const { login, url } = await loginIn(database, role)
  const start = (address: string = url) =>
    awaitMigrated({
      address,
      runtime: { ...runtime, monotonic: monotonicTime },
      signal: new AbortController().signal,
      waiter,
      longestWaitMs: 0,
    })
  return { database, owner, login, start }
}

it('the console starts with a login that is only a member of its role', async () => {
  const { start } = await starting(CONSOLE_ROLE, 'console')
  await expect(start()).resolves.toBeUndefined()
})

it('the console is refused with the login of the owner, which may do everything', async () => {
  const { database, start } = await starting(CONSOLE_ROLE, 'console')
  await expect(start(database.url)).rejects.toThrow(
    /may do more than fairball_console: everything, since the tables are/u,
  )
})

it.each<[what: string, grant: (login: string) => string, says: string]>([
  ['may write a table', (login) => `grant insert on payouts to ${login}`, 'insert payouts'],
  ['may read a table', (login) => `grant select on players to ${login}`, 'select players'],
  [
    'may change a column',
    (login) => `grant update (seal) on player_addresses to ${login}`,
    'update player_addresses (seal)',
  ],
  ['may change a view', (login) => `grant delete on console_schema to ${login}`, 'delete console_schema'],
  ['is a member of another role', (login) => `grant ${WEB_ROLE} to ${login}`, 'it is a member of fairball_web'],
  ['may create roles', (login) => `alter role ${login} createrole`, 'create roles'],
  ['may create tables', (login) => `grant create on schema public to ${login}`, 'create tables'],
  [
    'may act for the owner',
    (login) => `grant execute on function forget_addresses(bigint, bigint) to ${login}`,
    'execute forget_addresses(bigint,bigint)',
  ],
])('the console is refused with a login that %s, and says so', async (_what, grant, says) => {
  const { owner, login, start } = await starting(CONSOLE_ROLE, 'console')
  await owner.query(grant(login))
  await expect(start()).rejects.toThrow(says)
})

it('what all may do on the database counts as well: temporary tables', async () => {
  const { owner, start } = await starting(CONSOLE_ROLE, 'console')
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  await owner.query(`grant temporary on database ${rows[0]?.name} to public`)
  await expect(start()).rejects.toThrow('create temporary tables')
})

it('a web process is refused with a login that may more than its role and does not own the tables', async () => {
  const { owner, login, start } = await starting(WEB_ROLE, 'web')
  await expect(start()).resolves.toBeUndefined()
  await owner.query(`grant insert on payouts to ${login}`)
  await expect(start()).rejects.toThrow('may do more than fairball_web: insert payouts')
})

it('the console waits for a worker, and says what the database lacks', async () => {
  const { owner, start } = await starting(CONSOLE_ROLE, 'console')
  await owner.query(`insert into schema_migrations values (9999, '9999_later.sql', '', 0)`)
  await expect(start()).rejects.toThrow(
    'The database has migration 9999, which this version of the program does not know',
  )
  await owner.query('delete from schema_migrations where version > 50')
  await expect(start()).rejects.toThrow('The database is not ready for the console: it lacks the migration 0051_')

  const empty = await testDatabase({ isMigrated: false })
  const { url } = await loginIn(empty, CONSOLE_ROLE)
  await expect(start(url)).rejects.toThrow('relation "console_schema" does not exist')
})

it('the login that an operator makes by the printed lines is what the console wants', async () => {
  const database = await testDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(() => client.end())
  // A database that no migration granted anything in.
  await client.query(`revoke all on all tables in schema public from ${CONSOLE_ROLE}`)
  await client.query(await grantsText(database.db))
  const { url } = await loginIn(database, CONSOLE_ROLE)
  await expect(
    awaitMigrated({
      address: url,
      runtime: testRuntime(),
      signal: new AbortController().signal,
      waiter: 'console',
      longestWaitMs: 0,
    }),
  ).resolves.toBeUndefined()
})
