import type pg from 'pg'
import type { Logger, Runtime } from '../runtime/runtime.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import {
  atMostOneRow,
  DatabaseUnavailable,
  isRetryable,
  oneRow,
  sqlState,
  TransactionRolledBack,
  translateError,
} from './database-errors.ts'
import { Listener, notifyStatement, type Unlisten } from './listener.ts'
import { connectionsTo, connectToListen } from './primary.ts'
import { withSharedReads } from './shared-reads.ts'
import {
  type Args,
  type ArgsOf,
  decodeRow,
  encodeArgs,
  type ParamCodecs,
  type RowCodecs,
  type RowOf,
  type Statement,
} from './sql.ts'

export { DatabaseUnavailable, sqlState, TransactionRolledBack, violatedConstraint } from './database-errors.ts'

/** A statement that declares columns; one without rows is run by `execute`. */
type Returning<R extends RowCodecs> = keyof R extends never ? { readonly row: never } : unknown

/** The queries on the database, inside and outside a transaction. */
export interface Queries {
  /**
   * Runs a statement that returns rows, and returns all of them.
   *
   * @throws DatabaseUnavailable, or PostgreSQL's own error with its SQLSTATE in `code`
   * @throws TypeError if an argument or a column does not fit its declared type
   */
  run<P extends ParamCodecs, R extends RowCodecs>(
    statement: Statement<P, R> & Returning<R>,
    args: ArgsOf<P>,
  ): Promise<RowOf<Statement<P, R>>[]>
  /** Runs a statement that finds exactly one row. @throws UnexpectedRowCount otherwise, and what `run` throws */
  one<P extends ParamCodecs, R extends RowCodecs>(
    statement: Statement<P, R>,
    args: ArgsOf<P>,
  ): Promise<RowOf<Statement<P, R>>>
  /** Runs a statement that finds one row or none. @throws UnexpectedRowCount for more, and what `run` throws */
  maybeOne<P extends ParamCodecs, R extends RowCodecs>(
    statement: Statement<P, R>,
    args: ArgsOf<P>,
  ): Promise<RowOf<Statement<P, R>> | null>
  /** Runs a statement for its effect and returns the number of rows it touched. */
  execute<P extends ParamCodecs, R extends RowCodecs>(statement: Statement<P, R>, args: ArgsOf<P>): Promise<number>
  /** Sends a notification; in a transaction it goes out at the commit, or never. */
  notify(channel: string, payload?: string): Promise<void>
}

/**
 * One database transaction. It must not be used after the function it was passed to has ended.
 *
 * Its statements run one after the other, in the order they were requested, and each sees what those before it did.
 * Concurrent ones (`Promise.all`) go to the server together, in one round trip.
 */
export interface Tx extends Queries {
  /**
   * Reads a result too large for memory, some rows at a time, through a cursor.
   *
   * @param batchRows number of rows per step
   */
  stream<P extends ParamCodecs, R extends RowCodecs>(
    statement: Statement<P, R>,
    args: ArgsOf<P>,
    batchRows: number,
  ): AsyncIterable<RowOf<Statement<P, R>>[]>
}

/** How a transaction runs. */
export interface TransactionOptions {
  /** Maximum number of tries if it meets a deadlock or a serialization failure. Default 1: the caller handles it. */
  attempts?: number
  /** Default `read committed`; correctness rests on row locks, conditional updates and unique keys. */
  isolation?: 'read committed' | 'repeatable read'
  /**
   * Lets single statements take longer than the pool's limit: for the work of a whole draw. Each of them then keeps to
   * one processor, and is not compiled: players come first.
   */
  statementTimeoutMs?: number
  /** The database refuses every change in it. */
  isReadOnly?: boolean
}

/** The use of a pool of connections at one moment. */
export interface PoolUse {
  /** connections in use */
  readonly inUse: number
  /** connections that are open and free */
  readonly idle: number
  /** callers that wait for a connection */
  readonly waiting: number
  /** maximum number of connections */
  readonly most: number
}

/** The database of the program: a pool of connections, and one more that listens. */
export interface Db extends Queries {
  /**
   * Runs `work` in a transaction, READ COMMITTED, and commits when it ends; rolls back if it throws.
   *
   * @throws whatever `work` throws
   * @throws TransactionRolledBack if the database rolled back at the commit
   * @throws DatabaseUnavailable; with `isOutcomeUnknown` if the connection broke during the commit
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Calls `handler` for each notification on `channel`, over a connection that restores itself.
   *
   * @param onGap called when the connection is back after a loss: notifications may have been missed, so check again
   * @returns once it listens, a function that ends it
   */
  listen(channel: string, handler: (payload: string) => void, onGap?: () => void): Promise<Unlisten>
  /** The present use of the pool, without a query. */
  poolUse(): PoolUse
  /** Ends the listening and the pool. Work in progress gets `limitMs` to finish (default 5,000). */
  close(limitMs?: number): Promise<void>
}

/** What `createDatabase` needs. */
interface DatabaseOptions extends ConnectionSettings {
  runtime: Pick<Runtime, 'monotonic' | 'log'>
  /** What lends connections instead of a pool of its own: the simulation's processes share theirs. */
  connections?: Connections
}

/** What a pool of the driver offers here. */
export interface Connections extends Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> {
  readonly options: { readonly max: number }
  connect(): Promise<pg.PoolClient>
  query(query: pg.QueryConfig): Promise<RawResult>
  on(event: 'error', handler: (error: Error) => void): unknown
  end(): Promise<void>
}

/**
 * Opens the database. Connections are made when they are needed: a server that is down is noticed at the first query.
 */
export function createDatabase(options: DatabaseOptions): Db {
  const { log } = options.runtime
  const pool: Connections = options.connections ?? connectionsTo(options)
  pool.on('error', (error) => {
    if (closing === null) log.warn({ err: error }, 'an idle connection to the database was lost')
  })
  const listener = new Listener({
    runtime: options.runtime,
    connect: () => connectToListen(options, pool),
  })
  let closing: Promise<void> | null = null

  const query: RawQuery = (statement, values) => pool.query({ name: statement.name, text: statement.text, values })

  const queries = withSharedReads(queriesWith(query))
  const inTransaction: Queries['execute'] = (statement, args) =>
    runTransaction(pool, log, (tx) => tx.execute(statement, args), {})

  return {
    ...queries,
    execute: options.areStatementsReadOnly === true ? inTransaction : queries.execute,
    transaction: (work, transactionOptions = {}) => runTransaction(pool, log, work, transactionOptions),
    listen: (channel, handler, onGap) => listener.listen(channel, handler, onGap),
    poolUse: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: pool.options.max,
    }),
    close: (limitMs = 5_000) => (closing ??= closeAll(limitMs)),
  }

  async function closeAll(limitMs: number): Promise<void> {
    await listener.close()
    const ended = new AbortController()
    const isDone = await Promise.race([
      pool.end().then(() => true),
      options.runtime.monotonic.sleep(limitMs, ended.signal).then(
        () => false,
        () => true,
      ),
    ])
    ended.abort()
    if (!isDone) log.warn({ limitMs }, 'the database was closed with work still in progress')
  }
}

interface RawResult {
  rows: Record<string, unknown>[]
  rowCount: number | null
}
type RawQuery = (statement: Statement, values: unknown[]) => Promise<RawResult>

/** The typed calls over one way to send a statement. */
function queriesWith(send: RawQuery): Queries {
  const query = async (statement: Statement, args: Args): Promise<RawResult> => {
    const values = encodeArgs(statement, args)
    try {
      return await send(statement, values)
    } catch (error) {
      throw translateError(error)
    }
  }
  const rowsOf = async (statement: Statement, args: Args): Promise<never[]> => {
    const { rows } = await query(statement, args)
    return rows.map((row) => decodeRow(statement, row)) as never[] // decodeRow gave them the declared types
  }
  const general = (statement: unknown): Statement => statement as Statement // a statement of any types is a Statement

  return {
    run: (statement, args) => rowsOf(general(statement), args),
    one: async (statement, args) => oneRow(statement.name, await rowsOf(general(statement), args)),
    maybeOne: async (statement, args) => atMostOneRow(statement.name, await rowsOf(general(statement), args)),
    execute: async (statement, args) => (await query(general(statement), args)).rowCount ?? 0,
    notify: async (channel, payload = '') => void (await query(general(notifyStatement), [channel, payload])),
  }
}

async function runTransaction<T>(
  pool: Connections,
  log: Logger,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const attempts = options.attempts ?? 1
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryTransaction(pool, work, options)
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error
      log.info({ attempt, err: error }, 'a transaction is tried again')
    }
  }
}

async function tryTransaction<T>(
  pool: Connections,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translateError(error)
  })
  // the code that waits on the client gets the error; without a listener Node would exit
  const onLoss = (): void => undefined
  client.on('error', onLoss)
  const connection = new TransactionConnection(client)
  let broken: Error | undefined
  try {
    connection.begin(options)
    const result = await work(connection.tx)
    await connection.commit()
    return result
  } catch (error) {
    broken = await connection.rollback(error)
    throw error
  } finally {
    client.off('error', onLoss)
    client.release(broken)
  }
}

/** The SQLSTATE of every statement after one that failed: the transaction is aborted. */
const ABORTED = '25P02'

/** A client during a transaction: its statements run in the order they were requested. */
class TransactionConnection {
  readonly tx: Tx
  readonly #client: pg.PoolClient
  #begun: Promise<void> = Promise.resolve()
  /** why the transaction could not begin: then nothing more is sent, which would run outside of one */
  #refusal: Error | undefined
  #isOver = false
  /** why the transaction is aborted: the error of the first statement that failed */
  #failure: unknown
  #isGathering = false
  #cursors = 0

  constructor(client: pg.PoolClient) {
    this.#client = client
    const send: RawQuery = (statement, values) => this.#send({ name: statement.name, text: statement.text, values })
    this.tx = {
      ...queriesWith(send),
      // as in queriesWith
      stream: (statement, args, batchRows) => this.#stream(statement, args, batchRows) as AsyncIterable<never[]>,
    }
  }

  /** It leaves together with the first statements. */
  begin(options: TransactionOptions): void {
    const limit = options.statementTimeoutMs
    const setLimit =
      limit === undefined
        ? ''
        : `; set local statement_timeout = ${Math.trunc(limit)}; set local max_parallel_workers_per_gather = 0; set local jit = off`
    const access = options.isReadOnly === true ? 'read only' : 'read write'
    this.#gather()
    const text = `begin isolation level ${options.isolation ?? 'read committed'} ${access}${setLimit}`
    this.#begun = this.#client.query(text).then(
      () => undefined,
      (error: unknown) => void (this.#refusal = translateError(error) as Error),
    )
  }

  /** PostgreSQL reports no error for a `commit` of a failed transaction: only its command tag shows it. */
  async commit(): Promise<void> {
    await this.#begun
    this.#assertBegun()
    const sent = this.#send({ text: 'commit' })
    this.#isOver = true
    try {
      const { command } = await sent
      if (command !== 'COMMIT') throw new TransactionRolledBack()
    } catch (error) {
      throw translateError(error, true)
    }
  }

  /** @returns the error for which the connection must be discarded, if any */
  async rollback(reason: unknown): Promise<Error | undefined> {
    if (reason instanceof TransactionRolledBack) return undefined
    if (reason instanceof DatabaseUnavailable) return reason
    this.#gather()
    const undone = this.#client.query('rollback')
    // Immediately: what the failed work still requests must not come after the rollback, where it would remain.
    this.#isOver = true
    try {
      await undone
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error('the rollback failed', { cause: error })
    }
  }

  #assertBegun(): void {
    if (this.#refusal !== undefined) throw this.#refusal
  }

  async #send(query: { text: string; name?: string; values?: unknown[] }): Promise<pg.QueryResult> {
    if (this.#isOver) throw new Error('a transaction was used after its end')
    this.#assertBegun()
    this.#gather()
    try {
      const result = await this.#client.query(query)
      this.#assertBegun()
      return result
    } catch (error) {
      // Requested together, a later statement may be the first that is waited for: it fails for the same reason.
      const reason = this.#refusal ?? error
      this.#failure = sqlState(reason) === ABORTED ? (this.#failure ?? reason) : reason
      throw this.#failure
    }
  }

  /** Holds back what is written until all requests of this moment are in: then it leaves in one piece. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  async *#stream(statement: Statement, args: Args, batchRows: number): AsyncGenerator<unknown[]> {
    const cursor = `fairball_${++this.#cursors}`
    const step: Statement = { ...statement, text: `fetch ${Math.trunc(batchRows)} from ${cursor}`, params: [] }
    try {
      await this.#send({
        text: `declare ${cursor} no scroll cursor for ${statement.text}`,
        values: encodeArgs(statement, args),
      })
      for (;;) {
        const { rows } = await this.#send({ text: step.text })
        if (rows.length > 0) yield rows.map((row: Record<string, unknown>) => decodeRow(statement, row))
        if (rows.length < batchRows) break
      }
      await this.#send({ text: `close ${cursor}` })
    } catch (error) {
      throw translateError(error)
    }
  }
}
