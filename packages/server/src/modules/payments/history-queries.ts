import { array, nullable, sql, t } from '../../db/sql.ts'
import { orderStatus, paymentNetwork } from './queries.ts'

/** The transaction history of a player: one row per order, per refund or excess, and per payout with prizes in it. */
const history = `with rows as (
    select o.id::text as id, 'PAYMENT' as type, o.created_at as at, o.status, o.due_sats as sats,
      o.id as order_id, o.id as cause_order_id, null::bigint as payout_id, o.currency, o.rate_sats, 1 as place
    from orders o where o.player_id = $1
    union all
    select 'refund-' || p.id, 'REFUND', p.created_at, 'REFUNDED', p.sats, null, coalesce(p.order_id, g.order_id), p.payout_id, null, null, 2
    from payables p left join order_goodwill g on g.payable_id = p.id where p.player_id = $1 and p.kind in ('refund', 'excess')
    union all
    select 'payout-' || o.id, 'PRIZE', o.created_at, case when o.sent_at is null then 'PROCESSING' else 'PAID' end,
      sum(p.sats)::bigint, null, null, o.id, null, null, 3
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
  text: `${history} select id, type, at, status, sats, order_id, cause_order_id, payout_id, currency, rate_sats from rows
    order by at desc, place desc, id desc limit $2 offset $3`,
  params: [t.bigint, t.bigint, t.bigint],
  row: {
    id: t.text,
    type: t.oneOf(['PAYMENT', 'REFUND', 'PRIZE']),
    at: t.epochSeconds,
    status: orderStatus,
    sats: t.bigint,
    orderId: nullable(t.uuid),
    causeOrderId: nullable(t.uuid),
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

/** What proves payouts over Lightning that have arrived. */
export const findReceiptsOfPayouts = sql({
  name: 'payments.find-receipts-of-payouts',
  text: `select payout_id, payment_hash, preimage, invoice from ln_attempts where payout_id = any($1) and preimage is not null`,
  params: [array(t.bigint)],
  row: { payoutId: t.bigint, paymentHash: t.text, preimage: nullable(t.text), invoice: t.text },
})

/** The game and draws of orders: the draws their plays are in, or those they are for; and their play if it is the only one. */
export const findCausesOfOrders = sql({
  name: 'payments.find-causes-of-orders',
  text: `select o.id as order_id, o.game_key, d.draws, case when cardinality(p.ids) = 1 then p.ids[1] end as play_id
    from orders o
    cross join lateral (
      select coalesce(array_agg(id), '{}') as ids, coalesce(array_agg(draw_id), '{}') as draw_ids
      from plays where order_id = o.id
    ) p
    cross join lateral (
      select coalesce(array_agg(number order by start_at), '{}') as draws from draws
      where id = any(case when p.draw_ids = '{}' then o.draw_ids else p.draw_ids end)
    ) d
    where o.id = any($1)`,
  params: [array(t.uuid)],
  row: { orderId: t.uuid, gameKey: t.text, draws: array(t.int), playId: nullable(t.uuid) },
})

/** The plays whose prizes are in payouts, by the start of their draws. */
export const findCausesOfPrizes = sql({
  name: 'payments.find-causes-of-prizes',
  text: `select p.payout_id, d.game_key, d.number, p.play_id, y.order_id
    from payables p join draws d on d.id = p.draw_id join plays y on y.id = p.play_id
    where p.payout_id = any($1) and p.kind = 'prize'
    group by p.payout_id, d.id, p.play_id, y.order_id order by p.payout_id, d.start_at`,
  params: [array(t.bigint)],
  row: { payoutId: t.bigint, gameKey: t.text, number: t.int, playId: t.uuid, orderId: t.uuid },
})
