import { maskNumbers } from '@fairball/domain/lines'
import type { Db } from '../../db/pool.ts'
import * as queries from './personal-data-queries.ts'

/** What a player bought, played and won, as plain JSON for the export of personal data; satoshis are texts. */
export async function personalDataOf(db: Db, playerId: bigint) {
  const orders = await db.run(queries.exportOrders, [playerId])
  const lines = Map.groupBy(await db.run(queries.exportLines, [playerId]), (row) => row.order_id)
  const plays = await db.run(queries.exportPlays, [playerId])
  const wins = await db.run(queries.exportWins, [playerId])
  const payments = await db.run(queries.exportPayments, [playerId])
  const invoices = await db.run(queries.exportInvoices, [playerId])
  return {
    orders: orders.map(({ price_minor, due_sats, ...order }) => ({
      ...order,
      price_pence: String(price_minor),
      due_sats: String(due_sats),
      lines: (lines.get(order.id) ?? []).flatMap((row) => row.masks.map(maskNumbers)),
    })),
    invoices: invoices.map(({ amount_sats, ...invoice }) => ({ ...invoice, amount_sats: String(amount_sats) })),
    payments: payments.map(({ sats, ...payment }) => ({ ...payment, sats: String(sats) })),
    free_tickets: await db.run(queries.exportFreeTickets, [playerId]),
    plays,
    wins: wins.map(({ amount_sats, ...win }) => ({
      ...win,
      amount_sats: amount_sats === null ? null : String(amount_sats),
    })),
  }
}
