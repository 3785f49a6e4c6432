import { nullable, sql, t } from '../../db/sql.ts'

/** Of everything that an order can have many of, so much is shown. */
const MOST = 200

/** An order with its player, its invoices and what was received for it. */
export const findOrder = sql({
  name: 'console.find-order',
  text: `select o.id, o.player_id, u.username, o.status, o.game_key, o.created_at, o.expires_at, o.paid_at, o.due_sats, o.line_count,
      cardinality(o.draw_ids) as draws, o.free_count, o.entry_count, o.ended_because, o.times_reversed,
      g.goodwill_sats, g.goodwill_at, i.provider, i.address, i.words, i.words_at, l.payment_hash, l.created_at as lightning_at,
      (select coalesce(sum(p.sats), 0)::bigint from console_payments p
        where p.order_id = o.id and p.confirmed_at is not null and p.gone_at is null) as received_sats
    from console_orders o join console_players u on u.id = o.player_id
    join console_order_money g on g.id = o.id
    left join console_invoices i on i.order_id = o.id left join console_ln_invoices l on l.order_id = o.id
    where o.id = $1`,
  params: [t.uuid],
  row: {
    id: t.uuid,
    playerId: t.bigint,
    username: t.text,
    status: t.text,
    gameKey: t.text,
    createdAt: t.epochSeconds,
    expiresAt: t.epochSeconds,
    paidAt: nullable(t.epochSeconds),
    dueSats: t.bigint,
    lineCount: t.int,
    draws: t.int,
    freeCount: t.int,
    entryCount: t.int,
    endedBecause: nullable(t.text),
    timesReversed: t.int,
    goodwillSats: t.bigint,
    goodwillAt: nullable(t.epochSeconds),
    provider: nullable(t.text),
    address: nullable(t.text),
    words: nullable(t.text),
    wordsAt: nullable(t.epochSeconds),
    paymentHash: nullable(t.text),
    lightningAt: nullable(t.epochSeconds),
    receivedSats: t.bigint,
  },
})

/** The payments of an order. */
export const listPayments = sql({
  name: 'console.list-payments',
  text: `select outpoint, network, sats, seen_at, confirmed_at, missing_since, gone_at, times_reversed from console_payments
    where order_id = $1 order by seen_at, outpoint limit ${MOST}`,
  params: [t.uuid],
  row: {
    outpoint: t.text,
    network: t.text,
    sats: t.bigint,
    seenAt: t.epochSeconds,
    confirmedAt: nullable(t.epochSeconds),
    missingSince: nullable(t.epochSeconds),
    goneAt: nullable(t.epochSeconds),
    timesReversed: t.int,
  },
})

/** The plays of an order, each with its draw, its receipt and, once the last ball of the draw was shown, what it won. */
export const listPlays = sql({
  name: 'console.list-plays',
  text: `select p.id, p.line_count, p.receipt_at, p.move_reason, p.returned_at, d.game_key, d.number, d.status, d.end_at, d.closed_at,
      m.number as moved_from, r.made_at as receipt_made_at, w.sats as won_sats, w.free_tickets
    from console_plays p join console_draws d on d.id = p.draw_id
    left join console_draws m on m.id = p.moved_from_draw_id
    left join console_receipts r on r.order_id = p.order_id and r.place = p.place and r.draw_id = p.draw_id
    cross join lateral (select coalesce(sum(amount_sats), 0)::bigint as sats, count(*) filter (where win_type = 'FREE_TICKET') as free_tickets
      from console_wins where play_id = p.id and d.end_at <= $2) w
    where p.order_id = $1 order by d.start_at, p.id limit ${MOST}`,
  params: [t.uuid, t.epochSeconds],
  row: {
    id: t.uuid,
    lineCount: t.int,
    receiptAt: t.epochSeconds,
    moveReason: nullable(t.text),
    returnedAt: nullable(t.epochSeconds),
    gameKey: t.text,
    number: t.int,
    status: t.text,
    endAt: t.epochSeconds,
    closedAt: nullable(t.epochSeconds),
    movedFrom: nullable(t.int),
    receiptMadeAt: nullable(t.epochSeconds),
    wonSats: t.bigint,
    freeTickets: t.whole,
  },
})

/** What was given back of an order, and the payouts that its returns and prizes are in. */
export const listOwed = sql({
  name: 'console.list-owed',
  text: `with own as (
      select b.kind, b.created_at, b.sats, b.payout_id from console_payables b where b.order_id = $1
      union all
      select b.kind, b.created_at, b.sats, b.payout_id from console_plays p
      join console_payables b on b.draw_id = p.draw_id and b.play_id = p.id and b.kind = 'prize' where p.order_id = $1)
    select b.kind, b.created_at, sum(b.sats)::bigint as sats, p.id as payout_id, p.batch_id, p.created_at as made_at, p.sent_at,
      (select x.txid from console_payout_txs x where x.batch_id = p.batch_id and p.sent_at is not null
        order by x.version desc limit 1) as txid
    from own b left join console_payouts p on p.id = b.payout_id
    group by b.kind, b.created_at, p.id, p.batch_id, p.created_at, p.sent_at order by b.created_at, b.kind, p.id limit ${MOST}`,
  params: [t.uuid],
  row: {
    kind: t.text,
    createdAt: t.epochSeconds,
    sats: t.bigint,
    payoutId: nullable(t.bigint),
    batchId: nullable(t.bigint),
    madeAt: nullable(t.epochSeconds),
    sentAt: nullable(t.epochSeconds),
    txid: nullable(t.text),
  },
})
