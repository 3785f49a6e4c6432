import { freeLinesOfPlays } from '@fairball/domain/price'
import { maskNumbers } from '@fairball/domain/lines'
import { promiseOf } from '@fairball/domain/protocol/papers'
import { type PayBy, writeStatement } from '@fairball/domain/protocol/statements'
import { type PromisedOrder, promisedOrder } from '../orders/service.ts'
import type { PaymentsContext } from './context.ts'
import * as queries from './queries.ts'

/**
 * What the operator promises for an order, signed, before any money moves (fairness section 10): its plays, what they
 * cost, and where that is to be paid.
 *
 * @param pay the ways to pay the order
 * @returns a signed note
 */
export function promiseFor(
  ctx: PaymentsContext,
  orderId: string,
  { order, sign }: PromisedOrder,
  pay: readonly PayBy[],
): string {
  const { secret, masks, openHashes, freeCount: free } = order
  const lines = masks.map(maskNumbers)
  const freeOfPlays = freeLinesOfPlays({ lines: lines.length, draws: openHashes.length, free })
  const promise = promiseOf(
    {
      secret,
      payto: order.payto ?? '',
      plays: openHashes.map((open, place) => ({
        open,
        lines,
        free: freeOfPlays[place] ?? 0,
        price: Number(order.drawPricesMinor[place] ?? 0n),
      })),
    },
    {
      log: ctx.orders.fairness.origin,
      time: ctx.runtime.clock.now(),
      order: orderId,
      pay,
      rate: { currency: order.currency, value: Number(order.rateSats) },
      confirmations: ctx.requiredConfirmations(),
      expires: order.expiresAt,
    },
  )
  return sign(writeStatement(promise))
}

/**
 * The promise for an order as it was given. It is made now if the process died before it could be: for an order that
 * costs nothing.
 */
export async function promiseOfOrder(ctx: PaymentsContext, orderId: string): Promise<string> {
  const { promise: kept } = await ctx.db.one(queries.findPromise, [orderId])
  if (kept !== null) return kept
  const promised = await promisedOrder(ctx.db, ctx.orders.fairness, orderId)
  const made = promiseFor(ctx, orderId, promised, [{ by: 'none' }])
  return (await ctx.db.one(queries.storePromise, [orderId, made])).promise
}
