import { array, nullable, sql, t } from '../../db/sql.ts'
import { orderStatus, paymentNetwork } from './queries.ts'

/** The transaction history of a player: one row per order, per refund or excess, and per payout with prizes in it. */
const history = `with rows as (
    select o.id::text as id, 'PAYMENT' as type, o.created_at as at, o.status, o.due_sats as sats,
      o.id as order_id, null::bigint as payout_id, o.currency, o.rate_sats, 1 as place
    from orders o where o.player_id = $1
    union all
    select 'refund-' || p.id, 'REFUND', p.created_at, 'REFUNDED', p.sats, null, p.payout_id, null, null, 2
    from payables p where p.player_id = $1 and p.kind in ('refund', 'excess')
    union all
    select 'payout-' || o.id, 'PRIZE', o.created_at, case when o.sent_at is null then 'PROCESSING' else 'PAID' end,
      sum(p.sats)::bigint, null, o.id, null, null, 3
    from payouts o join payables p on p.payout_id = o.id and p.kind = 'prize'
    where o.player_id = $1 group by o.id
  )`

export const countHistory = sql({
  name: 'payments.count-history',
  text: `${history} select count(*)::int as row_count from rows`,
  params: [t.bigint],
  row: { rowCount: t.int },
})

export const listHistory = sql({
  name: 'payments.list-history',
  text: `${history} select id, type, at, status, sats, order_id, payout_id, currency, rate_sats from rows
    order by at desc, place desc, id desc limit $2 offset $3`,
  params: [t.bigint, t.bigint, t.bigint],
  row: {
    id: t.text,
    type: t.oneOf(['PAYMENT', 'REFUND', 'PRIZE']),
    at: t.epochSeconds,
    status: orderStatus,
    sats: t.bigint,
    orderId: nullable(t.uuid),
    payoutId: nullable(t.bigint),
    currency: nullable(t.text),
    rateSats: nullable(t.bigint),
  },
})

export const findPaymentsOfOrders = sql({
  name: 'payments.find-payments-of-orders',
  text: `select order_id, outpoint, network from payments where order_id = any($1) and gone_at is null
    order by seen_at, outpoint`,
  params: [array(t.uuid)],
  row: { orderId: t.uuid, outpoint: t.text, network: paymentNetwork },
})

/** The transactions that payouts left in, each by the version in force; a payout not sent yet has none. */
export const findTxidsOfPayouts = sql({
  name: 'payments.find-txids-of-payouts',
  text: `select p.id as payout_id, x.txid from payouts p cross join lateral (
      select x.txid from payout_txs x join payout_batches b on b.id = x.batch_id where x.batch_id = p.batch_id
      order by x.version = b.version desc nulls last, x.version desc limit 1
    ) x where p.id = any($1) and p.sent_at is not null`,
  params: [array(t.bigint)],
  row: { payoutId: t.bigint, txid: t.text },
})
