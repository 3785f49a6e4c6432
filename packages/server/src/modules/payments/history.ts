import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { shownStatus } from '@fairball/domain/order-status'
import type { AnswerOf } from '@fairball/contract/calls'
import type { TransactionRow } from '@fairball/contract/schemas/account'
import type { Db } from '../../db/pool.ts'
import { pageRange, totalPages } from '../../http/paging.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { amountOf } from './amounts.ts'
import { txidOf } from './checkout.ts'
import { explorerLink } from './explorer.ts'
import * as queries from './queries.ts'
import { currentRates, ratesAt } from './rates.ts'

/** The history of a player's money. */
export function createHistory(deps: {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly network: BitcoinNetwork
  /** an explorer's address up to the transaction's id; the network's usual one without it */
  readonly explorerUrl?: string | null
}) {
  const { db, runtime } = deps

  /** One page of a player's payments, refunds and prizes, the newest first. */
  async function historyOf(playerId: bigint, page: number): Promise<AnswerOf<'getTransactions'>> {
    const { row_count } = await db.one(queries.countHistory, [playerId])
    const { limit, offset } = pageRange(page)
    const rows = await db.run(queries.listHistory, [playerId, BigInt(limit), BigInt(offset)])

    const orderIds = rows.flatMap((row) => (row.order_id === null ? [] : [row.order_id]))
    const payoutIds = rows.flatMap((row) => (row.payout_id === null ? [] : [row.payout_id]))
    const payments = await db.run(queries.findPaymentsOfOrders, [orderIds])
    const payouts = await db.run(queries.findTxidsOfPayouts, [payoutIds])
    const present = await currentRates(db, runtime.clock.now())
    const past = await ratesAt(
      db,
      rows.map((row) => row.at),
    )

    const results = rows.map((row): TransactionRow => {
      const paidBy = payments.filter((payment) => payment.order_id === row.order_id)
      const txids = [
        ...paidBy.filter((payment) => payment.network === 'ONCHAIN').map((payment) => txidOf(payment.outpoint)),
        ...payouts.filter((payout) => payout.payout_id === row.payout_id).map((payout) => payout.txid),
      ]
      // A currency added later has no rate of that time.
      const rates = new Map([...present, ...(past.get(row.at) ?? [])])
      if (row.rate_sats !== null) rates.set('GBP', row.rate_sats)
      return {
        id: row.id,
        datetime: row.at,
        type: row.type,
        network: txids.length > 0 ? 'ONCHAIN' : paidBy.length > 0 ? 'LIGHTNING' : 'BITCOIN',
        transactions: [...new Set(txids)].map((txid) => {
          return { tnx_link: explorerLink(deps.network, deps.explorerUrl ?? null, txid), tnx_label: txid }
        }),
        status: shownStatus(row.status),
        amount: amountOf(row.sats, rates),
      }
    })
    return { results, total_pages: totalPages(row_count) }
  }

  return { historyOf }
}
