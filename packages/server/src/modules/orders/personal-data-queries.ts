import { array, nullable, sql, t } from '../../db/sql.ts'

export const exportOrders = sql({
  name: 'orders.export',
  text: `select id, game_key, status, username, created_at, paid_at, days, weeks, line_count, free_count, currency, price_minor, due_sats
    from orders where player_id = $1 order by created_at`,
  params: [t.bigint],
  row: {
    id: t.uuid,
    gameKey: t.text,
    status: t.text,
    username: t.text,
    createdAt: t.epochSeconds,
    paidAt: nullable(t.epochSeconds),
    days: array(t.smallint),
    weeks: t.smallint,
    lineCount: t.int,
    freeCount: t.int,
    currency: t.text,
    priceMinor: t.bigint,
    dueSats: t.bigint,
  },
})

export const exportLines = sql({
  name: 'orders.export-lines',
  text: `select l.order_id, l.masks, l.dips from order_lines l join orders o on o.id = l.order_id
    where o.player_id = $1 order by l.order_id, l.part`,
  params: [t.bigint],
  row: { orderId: t.uuid, masks: array(t.bigint), dips: array(t.bool) },
})

export const exportPlays = sql({
  name: 'orders.export-plays',
  text: `select p.id, p.order_id, d.game_key, d.number, d.start_at from plays p join draws d on d.id = p.draw_id
    where p.player_id = $1 order by d.start_at, p.id`,
  params: [t.bigint],
  row: { id: t.uuid, orderId: t.uuid, gameKey: t.text, number: t.int, startAt: t.epochSeconds },
})

export const exportWins = sql({
  name: 'orders.export-wins',
  text: `select w.play_id, w.line_no, w.matches, w.win_type, w.amount_sats from wins w join draws d on d.id = w.draw_id
    where w.player_id = $1 and d.status = 'settled' order by w.draw_id, w.play_id, w.line_no`,
  params: [t.bigint],
  row: {
    playId: t.uuid,
    lineNo: t.int,
    matches: t.smallint,
    winType: t.text,
    amountSats: nullable(t.bigint),
  },
})

export const exportPayments = sql({
  name: 'orders.export-payments',
  text: `select p.outpoint, p.order_id, p.sats, p.seen_at, p.confirmed_at, p.network
    from payments p join orders o on o.id = p.order_id where o.player_id = $1 order by p.seen_at, p.outpoint`,
  params: [t.bigint],
  row: {
    outpoint: t.text,
    orderId: t.uuid,
    sats: t.bigint,
    seenAt: t.epochSeconds,
    confirmedAt: nullable(t.epochSeconds),
    network: t.text,
  },
})

export const exportInvoices = sql({
  name: 'orders.export-invoices',
  text: `select i.order_id, i.amount_sats, i.address, i.expires_at
    from invoices i join orders o on o.id = i.order_id where o.player_id = $1 order by i.expires_at, i.order_id`,
  params: [t.bigint],
  row: { orderId: t.uuid, amountSats: t.bigint, address: nullable(t.text), expiresAt: t.epochSeconds },
})

export const exportLightning = sql({
  name: 'orders.export-lightning',
  text: `select l.order_id, l.payment_hash, l.amount_sats, l.bolt11, l.expires_at, l.paid_at
    from ln_invoices l join orders o on o.id = l.order_id where o.player_id = $1 order by l.expires_at, l.order_id`,
  params: [t.bigint],
  row: {
    orderId: t.uuid,
    paymentHash: t.text,
    amountSats: t.bigint,
    bolt11: nullable(t.text),
    expiresAt: t.epochSeconds,
    paidAt: nullable(t.epochSeconds),
  },
})

export const exportFreeTickets = sql({
  name: 'orders.export-free-tickets',
  text: 'select game_key, won, used, held from free_tickets where player_id = $1 order by game_key',
  params: [t.bigint],
  row: { gameKey: t.text, won: t.int, used: t.int, held: t.int },
})
