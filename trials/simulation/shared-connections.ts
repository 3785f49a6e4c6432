import { type Connections, poolConfigs } from '@fairball/server/testing/database'
import pg from 'pg'

/** More than a seed's processes hold at once. */
const MOST = 20

/**
 * The connections to the database of one seed. Its processes share them, because a new connection costs as much as
 * hundreds of statements. A process that crashes loses the connections that it holds at that moment.
 */
export class SharedConnections {
  readonly #pool: pg.Pool

  constructor(url: string) {
    this.#pool = new pg.Pool({
      ...poolConfigs({ address: url, poolSize: MOST, applicationName: 'processes' })[0],
      idleTimeoutMillis: 0, // real time must not matter
    })
    this.#pool.on('error', () => undefined) // the database is dropped while they are connected
  }

  /** A pool for one process, which knows the connections that it holds. */
  lend(): LentConnections {
    return new LentConnections(this.#pool)
  }
}

/** The part of the shared connections that one process holds. */
export class LentConnections implements Connections {
  readonly options = { max: MOST }
  readonly totalCount = 0
  readonly idleCount = 0
  readonly waitingCount = 0
  readonly #pool: pg.Pool
  readonly #held = new Map<pg.PoolClient, (isBroken: boolean) => void>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** The server's numbers of the connections that are held. */
  get held(): number[] {
    return [...this.#held.keys()].map((client) => (client as unknown as { processID: number }).processID)
  }

  async connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    const giveBack = client.release.bind(client)
    const onLoss = (): void => undefined // whoever waits for an answer gets the error
    client.on('error', onLoss)
    this.#held.set(client, (isBroken) => {
      this.#held.delete(client)
      client.off('error', onLoss)
      giveBack(isBroken)
    })
    client.release = (error) => this.#held.get(client)?.(error !== undefined && error !== false)
    return client
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await this.connect()
    try {
      return await client.query(query)
    } finally {
      client.release()
    }
  }

  /** Gives back what a crashed process held; its connections are cut. */
  drop(): void {
    for (const giveBack of this.#held.values()) giveBack(true)
  }

  on(): void {}

  async end(): Promise<void> {}
}
