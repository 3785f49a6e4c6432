import type { AnswerOf } from '@fairball/contract/calls'
import type { TransactionRow } from '@fairball/contract/schemas/account'
import { shownStatus } from '@fairball/domain/order-status'
import { pageRange, totalPages } from '../../kernel/paging.ts'
import { amountOf } from './amounts.ts'
import type { PaymentsContext } from './context.ts'
import { explorerLink, txidOf } from './explorer.ts'
import * as queries from './history-queries.ts'
import { currentRates, ratesAt } from './rates.ts'

/** One page of a player's payments, refunds and prizes, newest first. */
export async function historyOf(
  ctx: PaymentsContext,
  playerId: bigint,
  page: number,
): Promise<AnswerOf<'getTransactions'>> {
  const { rowCount } = await ctx.db.one(queries.countHistory, [playerId])
  const { limit, offset } = pageRange(page)
  const rows = await ctx.db.run(queries.listHistory, [playerId, BigInt(limit), BigInt(offset)])

  const orderIds = rows.flatMap((row) => (row.orderId === null ? [] : [row.orderId]))
  const payoutIds = rows.flatMap((row) => (row.payoutId === null ? [] : [row.payoutId]))
  const payments = await ctx.db.run(queries.findPaymentsOfOrders, [orderIds])
  const payouts = await ctx.db.run(queries.findTxidsOfPayouts, [payoutIds])
  const present = await currentRates(ctx.db, ctx.runtime.clock.now())
  const past = await ratesAt(
    ctx.db,
    rows.map((row) => row.at),
  )

  const results = rows.map((row): TransactionRow => {
    const paidBy = payments.filter((payment) => payment.orderId === row.orderId)
    const txids = [
      ...paidBy.filter((payment) => payment.network === 'ONCHAIN').map((payment) => txidOf(payment.outpoint)),
      ...payouts.filter((payout) => payout.payoutId === row.payoutId).map((payout) => payout.txid),
    ]
    // A currency added later has no rate of that time.
    const rates = new Map([...present, ...(past.get(row.at) ?? [])])
    if (row.rateSats !== null && row.currency !== null) rates.set(row.currency, row.rateSats)
    return {
      id: row.id,
      datetime: row.at,
      type: row.type,
      network: txids.length > 0 ? 'ONCHAIN' : paidBy.length > 0 ? 'LIGHTNING' : 'BITCOIN',
      transactions: [...new Set(txids)].map((txid) => {
        return { tnx_link: explorerLink(ctx.network, ctx.explorerUrl, txid), tnx_label: txid }
      }),
      status: shownStatus(row.status),
      amount: amountOf(row.sats, rates),
    }
  })
  return { results, total_pages: totalPages(rowCount) }
}
