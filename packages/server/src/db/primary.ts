import { callbackify } from 'node:util'
import pg from 'pg'
import { clientConfigs, type ConnectionSettings, poolConfigs } from './connection-settings.ts'
import { DatabaseUnavailable, translateError } from './database-errors.ts'
import type { Connections } from './pool.ts'

// Of several servers, one takes changes: the primary. The others are standbys; when the primary dies, one of them is
// promoted (docs/operations.md, "A standby").

/** With a time limit: a server that lost its power does not answer, and its connections stay open. */
const IS_STANDBY = { text: 'select pg_is_in_recovery() as is_standby', query_timeout: 2_000 }

/** What listens asks now and then whether the server is still there, with a time limit for the same reason. */
const LISTENING = { statement_timeout: 10_000, query_timeout: 10_000 }

/**
 * Connects to the server that takes changes. Of one server it is not asked whether it does.
 *
 * @param configs of each server
 * @returns a client that the caller ends; a loss of its connection fails the statement in progress
 * @throws DatabaseUnavailable, or PostgreSQL's own error, of the first server
 */
export async function connectToPrimary(configs: readonly pg.ClientConfig[]): Promise<pg.Client> {
  return await firstOf(configs, async (config) => {
    const client = new pg.Client(config)
    client.on('error', () => undefined)
    try {
      await client.connect()
      if (configs.length > 1) await assertPrimary(client)
      return client
    } catch (error) {
      await client.end().catch(() => undefined) // the first error is more useful
      throw translateError(error)
    }
  })
}

/** A pool of connections to the server that takes changes. */
export function connectionsTo(settings: ConnectionSettings): Connections {
  const configs = poolConfigs(settings)
  return configs.length > 1 ? new PrimaryConnections(configs) : new pg.Pool(configs[0])
}

/** A connection that listens to the primary. A pool of several servers uses the same one from now on. */
export async function connectToListen(settings: ConnectionSettings, pool: Connections): Promise<pg.Client> {
  const client = await connectToPrimary(clientConfigs(settings).map((config) => ({ ...config, ...LISTENING })))
  if (pool instanceof PrimaryConnections) pool.follow(client)
  return client
}

/**
 * A pool of connections to each server, of which the primary's is in use. When it fails, the others are asked, and one
 * that takes changes by then is used from there on; what was sent to the old one fails.
 */
class PrimaryConnections implements Connections {
  readonly #pools: readonly ServerPool[]
  #current: ServerPool

  constructor(configs: readonly pg.PoolConfig[]) {
    this.#pools = configs.map((config) => new ServerPool(config))
    const [first] = this.#pools
    if (first === undefined) throw new Error('no server is named')
    this.#current = first
  }

  async connect(): Promise<pg.PoolClient> {
    const known = this.#current
    const others = this.#pools.filter((pool) => pool !== known)
    return await firstOf([known, ...others], async (pool) => {
      const client = await pool.connect()
      this.#use(pool)
      return client
    })
  }

  /** Uses the server of a connection that was just made to the primary. */
  follow(primary: pg.Client): void {
    this.#use(this.#pools.find((pool) => pool.server === serverOf(primary)) ?? this.#current)
  }

  #use(pool: ServerPool): void {
    if (pool === this.#current) return
    this.#current.abandon()
    this.#current = pool
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await this.connect()
    let broken: unknown
    const onLoss = (): void => undefined // the query in progress fails with it
    client.on('error', onLoss)
    try {
      return await client.query(query)
    } catch (error) {
      broken = translateError(error)
      throw error
    } finally {
      client.off('error', onLoss)
      client.release(broken instanceof DatabaseUnavailable)
    }
  }

  on(event: 'error', handler: (error: Error) => void): void {
    for (const pool of this.#pools) pool.on(event, handler)
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }

  get totalCount(): number {
    return this.#current.totalCount
  }

  get idleCount(): number {
    return this.#current.idleCount
  }

  get waitingCount(): number {
    return this.#current.waitingCount
  }

  get options(): { readonly max: number } {
    return this.#current.options
  }
}

/** The connections to one server of several; it gives none while the server is a standby. */
class ServerPool extends pg.Pool {
  readonly server: string
  readonly #clients = new Set<pg.PoolClient>()

  constructor(config: pg.PoolConfig) {
    super({ ...config, verify: callbackify(assertPrimary) })
    this.server = serverOf(new pg.Client(config))
    this.on('connect', (client) => this.#clients.add(client))
    this.on('remove', (client) => this.#clients.delete(client))
  }

  /** Cuts every connection: the server is no longer the primary, and may never answer. */
  abandon(): void {
    for (const { connection } of this.#clients) connection.stream.destroy()
  }
}

function serverOf({ host, port }: pg.Client): string {
  return `${host}:${port}`
}

/** @throws DatabaseUnavailable for a standby */
async function assertPrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_standby: boolean }>(IS_STANDBY)
  if (rows[0]?.is_standby !== false) throw new DatabaseUnavailable('the server is a standby')
}

/** The first success, trying one after the other. @throws what the first one threw, if all fail */
async function firstOf<S, T>(servers: readonly S[], open: (server: S) => Promise<T>): Promise<T> {
  const failures: unknown[] = []
  for (const server of servers) {
    try {
      return await open(server)
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}
