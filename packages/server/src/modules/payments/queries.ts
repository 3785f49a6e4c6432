import { HOLD_SECONDS, ORDER_STATUSES } from '@fairball/domain/order-status'
import { array, columnList, nullable, sql, t } from '../../db/sql.ts'

export const orderStatus = t.oneOf(ORDER_STATUSES)
export const paymentNetwork = t.oneOf(['ONCHAIN', 'LIGHTNING'])

const orderRow = {
  id: t.uuid,
  playerId: t.bigint,
  gameKey: t.text,
  status: orderStatus,
  createdAt: t.epochSeconds,
  paidAt: nullable(t.epochSeconds),
  expiresAt: t.epochSeconds,
  dueSats: t.bigint,
  currency: t.text,
  rateSats: t.bigint,
  lineCount: t.int,
  drawIds: array(t.bigint),
  drawPricesMinor: array(t.bigint),
  secret: t.bytea,
  endedBecause: nullable(t.oneOf(['PAUSE', 'WEEKLY_LIMIT'])),
}
/** The confirmations that the promise for an order names; null for an order without one. */
const promisedConfirmations = `substring(promise from '\\nconfirmations ([0-9]+)\\n')::int as promised_confirmations`

/**
 * Includes what has to come for the order in total (its cost, unless a reorganisation changed that), until when it is
 * held, and when its payments were last read since its expiry.
 */
const orderWithTerms = {
  ...orderRow,
  gameName: t.text,
  neededSats: t.bigint,
  heldUntil: t.epochSeconds,
  readAt: nullable(t.epochSeconds),
  promisedConfirmations: nullable(t.int),
}
const orderColumns = `${columnList(orderRow)}, (select g.name from games g where g.key = game_key) as game_name, read_at, coalesce(needed_sats, due_sats) as needed_sats,
  expires_at + ${HOLD_SECONDS} + hold_added_seconds as held_until, ${promisedConfirmations}`

export const findOrder = sql({
  name: 'payments.find-order',
  text: `select ${orderColumns} from orders where id = $1`,
  params: [t.uuid],
  row: orderWithTerms,
})

/** The part of a payment that was seen in payments that it replaced. */
const replacing = {
  earlierAt: nullable(array(t.epochSeconds)),
  earlierSats: nullable(array(t.bigint)),
}

/**
 * What is known before a check of an order: its invoice, and a row for each payment. Without payments there is one row
 * with the invoice only.
 */
export const findBeforeLook = sql({
  name: 'payments.find-before-look',
  text: `select o.player_id, o.status, o.expires_at, i.provider, i.ref, p.outpoint, p.sats, p.seen_at, p.mined_at, p.confirmed_at, p.final_at, p.missing_since,
      p.inputs, p.earlier_at, p.earlier_sats, o.expires_at + ${HOLD_SECONDS} + o.hold_added_seconds as held_until, ${promisedConfirmations}
    from orders o left join invoices i on i.order_id = o.id
    left join payments p on p.order_id = o.id and p.gone_at is null
    where o.id = $1 order by p.seen_at, p.outpoint`,
  params: [t.uuid],
  row: {
    playerId: t.bigint,
    status: orderStatus,
    expiresAt: t.epochSeconds,
    provider: nullable(t.text),
    ref: nullable(t.text),
    outpoint: nullable(t.text),
    sats: nullable(t.bigint),
    seenAt: nullable(t.epochSeconds),
    minedAt: nullable(t.epochSeconds),
    confirmedAt: nullable(t.epochSeconds),
    finalAt: nullable(t.epochSeconds),
    missingSince: nullable(t.epochSeconds),
    inputs: nullable(array(t.text)),
    ...replacing,
    heldUntil: t.epochSeconds,
    promisedConfirmations: nullable(t.int),
  },
  serves: 'each',
})

/** Two checks of one order wait for each other here: the later one sees what the earlier one wrote. */
export const lockOrder = sql({
  name: 'payments.lock-order',
  text: `select ${orderColumns} from orders where id = $1 for update`,
  params: [t.uuid],
  row: orderWithTerms,
  serves: 'each',
})

/** The lines of an order, as masks, in the order they were given; `dips` is empty for an order that did not keep them. */
export const findLines = sql({
  name: 'payments.find-lines',
  text: `select masks, dips from order_lines where order_id = $1 order by part`,
  params: [t.uuid],
  row: { masks: array(t.bigint), dips: array(t.bool) },
})

/** The draws of an order, by start: those its plays are in, or those it is for while it has none. */
export const findDrawsOfOrder = sql({
  name: 'payments.find-draws-of-order',
  text: `select d.number, d.start_at, d.closes_at, p.id as play_id
    from (
      select draw_id, id from plays where order_id = $1
      union all
      select n.draw_id, null from orders o cross join unnest(o.draw_ids) as n (draw_id)
      where o.id = $1 and not exists (select from plays where order_id = $1)
    ) p join draws d on d.id = p.draw_id order by d.start_at, d.number`,
  params: [t.uuid],
  row: { number: t.int, startAt: t.epochSeconds, closesAt: t.epochSeconds, playId: nullable(t.uuid) },
})

/**
 * The entries of an order that are in a later draw than the order named: it was paid after the close, or the draw was
 * void.
 */
export const findMoves = sql({
  name: 'payments.find-moves',
  text: `select left_draw.number as left_number, joined.number as joined_number, joined.start_at
    from plays p join draws joined on joined.id = p.draw_id join draws left_draw on left_draw.id = p.moved_from_draw_id
    where p.order_id = $1 order by joined.start_at`,
  params: [t.uuid],
  row: { leftNumber: t.int, joinedNumber: t.int, startAt: t.epochSeconds },
})

/** Whether payments are taken at an address, or the operator's own deposits. */
export const takesPaymentsAt = sql({
  name: 'payments.takes-payments-at',
  text: `select exists (select from invoices where address = $1)
      or exists (select from deposit_addresses where address = $1) as is_ours`,
  params: [t.text],
  row: { isOurs: t.bool },
})

export const findInvoice = sql({
  name: 'payments.find-invoice',
  text: `select ref, provider, checkout_url, address, amount_sats, expires_at from invoices where order_id = $1`,
  params: [t.uuid],
  row: {
    ref: t.text,
    provider: t.text,
    checkoutUrl: t.text,
    address: nullable(t.text),
    amountSats: t.bigint,
    expiresAt: t.epochSeconds,
  },
})

/**
 * The invoice of an order with the promise that was stored with it: in one statement, so neither is seen without the
 * other.
 */
export const findOpened = sql({
  name: 'payments.find-opened',
  text: `select i.checkout_url, o.promise, o.secret from invoices i join orders o on o.id = i.order_id where o.id = $1`,
  params: [t.uuid],
  row: { checkoutUrl: t.text, promise: nullable(t.text), secret: t.bytea },
})

/** The papers of an order as its player got them; null before it has a promise. */
export const findPromise = sql({
  name: 'payments.find-promise',
  text: `select promise from orders where id = $1`,
  params: [t.uuid],
  row: { promise: nullable(t.text) },
})

/** Stores the promise for an order that costs nothing. The first one stays. */
export const storePromise = sql({
  name: 'payments.store-promise',
  text: `update orders set promise = coalesce(promise, $2) where id = $1 returning promise`,
  params: [t.uuid, t.text],
  row: { promise: t.text },
})

/**
 * Stores the invoice of an order, unless the order was ended early or has one already: the first one stays, and the
 * promise that names it. The order's row is locked, so ending it either comes before this or sees the invoice.
 */
export const storeInvoice = sql({
  name: 'payments.store-invoice',
  text: `with held as (
      select m.*, o.due_sats, o.status = 'EXPIRED' and o.expires_at > m.now as is_given_up
      from $each m join orders o on o.id = m.order_id order by m.place for update of o
    ), stored as (
      insert into invoices (order_id, provider, ref, address, checkout_url, amount_sats, expires_at)
      select order_id, provider, ref, address, checkout_url, due_sats, expires_at from held where not is_given_up
      on conflict (order_id) do nothing returning order_id
    ), promised as (
      update orders set promise = held.promise from held join stored using (order_id) where orders.id = held.order_id
    ), made as (
      update ln_invoices l set bolt11 = held.bolt11 from held join stored using (order_id) where l.order_id = held.order_id and l.bolt11 is null
    )
    select held.place, held.is_given_up, stored.order_id is not null as is_stored from held left join stored using (order_id)`,
  params: {
    orderId: t.uuid,
    provider: t.text,
    ref: t.text,
    address: nullable(t.text),
    checkoutUrl: t.text,
    expiresAt: t.epochSeconds,
    promise: t.text,
    bolt11: nullable(t.text),
    now: t.epochSeconds,
  },
  row: { isGivenUp: t.bool, isStored: t.bool },
  serves: 'each',
})

/** The provider's last answer about an invoice; written only if it differs from the stored one. */
export const storeWords = sql({
  name: 'payments.store-words',
  text: `update invoices set words = m.words, words_at = m.at from $each m
    where invoices.order_id = m.order_id and invoices.words is distinct from m.words and (words_at is null or words_at <= m.at)`,
  params: { orderId: t.uuid, words: t.text, at: t.epochSeconds },
  serves: 'each',
})

/** Everything that ever counted for an order or may still count, even what is gone. */
export const findAllPayments = sql({
  name: 'payments.find-all-payments',
  text: `select outpoint, sats, seen_at, mined_at, confirmed_at, final_at, missing_since, earlier_at, earlier_sats, gone_at, times_reversed
    from payments
    where order_id = $1 order by seen_at, outpoint`,
  params: [t.uuid],
  row: {
    outpoint: t.text,
    sats: t.bigint,
    seenAt: t.epochSeconds,
    minedAt: nullable(t.epochSeconds),
    confirmedAt: nullable(t.epochSeconds),
    finalAt: nullable(t.epochSeconds),
    missingSince: nullable(t.epochSeconds),
    ...replacing,
    goneAt: nullable(t.epochSeconds),
    timesReversed: t.int,
  },
})

export const findPayments = sql({
  name: 'payments.find-payments',
  text: `select outpoint, sats, seen_at, mined_at, confirmed_at, final_at, missing_since, earlier_at, earlier_sats, network
    from payments
    where order_id = $1 and gone_at is null order by seen_at, outpoint`,
  params: [t.uuid],
  row: {
    outpoint: t.text,
    sats: t.bigint,
    seenAt: t.epochSeconds,
    minedAt: nullable(t.epochSeconds),
    confirmedAt: nullable(t.epochSeconds),
    finalAt: nullable(t.epochSeconds),
    missingSince: nullable(t.epochSeconds),
    ...replacing,
    network: paymentNetwork,
  },
  serves: 'each',
})

/**
 * Known outpoints stay as they are; one that had gone exists again. `inputs`: what each spends, separated by commas; empty
 * if that is not shown, or stored with another outpoint of its transaction.
 */
export const insertPayments = sql({
  name: 'payments.insert-payments',
  text: `insert into payments (order_id, outpoint, sats, seen_at, network, mined_at, inputs)
    select m.order_id, o.outpoint, o.sats, o.seen_at, o.network, nullif(o.mined_at, 0), string_to_array(nullif(o.inputs, ''), ',')
    from $each m cross join unnest(m.outpoints, m.sats, m.seen_at, m.networks, m.mined_at, m.inputs)
      as o (outpoint, sats, seen_at, network, mined_at, inputs)
    order by o.outpoint
    on conflict (outpoint) do update set gone_at = null, mined_at = excluded.mined_at, inputs = excluded.inputs
      where payments.gone_at is not null and payments.order_id = excluded.order_id`,
  params: {
    orderId: t.uuid,
    outpoints: array(t.text),
    sats: array(t.bigint),
    seenAt: array(t.epochSeconds),
    networks: array(t.text),
    minedAt: array(t.epochSeconds),
    inputs: array(t.text),
  },
  serves: 'each',
})

/** Which of these outpoints are known as unattributed money. */
export const findUnknownAmong = sql({
  name: 'payments.find-unknown-among',
  text: `select outpoint, sats from unknown_deposits where outpoint = any($1) order by outpoint`,
  serves: 'each',
  params: [array(t.text)],
  row: { outpoint: t.text, sats: t.bigint },
})

/** The order that an outpoint pays, or paid once. */
export const findOrderPaidBy = sql({
  name: 'payments.find-order-paid-by',
  text: `select order_id from payments where outpoint = $1`,
  params: [t.text],
  row: { orderId: t.uuid },
})

/** Orders that wait for money at providers other than $1. */
export const countElsewhere = sql({
  name: 'payments.count-elsewhere',
  text: `select count(*)::int as orders, coalesce(array_agg(distinct i.provider), '{}') as providers
    from orders o join invoices i on i.order_id = o.id
    where o.status in ('PENDING', 'PROCESSING', 'UNDERPAID') and i.provider <> $1`,
  params: [t.text],
  row: { orders: t.int, providers: array(t.text) },
})

/** The part of a payment seen earlier, in payments that it replaces: $4 sats from the moments $3 on. */
export const passOn = sql({
  name: 'payments.pass-on',
  text: `update payments set earlier_at = $3, earlier_sats = $4 where order_id = $1 and outpoint = $2`,
  params: [t.uuid, t.text, array(t.epochSeconds), array(t.bigint)],
})

/** When payments came into the blocks that hold them ($3); 0 for those no longer in any. */
export const markMined = sql({
  name: 'payments.mark-mined',
  text: `update payments set mined_at = nullif(m.at, 0) from unnest($2::text[], $3::bigint[]) as m (outpoint, at)
    where payments.order_id = $1 and payments.outpoint = m.outpoint and payments.confirmed_at is null`,
  params: [t.uuid, array(t.text), array(t.epochSeconds)],
})

export const confirmPayments = sql({
  name: 'payments.confirm-payments',
  text: `update payments set confirmed_at = m.now from $each m cross join unnest(m.outpoints) as o (outpoint)
    where payments.order_id = m.order_id and payments.outpoint = o.outpoint and confirmed_at is null
    returning m.place, payments.outpoint, sats, times_reversed, network`,
  serves: 'each',
  params: { orderId: t.uuid, outpoints: array(t.text), now: t.epochSeconds },
  row: { outpoint: t.text, sats: t.bigint, timesReversed: t.int, network: paymentNetwork },
})

/** Only what was never counted may be removed: confirmed money is in the ledger. */
export const deleteUnconfirmed = sql({
  name: 'payments.delete-unconfirmed',
  text: `delete from payments where order_id = $1 and outpoint = any($2) and confirmed_at is null and times_reversed = 0`,
  params: [t.uuid, array(t.text)],
})

/** What counted once stays as a row, so that it is told apart from a new payment when it returns. */
export const markGone = sql({
  name: 'payments.mark-gone',
  text: `update payments set gone_at = $3
    where order_id = $1 and outpoint = any($2) and confirmed_at is null and times_reversed > 0 and gone_at is null`,
  params: [t.uuid, array(t.text), t.epochSeconds],
})

/** Nothing replaces what is final, so what it spends is no longer stored. */
export const markFinal = sql({
  name: 'payments.mark-final',
  text: `update payments set final_at = m.now, missing_since = null, inputs = null
    from $each m cross join unnest(m.outpoints) as o (outpoint)
    where payments.order_id = m.order_id and payments.outpoint = o.outpoint and confirmed_at is not null and final_at is null`,
  serves: 'each',
  params: { orderId: t.uuid, outpoints: array(t.text), now: t.epochSeconds },
})

export const markMissing = sql({
  name: 'payments.mark-missing',
  text: `update payments set missing_since = $3
    where order_id = $1 and outpoint = any($2) and confirmed_at is not null and final_at is null and missing_since is null`,
  params: [t.uuid, array(t.text), t.epochSeconds],
})

export const markFound = sql({
  name: 'payments.mark-found',
  text: `update payments set missing_since = null where order_id = $1 and outpoint = any($2)`,
  params: [t.uuid, array(t.text)],
})

/** Payments that no longer count; $3 are still on their way. Only those found missing at $4 or before. */
export const reversePayments = sql({
  name: 'payments.reverse',
  text: `update payments set confirmed_at = null, mined_at = null, missing_since = null, times_reversed = times_reversed + 1,
      gone_at = case when outpoint = any($onTheirWay) then null else $now::bigint end
    where order_id = $orderId and outpoint = any($outpoints) and confirmed_at is not null and final_at is null
      and missing_since <= $missingSince
    returning outpoint, sats, times_reversed`,
  params: {
    orderId: t.uuid,
    outpoints: array(t.text),
    onTheirWay: array(t.text),
    missingSince: t.epochSeconds,
    now: t.epochSeconds,
  },
  row: { outpoint: t.text, sats: t.bigint, timesReversed: t.int },
})

/** Whether money of an order that once counted was undone by the chain and does not count again. */
export const findTakenBack = sql({
  name: 'payments.find-taken-back',
  text: `select exists (
      select from payments where order_id = $1 and times_reversed > 0 and confirmed_at is null
    ) as taken_back`,
  params: [t.uuid],
  row: { takenBack: t.bool },
})

/** False if the message was stored before. */
export const insertMessage = sql({
  name: 'payments.insert-webhook',
  text: `insert into webhook_inbox (provider, key, ref, received_at) values ($1, $2, $3, $4)
    on conflict (provider, key) do nothing returning key`,
  params: [t.text, t.text, t.text, t.epochSeconds],
  row: { key: t.text },
})

export const deleteOldMessages = sql({
  name: 'payments.delete-old-webhooks',
  text: `delete from webhook_inbox where received_at < $1`,
  params: [t.epochSeconds],
})

export const findOrdersOfRefs = sql({
  name: 'payments.find-orders-of-refs',
  text: `select order_id, ref from invoices where provider = $1 and ref = any($2)`,
  params: [t.text, array(t.text)],
  row: { orderId: t.uuid, ref: t.text },
})

export const findCursor = sql({
  name: 'payments.find-cursor',
  text: `select cursor from provider_cursors where provider = $1`,
  params: [t.text],
  row: { cursor: t.text },
})

/**
 * Two processes that follow a provider at the same time wait for each other here, even while it has no cursor to lock.
 */
export const lockFollowing = sql({
  name: 'payments.lock-following',
  text: `select pg_advisory_xact_lock(hashtextextended('fairball.follow.' || $1, 0))::text as locked`,
  params: [t.text],
  row: { locked: t.text },
})

export const storeCursor = sql({
  name: 'payments.store-cursor',
  text: `insert into provider_cursors (provider, at, cursor) values ($1, $2, $3)
    on conflict (provider) do update set at = excluded.at, cursor = excluded.cursor`,
  params: [t.text, t.epochSeconds, t.text],
})

/** Returns what is reported for the first time, so that there is an alert. */
export const insertUnknown = sql({
  name: 'payments.insert-unknown',
  text: `insert into unknown_deposits (outpoint, sats, seen_at, provider, network) values ($outpoint, $sats, $seenAt, $provider, $network)
    on conflict (outpoint) do nothing returning outpoint`,
  params: { outpoint: t.text, sats: t.bigint, seenAt: t.epochSeconds, provider: t.text, network: paymentNetwork },
  row: { outpoint: t.text },
})

export const confirmUnknown = sql({
  name: 'payments.confirm-unknown',
  text: `update unknown_deposits set confirmed_at = $2, times_confirmed = times_confirmed + 1
    where outpoint = $1 and confirmed_at is null returning sats, times_confirmed`,
  params: [t.text, t.epochSeconds],
  row: { sats: t.bigint, timesConfirmed: t.int },
})

export const finishUnknown = sql({
  name: 'payments.finish-unknown',
  text: `update unknown_deposits set final_at = $2 where outpoint = $1 and confirmed_at is not null and final_at is null`,
  params: [t.text, t.epochSeconds],
})

export const reverseUnknown = sql({
  name: 'payments.reverse-unknown',
  text: `update unknown_deposits set confirmed_at = null, final_at = null where outpoint = $1 and confirmed_at is not null
    returning sats, times_confirmed, taken_confirmation`,
  params: [t.text],
  row: { sats: t.bigint, timesConfirmed: t.int, takenConfirmation: t.int },
})

export const sumUnknown = sql({
  name: 'payments.sum-unknown',
  text: `select count(*)::int as deposits, coalesce(sum(sats), 0)::bigint as sats from unknown_deposits`,
  row: { deposits: t.int, sats: t.bigint },
})

export const countReversed = sql({
  name: 'payments.count-reversed',
  text: `select count(*) filter (where times_reversed > 0)::int as reversed,
      count(*) filter (where missing_since is not null)::int as missing
    from payments where times_reversed > 0 or missing_since is not null`,
  row: { reversed: t.int, missing: t.int },
})
