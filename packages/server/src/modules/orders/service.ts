import type { Db, Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Ledger } from '../ledger/service.ts'
import { createDeciding } from './deciding.ts'
import { createMaking } from './making.ts'
import type { OrderNews } from './news.ts'
import { personalDataOf } from './personal-data.ts'
import { createPlays } from './plays.ts'
import * as queries from './queries.ts'
import { createTakingBack } from './taking-back.ts'

export type { PaymentTotals } from './deciding.ts'
export type { MadeOrder, NewOrder, OrderRequest } from './making.ts'
export type { MovedEntries, OrderNews } from './news.ts'
export type { LostPayment } from './taking-back.ts'

export interface OrdersDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly ledger: Ledger
  /** Newest rate of GBP in sats; throws RATE_UNAVAILABLE when it is too old to sell at. */
  readonly freshRate: (tx: Tx) => Promise<bigint>
  /** Throws LIMIT_REACHED or SELF_EXCLUDED (decisions section 6, responsible play). */
  readonly checkMayPlay: (tx: Tx, playerId: bigint, priceMinor: bigint) => Promise<void>
  /** Throws GAME_NOT_AVAILABLE while nothing may be sold: a clock that is wrong, a bankroll that is too low at the rate that is being asked for. */
  readonly checkSales: (tx: Tx, askingRate: Promise<bigint>) => Promise<void>
  /** Whether the clock is slow or fast: no payment becomes entries then (fairness section 9, decision 37). */
  readonly isClockWrong: (tx: Tx) => Promise<boolean>
  /** Adds the look at the order's payments that lets it expire, in the transaction that makes the order. */
  readonly watchOrder: (tx: Tx, order: { orderId: string; expiresAt: number }) => Promise<void>
  /** Called in the transaction in which money became owed to a player. */
  readonly onOwed: (tx: Tx, playerId: bigint) => Promise<void>
  /** Tells the player what became of an order, inside the transaction that decided it. */
  readonly tell: (tx: Tx, news: OrderNews) => Promise<void>
}

export type Orders = ReturnType<typeof createOrders>

/** Orders: what a player buys, from the request to the plays it becomes when PAID. */
export function createOrders(deps: OrdersDeps) {
  const { db } = deps
  const { placePlays, insertPlays, movePlaysOfVoidDraw } = createPlays(deps)
  const { applyPayments, pay, giveUp } = createDeciding({ ...deps, placePlays, insertPlays })
  const { create } = createMaking({ ...deps, pay })
  const { takeBack } = createTakingBack(deps)

  return {
    create,
    applyPayments,
    giveUp,
    takeBack,
    movePlaysOfVoidDraw,

    /** What a player bought, played and won, for the export of personal data. */
    personalData: (playerId: bigint) => personalDataOf(db, playerId),

    /** Takes the name off a player's orders, which stay as the game's record, and the free tickets away. */
    async forgetPlayer(tx: Tx, playerId: bigint): Promise<void> {
      await tx.execute(queries.removeUsername, [playerId])
      await tx.execute(queries.removeFreeTickets, [playerId])
    },

    /** What a player's orders since `sinceAt` cost, in pence; those that expired or were refunded are left out. */
    async spentSince(tx: Tx, playerId: bigint, sinceAt: number): Promise<bigint> {
      return (await tx.one(queries.sumSpentSince, [playerId, sinceAt])).minor
    },
  }
}
