import type { AnswerOf } from '@fairball/contract/calls'
import type { TransactionRow } from '@fairball/contract/schemas/account'
import { shownStatus } from '@fairball/domain/order-status'
import type { RowOf } from '../../db/sql.ts'
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
  const receipts = new Map(
    (await ctx.db.run(queries.findReceiptsOfPayouts, [payoutIds])).map(
      ({ payoutId, paymentHash, preimage, invoice }) => [
        payoutId,
        { payment_hash: paymentHash, preimage: preimage ?? '', invoice },
      ],
    ),
  )
  const causes = await causesOf(ctx, rows)
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
    const receipt = row.payoutId === null ? null : (receipts.get(row.payoutId) ?? null)
    const isOverLightning = receipt !== null || paidBy.some((payment) => payment.network === 'LIGHTNING')
    if (row.rateSats !== null && row.currency !== null) rates.set(row.currency, row.rateSats)
    return {
      id: row.id,
      ...causes(row),
      datetime: row.at,
      type: row.type,
      network: txids.length > 0 ? 'ONCHAIN' : isOverLightning ? 'LIGHTNING' : 'BITCOIN',
      transactions: [
        ...(isOverLightning ? [OVER_LIGHTNING] : []),
        ...[...new Set(txids)].map((txid) => {
          return { tnx_link: explorerLink(ctx.network, ctx.explorerUrl, txid), tnx_label: txid }
        }),
      ],
      status: shownStatus(row.status),
      amount: amountOf(row.sats, rates),
      receipt,
    }
  })
  return { results, total_pages: totalPages(rowCount) }
}

/** A payment over Lightning is in no transaction that anyone could look at. */
const OVER_LIGHTNING = { tnx_link: null, tnx_label: 'Lightning' }

type HistoryRow = RowOf<typeof queries.listHistory>
type Cause = Pick<TransactionRow, 'game_key' | 'draws' | 'play_id' | 'transaction_id'>

const NO_CAUSE: Cause = { game_key: null, draws: [], play_id: null, transaction_id: null }

/** What rows of the history are about: orders, and the plays whose prizes a payout has. */
async function causesOf(ctx: PaymentsContext, rows: readonly HistoryRow[]): Promise<(row: HistoryRow) => Cause> {
  const ofOrders = rows.flatMap(({ causeOrderId }) => (causeOrderId === null ? [] : [causeOrderId]))
  const ofPrizes = rows.flatMap(({ type, payoutId }) => (type === 'PRIZE' && payoutId !== null ? [payoutId] : []))
  const orders = ofOrders.length === 0 ? [] : await ctx.db.run(queries.findCausesOfOrders, [ofOrders])
  const prizes = ofPrizes.length === 0 ? [] : await ctx.db.run(queries.findCausesOfPrizes, [ofPrizes])
  const orderById = new Map(orders.map((order) => [order.orderId, order]))
  const prizesByPayout = Map.groupBy(prizes, ({ payoutId }) => payoutId)
  return (row) => {
    const order = row.causeOrderId === null ? undefined : orderById.get(row.causeOrderId)
    if (order !== undefined) {
      const { gameKey, draws, orderId, playId } = order
      return { game_key: gameKey, draws, play_id: playId, transaction_id: orderId }
    }
    const won = row.type === 'PRIZE' && row.payoutId !== null ? (prizesByPayout.get(row.payoutId) ?? []) : []
    return won.length === 0 ? NO_CAUSE : causeOfPrizes(won)
  }
}

function causeOfPrizes(won: readonly RowOf<typeof queries.findCausesOfPrizes>[]): Cause {
  const gameKey = onlyOne(won.map((prize) => prize.gameKey))
  return {
    game_key: gameKey,
    draws: gameKey === null ? [] : [...new Set(won.map(({ number }) => number))],
    play_id: onlyOne(won.map(({ playId }) => playId)),
    transaction_id: onlyOne(won.map(({ orderId }) => orderId)),
  }
}

/** The value that all of some are; null if they differ. */
function onlyOne(values: readonly string[]): string | null {
  const [first = null, ...others] = new Set(values)
  return others.length === 0 ? first : null
}
