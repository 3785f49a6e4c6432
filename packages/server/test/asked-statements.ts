import type { Db, Tx } from '../src/db/pool.ts'
import { wrappedQueries } from './wrapped-queries.ts'

/**
 * A database under a program that records its requests: the names of statements, those in flight together in one list,
 * for each round trip to the server.
 */
export function notingDb(db: Db): { readonly db: Db; take(): string[][] } {
  let ways: string[][] = []
  /** the begin of a transaction, which leaves with its first statements */
  let begun: string[] = []
  let underWay = 0
  let answered = Promise.withResolvers<void>()

  /** Requests sent together are answered together, in however many pieces the answers come. */
  async function noted<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (underWay === 0) {
      ways.push(begun)
      begun = []
      answered = Promise.withResolvers()
    }
    const { promise: allAnswered, resolve } = answered
    ways.at(-1)?.push(name)
    underWay += 1
    try {
      return await act()
    } finally {
      underWay -= 1
      if (underWay === 0) resolve()
      await allAnswered
    }
  }

  const notedQueries = <Q extends Db | Tx>(queries: Q): Q =>
    wrappedQueries(queries, (statement, act) => noted(statement.name, act))

  return {
    db: {
      ...notedQueries(db),
      async transaction(work, options) {
        begun = ['begin']
        const result = await db.transaction((tx: Tx) => work(notedQueries(tx)), options)
        ways.push(['commit'])
        return result
      },
    },
    /** The requests since the last call. */
    take() {
      const taken = ways
      ways = []
      return taken
    },
  }
}
