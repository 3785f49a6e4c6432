import type { Tx } from '../../db/pool.ts'
import { losses, received, winnings } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import { aboutOrder, appliedSats, type LockedOrder, subjectOf } from './locked-order.ts'
import type { OrderNews, RefundReason } from './news.ts'
import * as queries from './queries.ts'

export interface GivingBackDeps {
  readonly ledger: Ledger
  /** Called in the transaction in which money became owed to a player. */
  readonly onOwed: (tx: Tx, playerId: bigint) => Promise<void>
  readonly tell: (tx: Tx, news: OrderNews) => Promise<void>
}

/** Money of an order that its player gets back. */
export function createGivingBack(deps: GivingBackDeps) {
  const { ledger } = deps

  /**
   * What came beyond what the order keeps goes to the player's winnings, each satoshi once, and the player is told; what
   * the operator lost on this order is made good first.
   *
   * @param why `excess` of an order that is PAID, or why the money is refunded
   */
  async function giveBack(
    tx: Tx,
    order: LockedOrder,
    money: { why: 'excess' | RefundReason; totals: { readonly confirmedSats: bigint; readonly now: number } },
  ): Promise<void> {
    const { why, totals } = money
    const { confirmedSats, now } = totals
    const kind = why === 'excess' ? why : 'refund'
    const applied = await appliedSats(tx, order, kind === 'excess' ? order.due_sats : 0n)
    const waitingSats = confirmedSats - applied
    if (waitingSats <= 0n) return
    const madeGoodSats = order.lost_sats < waitingSats ? order.lost_sats : waitingSats
    const sats = waitingSats - madeGoodSats
    const subject = subjectOf(order, `${order.id}:${confirmedSats}`)
    await ledger.post(tx, {
      event: kind === 'excess' ? 'order.excess' : 'order.refund',
      subject,
      at: now,
      moves: [
        { from: received, to: winnings(order.player_id), sats },
        { from: received, to: losses, sats: madeGoodSats },
      ],
    })
    if (order.times_reversed > 0)
      await tx.run(queries.keepReversedMoney, [order.id, confirmedSats, order.lost_sats - madeGoodSats])
    const about = { ...aboutOrder(order), sats, subject }
    if (why !== 'excess') await deps.tell(tx, { ...about, kind: 'refunded', keptSats: madeGoodSats, reason: why })
    else if (sats > 0n) await deps.tell(tx, { ...about, kind: 'excess' })
    if (sats === 0n) return
    await tx.run(queries.insertPayable, [now, sats, order.player_id, kind, `order:${subject}`, order.id])
    if (kind === 'refund') await tx.run(queries.insertRefund, [order.id, sats, now])
    await deps.onOwed(tx, order.player_id)
  }

  return { giveBack }
}
