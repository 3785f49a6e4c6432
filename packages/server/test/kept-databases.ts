import pg from 'pg'
import { createDatabase, type Db } from '../src/db/pool.ts'
import { DatabaseUnavailable } from '../src/db/database-errors.ts'
import type { Logger, Runtime } from '../src/runtime/runtime.ts'

// A new database with new connections costs as much as all that a short test does in it. So a test's database is
// emptied to the rows of its template and given to the next test with its connections, whose statements are planned.
// One in which a test has changed more than rows, or left something running, is not kept.

/** A database that one test after the other is given. */
export interface KeptDatabase {
  readonly name: string
  readonly url: string
  /** What it is a copy of; null for one that is never restored. */
  readonly template: string | null
  /** The database for one more test. */
  lend(runtime: TestRuntime): Db
  /** Puts back the rows of the template. @returns false if it is no longer like the template: it must be dropped */
  restore(): Promise<boolean>
  end(): Promise<void>
}

type TestRuntime = Pick<Runtime, 'monotonic' | 'log'>

/** What a template holds. */
interface Contents {
  /** Empties every table. */
  readonly empty: string
  /** Fills each table that has rows, from a parameter of JSON. */
  readonly fills: readonly { readonly name: string; readonly text: string; readonly rows: string }[]
  readonly sequences: readonly [names: string[], values: string[], areUsed: boolean[]]
  /** Counts and newest changes of the catalogue. */
  readonly shape: string
}

/** A connection that restores a database, and what it restores. */
interface Desk {
  readonly client: pg.Client
  readonly contents: Contents
}

/** How long what a test has ended may take to end, in turns of 20 ms. */
const TURNS_TO_END = 25

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`

// The newest change is the one of the smallest age: as a number, not as a text, which takes twice as long.
const SHAPE = `select concat_ws(' ', ${['class', 'attribute', 'constraint', 'trigger', 'proc', 'namespace', 'policy']
  .map((name) => `(select concat(count(*), '/', age('3'::xid) - min(age(xmin))) from pg_${name})`)
  .join(', ')}, (select count(*) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database())) as shape`

const OTHERS = `select
    count(*) filter (where a.pid <> pg_backend_pid())::int as sessions,
    count(*) filter (where a.pid <> pg_backend_pid() and a.state <> 'idle')::int as busy,
    (select count(*)::int from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()) as locks
  from pg_stat_activity a where a.datname = current_database() and a.backend_type = 'client backend'`

/** The contents of each template, read from the first copy of it. */
const known = new Map<string, Promise<Contents>>()

/** Takes care of a new database. @param template see `KeptDatabase` */
export async function keepDatabase(name: string, url: string, template: string | null): Promise<KeptDatabase> {
  const desk = template === null ? null : await openDesk(url, template)
  let runtime: TestRuntime
  let isDisturbed = false
  const holder: TestRuntime = {
    get monotonic() {
      return runtime.monotonic
    },
    log: handedOn(
      () => runtime.log,
      () => (isDisturbed = true),
    ),
  }
  let db: Db | null = null
  let lent: LentDatabase | null = null
  let hasListened = false

  const isFit = async ({ client, contents }: Desk): Promise<boolean> => {
    for (let turn = 0; turn < TURNS_TO_END; turn += 1) {
      const [found] = (await client.query<{ sessions: number; busy: number; locks: number }>(OTHERS)).rows
      const { inUse, idle } = db?.poolUse() ?? { inUse: 0, idle: 0 }
      const own = inUse + idle + (hasListened ? 1 : 0)
      if (found !== undefined && found.sessions <= own && found.busy + found.locks + inUse === 0)
        return (await shapeOf(client)) === contents.shape
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return false
  }

  return {
    name,
    url,
    template,
    lend(next) {
      runtime = next
      db ??= createDatabase({ address: url, runtime: holder, poolSize: 10 })
      lent = new LentDatabase(db, next)
      return lent
    },
    async restore() {
      hasListened ||= lent?.hasListened === true
      await lent?.close(1_000)
      if (desk === null || isDisturbed || lent?.isIdle() === false) return false
      try {
        if (!(await isFit(desk))) return false
        await fill(desk)
        return true
      } catch {
        return false
      }
    },
    async end() {
      await desk?.client.end().catch(() => undefined)
      await db?.close(1_000)
    },
  }
}

/** The database of one test: closed with it, while its connections stay open for the next. */
class LentDatabase implements Db {
  readonly #db: Db
  readonly #runtime: TestRuntime
  readonly #work = new Set<Promise<unknown>>()
  readonly #listening = new Set<() => Promise<void>>()
  #closing: Promise<void> | null = null
  hasListened = false

  constructor(db: Db, runtime: TestRuntime) {
    this.#db = db
    this.#runtime = runtime
  }

  readonly run: Db['run'] = (statement, args) => this.#during(() => this.#db.run(statement, args))
  readonly one: Db['one'] = (statement, args) => this.#during(() => this.#db.one(statement, args))
  readonly maybeOne: Db['maybeOne'] = (statement, args) => this.#during(() => this.#db.maybeOne(statement, args))
  readonly execute: Db['execute'] = (statement, args) => this.#during(() => this.#db.execute(statement, args))
  readonly notify: Db['notify'] = (channel, payload) => this.#during(() => this.#db.notify(channel, payload))
  readonly transaction: Db['transaction'] = (work, options) => this.#during(() => this.#db.transaction(work, options))
  readonly poolUse: Db['poolUse'] = () => this.#db.poolUse()

  readonly listen: Db['listen'] = async (channel, handler, onGap) => {
    this.hasListened = true
    const unlisten = await this.#during(() => this.#db.listen(channel, handler, onGap))
    this.#listening.add(unlisten)
    return async () => {
      this.#listening.delete(unlisten)
      await unlisten()
    }
  }

  close(limitMs = 5_000): Promise<void> {
    return (this.#closing ??= this.#close(limitMs))
  }

  /** Whether nothing that was asked of it is still going on. */
  isIdle(): boolean {
    return this.#work.size === 0
  }

  #during<T>(start: () => Promise<T>): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new DatabaseUnavailable('the database is closed'))
    const working = start()
    const settled = working.then(
      () => undefined,
      () => undefined,
    )
    this.#work.add(settled)
    void settled.then(() => this.#work.delete(settled))
    return working
  }

  async #close(limitMs: number): Promise<void> {
    const { monotonic, log } = this.#runtime
    await Promise.all([...this.#listening].map((unlisten) => unlisten()))
    const ended = new AbortController()
    const isOver = await Promise.race([
      Promise.all(this.#work).then(() => true),
      monotonic.sleep(limitMs, ended.signal).then(
        () => false,
        () => true,
      ),
    ])
    ended.abort()
    if (!isOver) log.warn({ limitMs }, 'the database was closed with work still in progress')
  }
}

/** A log that writes to the present one; `onTrouble` is called for each warning or error, such as of a lost connection. */
function handedOn(present: () => Logger, onTrouble: () => void): Logger {
  return new Proxy({} as Logger, {
    get(_target, level: keyof Logger) {
      if (level === 'warn' || level === 'error') onTrouble()
      const log = present()
      const value: unknown = Reflect.get(log, level)
      return typeof value === 'function' ? value.bind(log) : value
    },
  })
}

async function openDesk(url: string, template: string): Promise<Desk> {
  const client = new pg.Client({ connectionString: url, application_name: 'the desk of tests' })
  client.on('error', () => undefined) // the next query tells
  await client.connect()
  // Once: each change of it has every statement planned again.
  await client.query('set session_replication_role = replica')
  let reading = known.get(template)
  if (reading === undefined) {
    reading = contentsOf(client)
    known.set(template, reading)
  }
  return { client, contents: await reading }
}

async function shapeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>({ name: 'shape', text: SHAPE })
  return rows[0]?.shape ?? ''
}

async function contentsOf(client: pg.Client): Promise<Contents> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(TABLES)
  const deleting = tables.map(({ name }, place) => `t${place} as (delete from ${name})`)
  const fills: { name: string; text: string; rows: string }[] = []
  for (const { name, columns } of tables) {
    const { rows } = await client.query<{ all: string | null }>(`select json_agg(t)::text as all from ${name} t`)
    const all = rows[0]?.all ?? null
    if (all === null) continue
    const from = `json_populate_recordset(null::${name}, $1)`
    const text = `insert into ${name} (${columns}) overriding system value select ${columns} from ${from}`
    fills.push({ name: `fill ${name}`, text, rows: all })
  }
  const { rows: found } = await client.query<{ name: string; value: string; isUsed: boolean }>(
    `select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value)::text as value,
      last_value is not null as "isUsed" from pg_sequences order by 1`,
  )
  const sequences = [
    found.map(({ name }) => name),
    found.map(({ value }) => value),
    found.map(({ isUsed }) => isUsed),
  ] as const
  return { empty: `with ${deleting.join(', ')} select 1`, fills, sequences, shape: await shapeOf(client) }
}

/** Puts the rows of a template in the place of all others, in one transaction without triggers. */
async function fill({ client, contents: { empty, fills, sequences } }: Desk): Promise<void> {
  await client.query('begin')
  await client.query({ name: 'empty', text: empty })
  for (const { name, text, rows } of fills) await client.query({ name, text, values: [rows] })
  await client.query({
    name: 'sequences',
    text: 'select setval(name::regclass, value, used) from unnest($1::text[], $2::bigint[], $3::bool[]) as s (name, value, used)',
    values: [...sequences],
  })
  await client.query('commit')
}
