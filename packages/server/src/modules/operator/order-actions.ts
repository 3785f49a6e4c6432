import { satsToBtc } from '@fairball/domain/money'
import { giveGoodwill, type OrdersContext } from '../orders/service.ts'
import { addLook } from '../payments/service.ts'
import { act, type OperatorContext } from './action.ts'

/**
 * Pays a player goodwill for an order, out of the operator's fee.
 *
 * @throws Refused
 */
export function payGoodwill(
  ctx: OperatorContext & Pick<OrdersContext, 'facts'>,
  goodwill: { readonly orderId: string; readonly sats: bigint; readonly requestId: string },
): Promise<string> {
  return act(ctx, 'goodwill', goodwill.orderId, async (tx) => {
    const { playerId } = await giveGoodwill(ctx, tx, { ...goodwill, now: ctx.runtime.clock.now() })
    return `${satsToBtc(goodwill.sats)} BTC of the operator's fee are goodwill for order ${goodwill.orderId}, owed to player ${playerId}.`
  })
}

/** Has an order's payments read from its provider once more. */
export function refreshOrder(ctx: OperatorContext, orderId: string): Promise<string> {
  return act(ctx, 'order-refresh', orderId, async (tx) => {
    await addLook(tx, ctx.jobs, orderId, ctx.runtime.clock.now())
    return `The payments of order ${orderId} are read again.`
  })
}
