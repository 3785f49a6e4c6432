import type { Db, Tx } from '../src/db/pool.ts'
import { wrappedQueries } from './wrapped-queries.ts'

/**
 * A database under a program that notes what is asked of it: the names of statements, those that are under way together in
 * one list, as they go to the server and back.
 */
export function notingDb(db: Db): { readonly db: Db; take(): string[][] } {
  let ways: string[][] = []
  let underWay = 0
  let answered = Promise.withResolvers<void>()

  /** What was asked for together is answered together, in however many pieces the answers come. */
  async function noted<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (underWay === 0) {
      ways.push([])
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
