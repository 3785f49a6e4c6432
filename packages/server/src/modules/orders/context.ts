import type { Db, Tx } from '../../db/pool.ts'
import { SharedTransactions } from '../../db/shared-transactions.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { LogContext } from '../fairness/service.ts'

/** A new order, as its payments need it. */
interface WatchedOrder {
  readonly orderId: string
  /** epoch seconds until which it may be paid */
  readonly expiresAt: number
  /** when sales of its first draw close, epoch seconds */
  readonly closesAt: number
  /** sats */
  readonly dueSats: bigint
}

/** What making and deciding orders needs: what a player buys, from the request to the plays it becomes when PAID. */
export interface OrdersContext {
  readonly db: Db
  /** makes orders, by their players */
  readonly portions: SharedTransactions
  readonly runtime: Runtime
  readonly facts: Pick<Facts, 'record'>
  readonly fairness: LogContext
  /** Newest rate of a currency in sats per unit; throws RATE_UNAVAILABLE when it is too old to sell at. */
  readonly freshRate: (tx: Tx, currency: string) => Promise<bigint>
  /** Throws LIMIT_REACHED or SELF_EXCLUDED (decisions section 6, responsible play). */
  readonly checkMayPlay: (tx: Tx, playerId: bigint, priceMinor: bigint, currency: string) => Promise<void>
  /**
   * Throws GAME_NOT_AVAILABLE while the game may not be sold: the clock is wrong, it is paused, or the bankroll does not
   * carry it. For an order no other one commits a game until the transaction ends.
   */
  readonly checkSales: (tx: Tx, gameKey: string, use: 'order' | 'quote') => Promise<void>
  /** Whether the clock is slow or fast: no payment becomes plays then (decision 37). */
  readonly isClockWrong: (tx: Tx) => Promise<boolean>
  /**
   * Has the plays of draws that have no leaf yet appended to their trees soon. Takes when the last batch of each was
   * logged, if any. The transaction holds the draws.
   */
  readonly appendSoon: (
    tx: Tx,
    draws: readonly { readonly drawId: bigint; readonly lastBatchAt: number | null }[],
  ) => Promise<void>
  /** Schedules the payment check that lets the order expire, in the transaction that makes the order. */
  readonly watchOrder: (tx: Tx, order: WatchedOrder) => Promise<void>
}

export type OrdersOptions = Omit<OrdersContext, 'portions'> & {
  /** how many shared transactions make orders at once */
  readonly portionsAtOnce?: number | undefined
}

/** The context of one process. */
export function ordersContext({ portionsAtOnce, ...options }: OrdersOptions): OrdersContext {
  return { ...options, portions: new SharedTransactions(options.db, options.runtime.log, portionsAtOnce) }
}
