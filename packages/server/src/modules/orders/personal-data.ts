import { maskNumbers } from '@fairball/domain/lines'
import type { Db } from '../../db/pool.ts'
import { exported } from '../../kernel/personal-data.ts'
import * as queries from './personal-data-queries.ts'

/** What a player bought, played and won, as plain JSON for the personal data export; satoshis are strings. */
export async function personalDataOf(db: Db, playerId: bigint) {
  const orders = await db.run(queries.exportOrders, [playerId])
  const lines = Map.groupBy(await db.run(queries.exportLines, [playerId]), (row) => row.orderId)
  const plays = await db.run(queries.exportPlays, [playerId])
  const wins = await db.run(queries.exportWins, [playerId])
  const payments = await db.run(queries.exportPayments, [playerId])
  const invoices = await db.run(queries.exportInvoices, [playerId])
  const overLightning = await db.run(queries.exportLightning, [playerId])
  return {
    orders: orders.map(({ priceMinor, dueSats, ...order }) => ({
      ...exported(order),
      price_minor: String(priceMinor),
      due_sats: String(dueSats),
      lines: (lines.get(order.id) ?? []).flatMap((row) => row.masks.map(maskNumbers)),
      lucky_dips: (lines.get(order.id) ?? []).flatMap((row) => row.dips),
    })),
    invoices: invoices.map((invoice) => exported({ ...invoice, amountSats: String(invoice.amountSats) })),
    lightning_invoices: overLightning.map((invoice) =>
      exported({ ...invoice, amountSats: String(invoice.amountSats) }),
    ),
    payments: payments.map((payment) => exported({ ...payment, sats: String(payment.sats) })),
    free_tickets: (await db.run(queries.exportFreeTickets, [playerId])).map(exported),
    plays: plays.map(exported),
    wins: wins.map((win) => exported({ ...win, amountSats: win.amountSats === null ? null : String(win.amountSats) })),
  }
}
