import { ORDER_STATUSES } from '@fairball/domain/order-status'
import { array, nullable, sql, t } from '../../db/sql.ts'

const orderStatus = t.oneOf(ORDER_STATUSES)
const paymentNetwork = t.oneOf(['ONCHAIN', 'LIGHTNING'])

const orderRow = {
  id: t.uuid,
  player_id: t.bigint,
  game_key: t.text,
  status: orderStatus,
  created_at: t.epochSeconds,
  expires_at: t.epochSeconds,
  due_sats: t.bigint,
  rate_sats: t.bigint,
  line_count: t.int,
  draw_ids: array(t.bigint),
}
const orderColumns = Object.keys(orderRow).join(', ')

export const findOrder = sql({
  name: 'payments.find-order',
  text: `select ${orderColumns} from orders where id = $1`,
  params: [t.uuid],
  row: orderRow,
})

/** Two looks at one order wait for each other here: the later one sees what the earlier one wrote. */
export const lockOrder = sql({
  name: 'payments.lock-order',
  text: `select ${orderColumns} from orders where id = $1 for update`,
  params: [t.uuid],
  row: orderRow,
})

/** The entries of an order that stand in a later draw than the order named: it was paid after the close, or the draw was void. */
export const findMoves = sql({
  name: 'payments.find-moves',
  text: `select left_draw.number as left_number, joined.number as joined_number, joined.start_at
    from plays p join draws joined on joined.id = p.draw_id join draws left_draw on left_draw.id = p.moved_from_draw_id
    where p.order_id = $1 order by joined.start_at`,
  params: [t.uuid],
  row: { left_number: t.int, joined_number: t.int, start_at: t.epochSeconds },
})

export const findInvoice = sql({
  name: 'payments.find-invoice',
  text: `select ref, provider, checkout_url, address, amount_sats, expires_at from invoices where order_id = $1`,
  params: [t.uuid],
  row: {
    ref: t.text,
    provider: t.text,
    checkout_url: t.text,
    address: nullable(t.text),
    amount_sats: t.bigint,
    expires_at: t.epochSeconds,
  },
})

/** The first invoice stored for an order stays. */
export const insertInvoice = sql({
  name: 'payments.insert-invoice',
  text: `insert into invoices (order_id, provider, ref, address, checkout_url, amount_sats, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (order_id) do nothing`,
  params: [t.uuid, t.text, t.text, nullable(t.text), t.text, t.bigint, t.epochSeconds],
})

export const findPayments = sql({
  name: 'payments.find-payments',
  text: `select outpoint, sats, seen_at, confirmed_at, network from payments where order_id = $1
    order by seen_at, outpoint`,
  params: [t.uuid],
  row: {
    outpoint: t.text,
    sats: t.bigint,
    seen_at: t.epochSeconds,
    confirmed_at: nullable(t.epochSeconds),
    network: paymentNetwork,
  },
})

/** Outpoints already known stay as they are. */
export const insertPayments = sql({
  name: 'payments.insert-payments',
  text: `insert into payments (order_id, outpoint, sats, seen_at, network)
    select $1, o.outpoint, o.sats, o.seen_at, o.network
    from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) as o (outpoint, sats, seen_at, network)
    on conflict (outpoint) do nothing`,
  params: [t.uuid, array(t.text), array(t.bigint), array(t.epochSeconds), array(t.text)],
})

export const confirmPayments = sql({
  name: 'payments.confirm-payments',
  text: `update payments set confirmed_at = $3
    where order_id = $1 and outpoint = any($2) and confirmed_at is null returning outpoint, sats`,
  params: [t.uuid, array(t.text), t.epochSeconds],
  row: { outpoint: t.text, sats: t.bigint },
})

/** Only what was never counted may go: confirmed money is in the ledger. */
export const deleteUnconfirmed = sql({
  name: 'payments.delete-unconfirmed',
  text: `delete from payments where order_id = $1 and outpoint = any($2) and confirmed_at is null`,
  params: [t.uuid, array(t.text)],
})

/** The transaction history of a player: one row an order, one a refund or excess, one a payout with prizes in it. */
const history = `with rows as (
    select o.id::text as id, 'PAYMENT' as type, o.created_at as at, o.status, o.due_sats as sats,
      o.id as order_id, null::bigint as payout_id, o.rate_sats, 1 as place
    from orders o where o.player_id = $1
    union all
    select 'refund-' || p.id, 'REFUND', p.created_at, 'REFUNDED', p.sats, null, p.payout_id, null, 2
    from payables p where p.player_id = $1 and p.kind in ('refund', 'excess')
    union all
    select 'payout-' || o.id, 'PRIZE', o.created_at, case when o.sent_at is null then 'PROCESSING' else 'PAID' end,
      sum(p.sats)::bigint, null, o.id, null, 3
    from payouts o join payables p on p.payout_id = o.id and p.kind = 'prize'
    where o.player_id = $1 group by o.id
  )`

export const countHistory = sql({
  name: 'payments.count-history',
  text: `${history} select count(*)::int as row_count from rows`,
  params: [t.bigint],
  row: { row_count: t.int },
})

export const listHistory = sql({
  name: 'payments.list-history',
  text: `${history} select id, type, at, status, sats, order_id, payout_id, rate_sats from rows
    order by at desc, place desc, id desc limit $2 offset $3`,
  params: [t.bigint, t.bigint, t.bigint],
  row: {
    id: t.text,
    type: t.oneOf(['PAYMENT', 'REFUND', 'PRIZE']),
    at: t.epochSeconds,
    status: orderStatus,
    sats: t.bigint,
    order_id: nullable(t.uuid),
    payout_id: nullable(t.bigint),
    rate_sats: nullable(t.bigint),
  },
})

export const findPaymentsOfOrders = sql({
  name: 'payments.find-payments-of-orders',
  text: `select order_id, outpoint, network from payments where order_id = any($1) order by seen_at, outpoint`,
  params: [array(t.uuid)],
  row: { order_id: t.uuid, outpoint: t.text, network: paymentNetwork },
})

/** The transactions that payouts left in; a payout not sent yet has none. */
export const findTxidsOfPayouts = sql({
  name: 'payments.find-txids-of-payouts',
  text: `select p.id as payout_id, x.txid from payouts p cross join lateral (
      select txid from payout_txs where batch_id = p.batch_id order by version desc limit 1
    ) x where p.id = any($1) and p.sent_at is not null`,
  params: [array(t.bigint)],
  row: { payout_id: t.bigint, txid: t.text },
})

/** Rates read twice in a second stay as they were read first. */
export const insertRates = sql({
  name: 'payments.insert-rates',
  text: `insert into rates (at, currency, sats_per_unit) select $1, r.currency, r.sats_per_unit
    from unnest($2::text[], $3::bigint[]) as r (currency, sats_per_unit) on conflict (currency, at) do nothing`,
  params: [t.epochSeconds, array(t.text), array(t.bigint)],
})

/** The newest rate of each of the currencies $2 at each of the moments $1. */
export const findRatesAt = sql({
  name: 'payments.find-rates-at',
  text: `select m.at as asked_at, c.currency, r.at, r.sats_per_unit
    from unnest($1::bigint[]) as m (at) cross join unnest($2::text[]) as c (currency)
    cross join lateral (
      select at, sats_per_unit from rates where rates.currency = c.currency and rates.at <= m.at
      order by rates.at desc limit 1
    ) r`,
  params: [array(t.epochSeconds), array(t.text)],
  row: { asked_at: t.epochSeconds, currency: t.text, at: t.epochSeconds, sats_per_unit: t.bigint },
})
