import type { Db, Tx } from '../../db/pool.ts'

/**
 * The database as an open transaction has it: what the operator's actions do in transactions of their own becomes part
 * of this one.
 */
export function boundTo(tx: Tx): Db {
  const notHere = (): never => {
    throw new Error('a transaction has no connection of its own')
  }
  return {
    run: tx.run,
    one: tx.one,
    maybeOne: tx.maybeOne,
    execute: tx.execute,
    notify: tx.notify,
    transaction: async (work) => await work(tx),
    listen: notHere,
    poolUse: notHere,
    close: notHere,
  }
}
