import type { Db } from '../src/db/pool.ts'
import type { Statement } from '../src/db/sql.ts'

type Queries = Pick<Db, 'run' | 'one' | 'maybeOne' | 'execute'>

/** A database, or a transaction, with something around each statement. */
export function wrappedQueries<Q extends Queries>(
  queries: Q,
  around: <R>(statement: Statement, act: () => Promise<R>) => Promise<R>,
): Q {
  /** All four take a statement and its arguments, whatever their types. */
  const wrapped =
    <A extends unknown[], R>(call: (statement: Statement, ...args: A) => Promise<R>) =>
    (statement: Statement, ...args: A): Promise<R> =>
      around(statement, () => call(statement, ...args))
  return {
    ...queries,
    run: wrapped(queries.run as never) as Q['run'],
    one: wrapped(queries.one as never) as Q['one'],
    maybeOne: wrapped(queries.maybeOne as never) as Q['maybeOne'],
    execute: wrapped(queries.execute as never) as Q['execute'],
  }
}

/** A database whose transactions read the first rows of a stream immediately, and the next ones only after `next`. */
export function slowStreams(db: Db, next: Promise<void>): Db {
  const slow = async function* slow<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const batch of batches) {
      yield batch
      await next
    }
  }
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction((tx) => work({ ...tx, stream: (...read) => slow(tx.stream(...read)) }), options),
  }
}
