import { nullable, sql, t } from '../../db/sql.ts'

export const insertLightning = sql({
  name: 'payments.insert-lightning',
  text: `insert into ln_invoices (payment_hash, order_id, created_at, expires_at, closed_at, amount_sats, node_id)
    select hash, order_id, now, expires_at, closed_at, amount_sats, coalesce((select n.node_id from lightning_node n), '') from $each m`,
  params: {
    hash: t.text,
    orderId: t.uuid,
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
    closedAt: nullable(t.epochSeconds),
    amountSats: t.bigint,
  },
  serves: 'each',
})

/** The Lightning invoice of an order, with what its description says, and whether the order's promise names it. */
export const findLightning = sql({
  name: 'payments.find-lightning',
  text: `select l.payment_hash, l.expires_at, l.closed_at, l.paid_at, l.amount_sats, l.node_id, l.bolt11,
      o.line_count as lines, cardinality(o.draw_ids) as draws, g.name as game_name,
      coalesce(position(E'\\npay lightning ' || l.payment_hash || E'\\n' in o.promise) > 0, false) as is_promised
    from ln_invoices l join orders o on o.id = l.order_id join games g on g.key = o.game_key where l.order_id = $1`,
  params: [t.uuid],
  row: {
    paymentHash: t.text,
    expiresAt: t.epochSeconds,
    closedAt: nullable(t.epochSeconds),
    paidAt: nullable(t.epochSeconds),
    amountSats: t.bigint,
    nodeId: t.text,
    bolt11: nullable(t.text),
    lines: t.int,
    draws: t.int,
    gameName: t.text,
    isPromised: t.bool,
  },
})

/** The first answer of the node stays. */
export const storeBolt11 = sql({
  name: 'payments.store-bolt11',
  text: `update ln_invoices set bolt11 = $2 where order_id = $1 and bolt11 is null`,
  params: [t.uuid, t.text],
})

/** Touches no invoice that is closed or paid. */
export const closeLightning = sql({
  name: 'payments.close-lightning',
  text: `update ln_invoices set closed_at = m.now from $each m
    where ln_invoices.order_id = m.order_id and closed_at is null and paid_at is null returning m.place`,
  params: { orderId: t.uuid, now: t.epochSeconds },
  serves: 'each',
})

export const settleLightning = sql({
  name: 'payments.settle-lightning',
  text: `update ln_invoices set received_msat = $2, paid_at = $3 where payment_hash = split_part($1, ':', 2) and paid_at is null`,
  params: [t.text, t.bigint, t.epochSeconds],
})
