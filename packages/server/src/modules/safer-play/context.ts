import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Secrets } from '../identity/service.ts'
import type { OrdersEnd } from '../orders/service.ts'

/** What checking an order against a player's limits needs. */
export interface LimitsContext {
  readonly runtime: Pick<Runtime, 'clock'>
  /** The cost of a player's orders since a time, by currency, without those that expired or were refunded. */
  readonly spentSince: (
    from: Queries,
    playerId: bigint,
    sinceAt: number,
  ) => Promise<readonly { readonly currency: string; readonly minor: bigint }[]>
  /** Newest known satoshis per unit of each currency, however old. */
  readonly rates: (from: Queries) => Promise<ReadonlyMap<string, bigint>>
}

/** What limits, time-outs and self-exclusions need. */
export interface SaferPlayContext extends LimitsContext {
  readonly db: Db
  readonly secrets: Secrets
  /** Ends a player's open orders that no payment covers, see orders. @param now epoch seconds */
  readonly endUncovered: (tx: Tx, playerId: bigint, why: OrdersEnd, now: number) => Promise<void>
}
