import type { Db, Tx } from '../src/db/pool.ts'
import type { Statement } from '../src/db/sql.ts'

/**
 * A database under a program that notes what is asked of it: the names of statements, those that are under way together in
 * one list, as they go to the server and back.
 */
export function notingDb(db: Db): { readonly db: Db; take(): string[][] } {
  let ways: string[][] = []
  let underWay = 0

  async function noted<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (underWay === 0) ways.push([])
    ways.at(-1)?.push(name)
    underWay += 1
    try {
      return await act()
    } finally {
      underWay -= 1
    }
  }

  /** The four that take a statement and its arguments, whatever their types. */
  function notedQueries<Q extends Pick<Db, 'run' | 'one' | 'maybeOne' | 'execute'>>(queries: Q): Q {
    const noting =
      <A extends unknown[], R>(call: (statement: Statement, ...args: A) => Promise<R>) =>
      (statement: Statement, ...args: A): Promise<R> =>
        noted(statement.name, () => call(statement, ...args))
    return {
      ...queries,
      run: noting(queries.run as never) as Q['run'],
      one: noting(queries.one as never) as Q['one'],
      maybeOne: noting(queries.maybeOne as never) as Q['maybeOne'],
      execute: noting(queries.execute as never) as Q['execute'],
    }
  }

  return {
    db: {
      ...notedQueries(db),
      async transaction(work, options) {
        ways.push(['begin'])
        const result = await db.transaction((tx: Tx) => work(notedQueries(tx)), options)
        ways.push(['commit'])
        return result
      },
    },
    /** What was asked since the last call. */
    take() {
      const taken = ways
      ways = []
      return taken
    },
  }
}
