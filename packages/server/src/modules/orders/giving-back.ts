import type { Tx } from '../../db/pool.ts'
import type { RefundReason } from '../../kernel/facts.ts'
import { losses, received, winnings } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import type { OrdersContext } from './context.ts'
import { aboutOrder, appliedSats, type LockedOrder, subjectOf } from './locked-order.ts'
import * as queries from './queries.ts'

/**
 * Adds what an order does not keep to the player's winnings, each satoshi once, and tells the player. What the operator
 * lost on this order is made good first.
 *
 * @param why `excess` of an order that is PAID, or why the money is refunded
 */
export async function giveBack(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  money: { why: 'excess' | RefundReason; totals: { readonly confirmedSats: bigint; readonly now: number } },
): Promise<void> {
  const { why, totals } = money
  const { confirmedSats, now } = totals
  const kind = why === 'excess' ? why : 'refund'
  const applied = await appliedSats(tx, order, kind === 'excess' ? order.dueSats : 0n)
  const waitingSats = confirmedSats - applied
  if (waitingSats <= 0n) return
  const madeGoodSats = order.lostSats < waitingSats ? order.lostSats : waitingSats
  const sats = waitingSats - madeGoodSats
  const subject = subjectOf(order, `${order.id}:${confirmedSats}`)
  await postTransfer(tx, {
    event: kind === 'excess' ? 'order.excess' : 'order.refund',
    subject,
    at: now,
    moves: [
      { from: received, to: winnings(order.playerId), sats },
      { from: received, to: losses, sats: madeGoodSats },
    ],
  })
  if (order.timesReversed > 0)
    await tx.execute(queries.keepReversedMoney, [order.id, confirmedSats, order.lostSats - madeGoodSats])
  const about = { ...aboutOrder(order), sats, subject }
  if (why !== 'excess')
    await ctx.facts.record(tx, 'order.changed', { ...about, kind: 'refunded', keptSats: madeGoodSats, reason: why })
  else if (sats > 0n) await ctx.facts.record(tx, 'order.changed', { ...about, kind: 'excess' })
  if (sats === 0n) return
  await tx.execute(queries.insertPayable, {
    now,
    sats,
    playerId: order.playerId,
    kind,
    source: `order:${subject}`,
    orderId: order.id,
  })
  if (kind === 'refund') await tx.execute(queries.insertRefund, [order.id, sats, now])
  await ctx.facts.record(tx, 'money.payable', { playerId: order.playerId })
}
