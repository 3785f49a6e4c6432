import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Secrets } from '../identity/service.ts'
import type { OrdersEnd } from '../orders/service.ts'

/** What an order is checked against a player's limits with. */
export interface LimitsContext {
  readonly runtime: Pick<Runtime, 'clock'>
  /** What a player's orders since a time cost, in pence; those that expired or were refunded are left out. */
  readonly spentSince: (tx: Tx, playerId: bigint, sinceAt: number) => Promise<bigint>
  /** Newest known satoshis per unit of each currency, however old. */
  readonly rates: (from: Queries) => Promise<ReadonlyMap<string, bigint>>
}

/** What limits, time-outs and self-exclusions are kept with. */
export interface SaferPlayContext extends LimitsContext {
  readonly db: Db
  readonly secrets: Secrets
  /** Ends a player's open orders that no payment covers, see orders. @param now epoch seconds */
  readonly endUncovered: (tx: Tx, playerId: bigint, why: OrdersEnd, now: number) => Promise<void>
}
