import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { type LogContext, type PaperSigner, paperSigner } from '../fairness/service.ts'
import { findPromised } from './queries.ts'

/** An order as the promise for it says it, and what signs that promise. */
export interface PromisedOrder {
  readonly order: RowOf<typeof findPromised>
  readonly sign: PaperSigner
}

/** What the promise for an order needs, read in one round trip. */
export async function promisedOrder(from: Queries, fairness: LogContext, orderId: string): Promise<PromisedOrder> {
  const [order, sign] = await Promise.all([from.one(findPromised, [orderId]), paperSigner(fairness, from)])
  return { order, sign }
}
