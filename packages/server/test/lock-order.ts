import type { Db, Tx } from '../src/db/pool.ts'
import { LOCK_ORDER } from '../src/db/lock-order.ts'
import { wrappedQueries } from './wrapped-queries.ts'

/** The place of each locking statement in the order. */
const PLACES = new Map<string, number>(
  LOCK_ORDER.flatMap(({ statements }, place) => statements.map((name) => [name, place] as const)),
)

/** A database whose transactions fail when they lock something out of order. */
export function withLockOrder(db: Db): Db {
  return {
    ...db,
    transaction: (work, options) => db.transaction((tx) => work(inOrder(tx)), options),
  }
}

function inOrder(tx: Tx): Tx {
  const held = new Set<number>()
  return wrappedQueries(tx, (statement, act) => {
    const place = PLACES.get(statement.name)
    if (place !== undefined && !held.has(place)) {
      const before = [...held].find((one) => one > place)
      if (before !== undefined)
        throw new Error(
          `${statement.name} locks ${LOCK_ORDER[place]?.kind} after ${LOCK_ORDER[before]?.kind}: see db/lock-order.ts`,
        )
      held.add(place)
    }
    return act()
  })
}
