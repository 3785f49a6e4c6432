import type pg from 'pg'
import { sqlState } from '../database-errors.ts'
import { clientConfigs, type DatabaseAddress } from '../connection-settings.ts'
import { connectToPrimary } from '../primary.ts'

/** Time limit of one statement and one connection, in ms: a server that never answers fails one check. */
const LONGEST_MS = 5_000
/** How often a session looks whether it was told something, and how long it waits each time, in seconds. */
const LOOKS = 150
const LOOK_SECONDS = 0.01
/** How long a statement has to stay unanswered to count as waiting. */
const WAITING_SECONDS = 0.1

/** A check of what the program rests on. */
export interface Check {
  /** Lower case, with hyphens. */
  readonly id: string
  /** Tried at every start, by every login. */
  readonly isQuick?: true
  /** It makes tables, which only the owner's login may. */
  readonly needsTables?: true
  /** @returns null if it holds, otherwise what was seen. What it throws was seen too */
  readonly run: (trial: Trial) => Promise<string | null>
}

/** A check that makes tables. */
export function onTables(id: string, run: Check['run'], isQuick?: true): Check {
  return { id, run, needsTables: true, ...(isQuick === undefined ? {} : { isQuick }) }
}

/** Two sessions of a database for one check after the other, and names that nothing else in the database uses. */
export class Trial {
  readonly #address: DatabaseAddress
  #sessions: pg.Client[] = []
  #counter = 0
  #pid = 0
  /** The schema in which checks make tables. */
  schema: string | null = null

  constructor(address: DatabaseAddress) {
    this.#address = address
  }

  /** Opens the two sessions that checks use. */
  async open(): Promise<void> {
    this.#sessions = [await this.connect(), await this.connect()]
    // Other trials may run in the same database: a session's number is its own.
    this.#pid = (await only<{ pid: number }>(this.one, 'select pg_backend_pid() as pid')).pid
  }

  /** One session. */
  get one(): pg.Client {
    return this.#at(0)
  }

  /** Another session. */
  get other(): pg.Client {
    return this.#at(1)
  }

  #at(place: number): pg.Client {
    const session = this.#sessions[place]
    if (session === undefined) throw new Error('no session is open')
    return session
  }

  /** A further session, with more settings of the driver; the caller ends it. */
  async connect(more: pg.ClientConfig & { readonly pipeline?: boolean } = {}): Promise<pg.Client> {
    const configs = clientConfigs({
      address: this.#address,
      applicationName: 'fairball conformance',
      connectionTimeoutMs: LONGEST_MS,
      statementTimeoutMs: LONGEST_MS,
    })
    const client = await connectToPrimary(configs.map((config) => ({ ...config, query_timeout: LONGEST_MS, ...more })))
    if (this.schema !== null) await this.enter(client, this.schema)
    return client
  }

  /** Lets a session make its tables in a schema. What else it finds stays as it was. */
  async enter(client: pg.Client, schema: string): Promise<void> {
    await client.query(`select set_config('search_path', '${schema}, ' || current_setting('search_path'), false)`)
  }

  /** Ends both sessions, with whatever a check left in them. */
  async close(): Promise<void> {
    const ended = this.#sessions
    this.#sessions = []
    await Promise.all(ended.map((client) => client.end().catch(() => undefined))) // it may be broken already
  }

  /** A name that no check used before, and no other trial uses: of a table, a function, a channel or a lock. */
  name(what: string): string {
    this.#counter += 1
    return `fairball_${what}_${this.#pid}_${this.#counter}`
  }

  /** The number of an advisory lock that nothing else takes: of this check, in this session. */
  async lockNumber(): Promise<string> {
    const { number } = await only<{ number: string }>(
      this.one,
      `select hashtextextended('${this.name('lock')}', 0)::text as number`,
    )
    return number
  }

  /** Makes a table with these columns. @returns its name */
  async table(columns: string, rows = ''): Promise<string> {
    const name = this.name('table')
    await this.one.query(`create table ${name} (${columns})`)
    if (rows !== '') await this.one.query(`insert into ${name} values ${rows}`)
    return name
  }

  /** Makes a function of a trigger. @returns its name */
  async triggerFunction(body: string): Promise<string> {
    const name = this.name('function')
    await this.one.query(
      `create function ${name}() returns trigger language plpgsql as $body$ begin ${body} end $body$`,
    )
    return name
  }
}

/** The first row of an answer. */
export async function only<T extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<T> {
  const { rows } = await client.query<T>(text)
  const [row] = rows
  if (row === undefined) throw new Error(`no row came of: ${text}`)
  return row
}

/** The SQLSTATE with which a statement fails; `none` if it does not. */
export async function stateAfter(client: pg.Client, text: string): Promise<string> {
  try {
    await client.query(text)
    return 'none'
  } catch (error) {
    const state = sqlState(error)
    if (state === null) throw error
    return state
  }
}

/** Null if what was seen is what was wanted, otherwise both in words. */
export function unlike(seen: unknown, wanted: unknown, what: string): string | null {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)]
  return one === other ? null : `${what}: ${one} instead of ${other}`
}

/** The first of several findings; null for none. */
export function firstOf(...findings: (string | null)[]): string | null {
  return findings.find((one) => one !== null) ?? null
}

/**
 * Whether `asked` is still unanswered after a moment, which `clock` waits in the database. It is not waited for: the
 * caller frees what it waits for, and then awaits it.
 */
export async function isWaiting(clock: pg.Client, asked: Promise<unknown>): Promise<boolean> {
  let isAnswered = false
  void asked.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  )
  await clock.query(`select pg_sleep(${WAITING_SECONDS})`)
  return !isAnswered
}

/** Collects what a session is told on a channel. */
interface Heard {
  readonly payloads: string[]
  /** Waits a second and a half at most until it was told as much. */
  until(count: number): Promise<void>
}

/** Listens on a channel. */
export async function listenOn(client: pg.Client, channel: string): Promise<Heard> {
  const payloads: string[] = []
  client.on('notification', (told) => {
    if (told.channel === channel) payloads.push(told.payload ?? '')
  })
  await client.query(`listen ${channel}`)
  return {
    payloads,
    async until(count) {
      for (let look = 0; look < LOOKS && payloads.length < count; look += 1)
        await client.query(`select pg_sleep(${look === 0 ? 0 : LOOK_SECONDS})`)
    },
  }
}
