import type { Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import { operatorFee, winnings } from '../ledger/accounts.ts'
import { balanceOf, lockAccount, postTransfer } from '../ledger/service.ts'
import type { OrdersContext } from './context.ts'
import { findGoodwill, insertGoodwill } from './goodwill-queries.ts'
import { aboutOrder, lockOrder } from './locked-order.ts'
import * as queries from './queries.ts'

/** Money that the operator gives for an order. */
interface Goodwill {
  readonly orderId: string
  readonly sats: bigint
  /** the request of the staff that asks for it */
  readonly requestId: string
  /** epoch seconds */
  readonly now: number
}

/**
 * Pays a player something back for an order that stands, from the operator's fee: at most the order's amount, once. The
 * order, its plays and their stakes stay as they are, so nobody who verifies a draw sees a difference.
 *
 * @returns the player
 * @throws Refused
 */
export async function giveGoodwill(
  ctx: Pick<OrdersContext, 'facts'>,
  tx: Tx,
  { orderId, sats, requestId, now }: Goodwill,
): Promise<{ readonly playerId: bigint }> {
  if ((await tx.maybeOne(queries.lockPlayerOf, [orderId])) === null) throw new Refused(`There is no order ${orderId}.`)
  const order = await lockOrder(tx, orderId)
  const { isClosed, givenSats } = await tx.one(findGoodwill, [orderId])
  if (order.status !== 'PAID')
    throw new Refused(`The order is ${order.status}: goodwill is for orders whose plays stand.`)
  if (givenSats !== null) throw new Refused(`Goodwill of ${givenSats} sats was given for this order already.`)
  if (sats > order.dueSats) throw new Refused(`The order cost ${order.dueSats} sats, and goodwill is at most that.`)
  if (isClosed) throw new Refused('The account of its player is closed.')
  await lockAccount(tx, operatorFee)
  const heldSats = await balanceOf(tx, operatorFee)
  if (heldSats < sats) throw new Refused(`The operator's fee holds ${heldSats} sats, and this takes ${sats}.`)
  const { playerId } = order
  const moves = [{ from: operatorFee, to: winnings(playerId), sats }]
  await postTransfer(tx, { event: 'order.goodwill', subject: orderId, at: now, moves })
  await tx.execute(insertGoodwill, { now, sats, playerId, orderId, requestId })
  await ctx.facts.record(tx, 'order.changed', { ...aboutOrder(order), kind: 'goodwill', sats })
  await ctx.facts.record(tx, 'money.payable', { playerId })
  return { playerId }
}
