import { array, columnList, nullable, sql, t } from '../../db/sql.ts'

/** A player's orders are made one after the other, so limits and free tickets are counted without a race. */
export const lockPlayer = sql({
  name: 'orders.lock-player',
  text: `select id, username from players where id = $1 for no key update`,
  params: [t.bigint],
  row: { id: t.bigint, username: t.text },
  serves: 'each',
})

export const findByIdempotencyKey = sql({
  name: 'orders.find-by-idempotency-key',
  text: `select id, request_hash from orders where player_id = $1 and idempotency_key = $2`,
  params: [t.bigint, t.text],
  row: { id: t.uuid, requestHash: t.bytea },
  serves: 'each',
})

/** Whether an order was made with a secret before. */
export const isSecretKnown = sql({
  name: 'orders.is-secret-known',
  text: `select exists (select from orders where secret = $1) as is_known`,
  params: [t.bytea],
  row: { isKnown: t.bool },
  serves: 'each',
})

/** A player's open orders, and the free tickets for a game that none of them holds. */
export const findStanding = sql({
  name: 'orders.find-standing',
  text: `select count(*)::int as open_orders, min(expires_at) as first_expires_at,
      coalesce((select won - used - held - paid_out from free_tickets where player_id = $1 and game_key = $2), 0) as free_tickets
    from orders where player_id = $1 and status in ('PENDING', 'PROCESSING', 'UNDERPAID')`,
  params: [t.bigint, t.text],
  row: { openOrders: t.int, firstExpiresAt: nullable(t.epochSeconds), freeTickets: t.int },
  serves: 'each',
})

/**
 * What a player has paid for, or is about to pay for, in the draws $2: how many more entries the fullest of them takes,
 * of how many in all; and those of the lines $3 that already exist, with their highest count in one draw. `offset 0` looks the lines up by their order:
 * a plan made while the tables are small would read them all, and is kept when they are large.
 */
export const findStandingLines = sql({
  name: 'orders.find-standing-lines',
  text: `with standing as materialized (
      select draw_id, order_id, line_count from plays where player_id = $1 and draw_id = any($2)
      union all
      select d.draw_id, o.id, o.line_count from orders o cross join unnest(o.draw_ids) as d (draw_id)
      where o.player_id = $1 and o.status in ('PENDING', 'PROCESSING', 'UNDERPAID') and d.draw_id = any($2)
    ), room as (
      select d.most_entries, d.most_entries - coalesce(sum(s.line_count), 0)::int as entries
      from draws d left join standing s on s.draw_id = d.id where d.id = any($2) group by d.id order by 2 limit 1
    ), equal_lines as (
      select x.mask, max(x.times)::int as times from (
        select s.draw_id, e.mask, count(*) as times
        from standing s
        cross join lateral (select masks from order_lines where order_id = s.order_id offset 0) l
        cross join unnest(l.masks) as e (mask)
        where e.mask = any($3) group by s.draw_id, e.mask
      ) x group by x.mask
    )
    select (select entries from room) as room, (select most_entries from room) as most_entries,
      coalesce((select array_agg(mask order by mask) from equal_lines), '{}') as masks,
      coalesce((select array_agg(times order by mask) from equal_lines), '{}') as times`,
  params: [t.bigint, array(t.bigint), array(t.bigint)],
  row: { room: t.int, mostEntries: t.int, masks: array(t.bigint), times: array(t.int) },
  serves: 'each',
})

export const holdFreeTickets = sql({
  name: 'orders.hold-free-tickets',
  text: `with before as materialized (
      select m.place, f.player_id, f.game_key, least(f.won - f.used - f.held - f.paid_out, m.entries) as takes
      from $each m join free_tickets f on f.player_id = m.player_id and f.game_key = m.game_key order by m.place for update of f
    )
    update free_tickets f set held = f.held + before.takes from before
    where f.player_id = before.player_id and f.game_key = before.game_key returning before.place, before.takes`,
  params: { playerId: t.bigint, gameKey: t.text, entries: t.int },
  row: { takes: t.int },
  serves: 'each',
})

export const countFreeTickets = sql({
  name: 'orders.count-free-tickets',
  text: `select won - used - held - paid_out as available from free_tickets where player_id = $1 and game_key = $2`,
  params: [t.bigint, t.text],
  row: { available: t.int },
})

export const useHeldFreeTickets = sql({
  name: 'orders.use-held-free-tickets',
  text: `update free_tickets set held = held - $3, used = used + $3 where player_id = $1 and game_key = $2`,
  params: [t.bigint, t.text, t.int],
})

export const giveBackFreeTickets = sql({
  name: 'orders.give-back-free-tickets',
  text: `update free_tickets set held = held - $3 where player_id = $1 and game_key = $2`,
  params: [t.bigint, t.text, t.int],
})

/** An order with its lines: `parts`, `masks` and `dips` run in parallel, in the order of the lines. */
export const insertOrder = sql({
  name: 'orders.insert',
  text: `with given as materialized (
      select m.* from $each m
    ), made as (
      insert into orders (id, player_id, game_key, status, username, created_at, expires_at, days, weeks, draw_ids,
        line_count, entry_count, free_count, currency, ticket_price_minor, draw_prices_minor, price_minor, rate_sats, due_sats, idempotency_key, request_hash, secret)
      select id, player_id, game_key, 'PENDING', username, now, expires_at, days, weeks, draw_ids, line_count, entry_count, free_count, currency,
        ticket_price_minor, draw_prices_minor, price_minor, rate_sats, due_sats, idempotency_key, request_hash, secret
      from given
    )
    insert into order_lines (order_id, part, masks, dips)
    select g.id, l.part, array_agg(l.mask order by l.place), array_agg(l.dip order by l.place)
    from given g cross join unnest(g.parts, g.masks, g.dips) with ordinality as l (part, mask, dip, place)
    group by g.id, l.part`,
  params: {
    id: t.uuid,
    playerId: t.bigint,
    gameKey: t.text,
    username: t.text,
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
    days: array(t.smallint),
    weeks: t.smallint,
    drawIds: array(t.bigint),
    lineCount: t.int,
    entryCount: t.int,
    freeCount: t.int,
    currency: t.text,
    ticketPriceMinor: t.bigint,
    drawPricesMinor: array(t.bigint),
    priceMinor: t.bigint,
    rateSats: t.bigint,
    dueSats: t.bigint,
    idempotencyKey: nullable(t.text),
    requestHash: t.bytea,
    secret: t.bytea,
    parts: array(t.smallint),
    masks: array(t.bigint),
    dips: array(t.bool),
  },
  serves: 'each',
})

/**
 * What the promise for an order says of it, its lines in the order of the request and its draws in that of their
 * starts.
 */
export const findPromised = sql({
  name: 'orders.find-promised',
  text: `select o.secret, o.expires_at, o.currency, o.rate_sats, o.draw_prices_minor, o.free_count,
      (select array_agg(d.open_hash order by n.place) from unnest(o.draw_ids) with ordinality as n (id, place) join draws d using (id)) as open_hashes,
      (select array_agg(m.mask order by l.part, m.place) from order_lines l
        cross join unnest(l.masks) with ordinality as m (mask, place) where l.order_id = o.id) as masks,
      (select a.address from player_addresses a where a.player_id = o.player_id and a.superseded_at is null order by a.id desc limit 1) as payto
    from orders o where o.id = $1`,
  params: [t.uuid],
  row: {
    secret: t.bytea,
    expiresAt: t.epochSeconds,
    currency: t.text,
    rateSats: t.bigint,
    drawPricesMinor: array(t.bigint),
    freeCount: t.int,
    openHashes: array(t.text),
    masks: array(t.bigint),
    payto: nullable(t.text),
  },
  serves: 'each',
})

const orderRow = {
  id: t.uuid,
  playerId: t.bigint,
  gameKey: t.text,
  status: t.text,
  username: t.text,
  createdAt: t.epochSeconds,
  expiresAt: t.epochSeconds,
  paidAt: nullable(t.epochSeconds),
  drawIds: array(t.bigint),
  lineCount: t.int,
  entryCount: t.int,
  freeCount: t.int,
  currency: t.text,
  drawPricesMinor: array(t.bigint),
  priceMinor: t.bigint,
  rateSats: t.bigint,
  dueSats: t.bigint,
  secret: t.bytea,
  timesReversed: t.int,
  appliedSats: nullable(t.bigint),
  lostSats: t.bigint,
  neededSats: nullable(t.bigint),
  endedBecause: nullable(t.oneOf(['PAUSE', 'WEEKLY_LIMIT'])),
}
const orderColumns = columnList(orderRow)

/** An order as it is decided: with whether its game opens no further draws. */
const decidedRow = { ...orderRow, isGameEnding: t.bool }
const decidedColumns = `${orderColumns}, (select state <> 'active' from games where key = game_key) as is_game_ending`

export const lockOrder = sql({
  name: 'orders.lock',
  text: `select ${decidedColumns} from orders where id = $1 for update`,
  params: [t.uuid],
  row: decidedRow,
  serves: 'each',
})

/** The open orders of a player, each locked, newest first. */
export const lockOpenOrders = sql({
  name: 'orders.lock-open',
  text: `select ${decidedColumns} from orders where player_id = $1 and status in ('PENDING', 'PROCESSING', 'UNDERPAID')
    order by created_at desc, id for update`,
  params: [t.bigint],
  row: decidedRow,
})

/** What was seen of the payments of some orders, confirmed or not. */
export const findSeen = sql({
  name: 'orders.find-seen',
  text: `select order_id, sum(sats)::bigint as sats from payments where order_id = any($1) and gone_at is null group by order_id`,
  params: [array(t.uuid)],
  row: { orderId: t.uuid, sats: t.bigint },
})

export const markEnded = sql({
  name: 'orders.mark-ended',
  text: `update orders set ended_because = $2 where id = $1`,
  params: [t.uuid, t.text],
})

/** The player of an order is locked before the order, as in every decision about both. */
export const lockPlayerOf = sql({
  name: 'orders.lock-player-of',
  text: `select id from players where id = (select player_id from orders where id = $1) for no key update`,
  params: [t.uuid],
  row: { id: t.bigint },
})

export const moveOrder = sql({
  name: 'orders.move',
  text: `update orders set status = m.wanted, paid_at = case when m.wanted = 'PAID' then m.now else paid_at end
    from $each m where orders.id = m.order_id and orders.status = any(m.from_any) returning m.place`,
  params: { orderId: t.uuid, wanted: t.text, fromAny: array(t.text), now: t.epochSeconds },
  serves: 'each',
})

/** What was given back of an order's money so far: refunds and excess. */
export const sumGivenBack = sql({
  name: 'orders.sum-given-back',
  text: `select coalesce(sum(sats), 0)::bigint as sats from payables where order_id = $1`,
  params: [t.uuid],
  row: { sats: t.bigint },
  serves: 'each',
})

/** Keeps the state of an order's money when one of its payments was reorganised away. */
export const reverseOrder = sql({
  name: 'orders.reverse',
  text: `update orders set applied_sats = $2, lost_sats = $3, needed_sats = $4, times_reversed = times_reversed + 1
    where id = $1`,
  params: [t.uuid, t.bigint, t.bigint, t.bigint],
})

/** From $2 on a payment of an order has to come into another block: it is held as long as after its expiry. */
export const holdFrom = sql({
  name: 'orders.hold-from',
  text: `update orders set hold_added_seconds = greatest(hold_added_seconds, $2 - expires_at) where id = $1`,
  params: [t.uuid, t.epochSeconds],
})

/**
 * Its payments were read at $2. If more than $3 seconds passed without a reading since the expiry, that time is added
 * to the hold.
 */
export const addUnread = sql({
  name: 'orders.add-unread',
  text: `update orders set read_at = $2, hold_added_seconds = hold_added_seconds
      + case when $2 - greatest(read_at, expires_at) > $3 then $2 - greatest(read_at, expires_at) else 0 end
    where id = $1 and expires_at < $2 and (read_at is null or read_at < $2)`,
  params: [t.uuid, t.epochSeconds, t.epochSeconds],
})

/** Keeps the state of a reversed order's money. */
export const keepReversedMoney = sql({
  name: 'orders.keep-reversed-money',
  text: `update orders set applied_sats = $2, lost_sats = $3 where id = $1`,
  params: [t.uuid, t.bigint, t.bigint],
})

/** What an order returned and no payout has included yet is no longer owed. */
export const removeOwed = sql({
  name: 'orders.remove-owed',
  text: `delete from payables where order_id = $1 and payout_id is null and kind in ('refund', 'excess') returning sats, kind`,
  params: [t.uuid],
  row: { sats: t.bigint, kind: t.text },
})

export const removeRefund = sql({
  name: 'orders.remove-refund',
  text: `delete from refunds where order_id = $1 and sats <= $2`,
  params: [t.uuid, t.bigint],
})

export const lowerRefund = sql({
  name: 'orders.lower-refund',
  text: `update refunds set sats = sats - $2 where order_id = $1 and sats > $2`,
  params: [t.uuid, t.bigint],
})

/**
 * A transaction that moves plays out of a draw locks the draw. Once we hold these, the plays stay where the next
 * statement reads them.
 */
export const shareDrawsOfOrder = sql({
  name: 'orders.share-draws-of-order',
  text: `select d.id from draws d where d.id in (select draw_id from plays where order_id = $1) order by d.start_at for share`,
  params: [t.uuid],
  row: { id: t.bigint },
})

/**
 * The plays of an order whose draws have not closed, each draw kept from closing meanwhile. A play that came over from
 * a closed and void draw is left out: its stake is in the game's pool, so like a closed one it cannot be undone.
 */
export const lockOpenPlays = sql({
  name: 'orders.lock-open-plays',
  text: `select p.id, p.stake_sats, p.free_count from plays p join draws d on d.id = p.draw_id
    where p.order_id = $1 and d.status = 'open' and p.rate_sats > 0
    order by d.start_at for share of d`,
  params: [t.uuid],
  row: { id: t.uuid, stakeSats: t.bigint, freeCount: t.int },
})

/**
 * Removes plays. One with a leaf in the tree of its draw is remembered until its payment returns or the close revokes
 * it.
 */
export const removePlays = sql({
  name: 'orders.remove-plays',
  text: `with gone as (
      delete from plays where id = any($1) returning draw_id, leaf_index, play_id, order_id
    )
    insert into plays_taken_back (draw_id, leaf_index, play_id, order_id)
    select draw_id, leaf_index, play_id, order_id from gone where leaf_index is not null`,
  params: [array(t.uuid)],
})

/** Plays of an order whose payment was reversed and returned have their former leaves. */
export const takeLeavesAgain = sql({
  name: 'orders.take-leaves-again',
  text: `with again as (
      delete from plays_taken_back b using plays p
      where b.order_id = $1 and p.order_id = $1 and p.draw_id = b.draw_id and p.play_id = b.play_id and p.leaf_index is null
      returning p.id, b.leaf_index
    )
    update plays set leaf_index = again.leaf_index from again where plays.id = again.id`,
  params: [t.uuid],
})

/** Plays that exist although their order is not PAID: their draws had closed when its payment was reversed. */
export const findStandingPlays = sql({
  name: 'orders.find-standing-plays',
  text: `select draw_id, place, free_count from plays where order_id = $1`,
  params: [t.uuid],
  row: { drawId: t.bigint, place: t.int, freeCount: t.int },
})

/** Used free tickets are held again: the plays they paid for are gone. */
export const holdUsedFreeTickets = sql({
  name: 'orders.hold-used-free-tickets',
  text: `update free_tickets set used = used - $3, held = held + $3 where player_id = $1 and game_key = $2`,
  params: [t.bigint, t.text, t.int],
})

export const insertPayable = sql({
  name: 'orders.insert-payable',
  text: `insert into payables (created_at, sats, player_id, kind, source, order_id) values ($now, $sats, $playerId, $kind, $source, $orderId)`,
  params: {
    now: t.epochSeconds,
    sats: t.bigint,
    playerId: t.bigint,
    kind: t.text,
    source: t.text,
    orderId: t.uuid,
  },
})

export const insertRefund = sql({
  name: 'orders.insert-refund',
  text: `insert into refunds (order_id, sats, at) values ($1, $2, $3)
    on conflict (order_id) do update set sats = refunds.sats + excluded.sats`,
  params: [t.uuid, t.bigint, t.epochSeconds],
})

const openDrawRow = {
  id: t.bigint,
  number: t.int,
  weekday: t.smallint,
  startAt: t.epochSeconds,
  closesAt: t.epochSeconds,
  openHash: t.text,
}

/** The draws an order can be for. It joins them when it is paid, so nothing is locked here. */
export const findOpenDraws = sql({
  name: 'orders.find-open-draws',
  text: `select id, number, weekday, start_at, closes_at, open_hash, currency, price_minor, pick, pool from draws
    where game_key = $1 and status = 'open' and closes_at > $2 order by start_at`,
  params: [t.text, t.epochSeconds],
  row: { ...openDrawRow, currency: t.text, priceMinor: t.bigint, pick: t.smallint, pool: t.smallint },
  serves: 'same',
})

export const findLines = sql({
  name: 'orders.find-lines',
  text: `select masks from order_lines where order_id = $1 order by part`,
  params: [t.uuid],
  row: { masks: array(t.bigint) },
})

/** A draw that plays join, with when its last batch was logged; null before the first. */
const joinedDrawRow = { ...openDrawRow, lastBatchAt: nullable(t.epochSeconds) }
const lastBatchAt = `(select at from log_leaves l where l.open_hash = draws.open_hash and type = 'sold' order by index desc limit 1) as last_batch_at`

/**
 * Those of some draws ($1) that are open for sale. Sale and close lock the same row: a closing draw waits for its
 * sales, and a late sale sees it closed.
 */
export const shareDraws = sql({
  name: 'orders.share-draws',
  text: `with each_of as materialized (
      select m.place, m.now, unnest(m.draw_ids) as id from $each m
    ), locked as materialized (
      select id, number, weekday, start_at, closes_at, open_hash, ${lastBatchAt} from draws
      where id = any(array(select id from each_of)) and status = 'open' and closes_at > (select min(now) from each_of)
      order by start_at for share
    )
    select e.place, locked.* from each_of e join locked on locked.id = e.id and closes_at > e.now order by start_at`,
  params: { drawIds: array(t.bigint), now: t.epochSeconds },
  row: joinedDrawRow,
  serves: 'each',
})

/** Every draw of a game that is open for sale, for plays that need another than their order named; also locked. */
export const shareOpenDraws = sql({
  name: 'orders.share-open-draws',
  text: `with each_of as materialized (
      select m.* from $each m
    ), locked as materialized (
      select game_key, id, number, weekday, start_at, closes_at, open_hash, ${lastBatchAt} from draws
      where game_key = any(array(select game_key from each_of)) and status = 'open' and closes_at > (select min(now) from each_of)
      order by start_at for share
    )
    select e.place, id, number, weekday, start_at, closes_at, open_hash, last_batch_at
    from each_of e join locked using (game_key) where closes_at > e.now order by start_at`,
  params: { gameKey: t.text, now: t.epochSeconds },
  row: joinedDrawRow,
  serves: 'each',
})

export const findDrawTimes = sql({
  name: 'orders.find-draw-times',
  text: `select id, number, start_at, closes_at, status, open_hash from draws where id = any($1) order by start_at`,
  serves: 'each',
  params: [array(t.bigint)],
  row: {
    id: t.bigint,
    number: t.int,
    startAt: t.epochSeconds,
    closesAt: t.epochSeconds,
    status: t.text,
    openHash: t.text,
  },
})

export const insertPlays = sql({
  name: 'orders.insert-plays',
  text: `insert into plays (id, order_id, player_id, draw_id, stake_sats, rate_sats, receipt_at, moved_from_draw_id, move_reason, place, free_count,
      price_minor, line_count, play_id, owner_tag)
    select p.id, m.order_id, m.player_id, p.draw_id, p.stake_sats, m.rate_sats, m.now, nullif(p.moved_from, 0),
      case when p.moved_from > 0 then m.move_reason end, p.place, p.free_count, p.price_minor, m.line_count, p.play_id, p.owner_tag
    from $each m cross join unnest(m.ids, m.draw_ids, m.stakes_sats, m.moved_from, m.places, m.free_counts,
      m.prices_minor, m.play_ids, m.owner_tags)
      as p (id, draw_id, stake_sats, moved_from, place, free_count, price_minor, play_id, owner_tag)`,
  serves: 'each',
  params: {
    orderId: t.uuid,
    playerId: t.bigint,
    now: t.epochSeconds,
    lineCount: t.int,
    rateSats: t.bigint,
    moveReason: t.text,
    ids: array(t.uuid),
    drawIds: array(t.bigint),
    stakesSats: array(t.bigint),
    movedFrom: array(t.bigint),
    places: array(t.int),
    freeCounts: array(t.int),
    pricesMinor: array(t.bigint),
    playIds: array(t.bytea),
    ownerTags: array(t.bytea),
  },
})

export const findPlaysOfDraw = sql({
  name: 'orders.find-plays-of-draw',
  text: `select p.id, p.order_id, p.player_id, p.stake_sats, p.place, p.free_count, o.secret, o.username, o.line_count,
      o.draw_ids, o.free_count as order_free_count, o.draw_prices_minor, o.rate_sats
    from plays p join orders o on o.id = p.order_id where p.draw_id = $1 order by p.id`,
  params: [t.bigint],
  row: {
    id: t.uuid,
    orderId: t.uuid,
    playerId: t.bigint,
    stakeSats: t.bigint,
    place: t.int,
    freeCount: t.int,
    secret: t.bytea,
    username: t.text,
    lineCount: t.int,
    drawIds: array(t.bigint),
    orderFreeCount: t.int,
    drawPricesMinor: array(t.bigint),
    rateSats: t.bigint,
  },
})

/** Whether a game opens no further draws. */
export const findIsEnding = sql({
  name: 'orders.find-is-ending',
  text: `select state <> 'active' as is_ending from games where key = $1`,
  params: [t.text],
  row: { isEnding: t.bool },
})

/** A play that no draw is left for: it stays with its void draw, and its free tickets are its player's again. */
export const returnPlay = sql({
  name: 'orders.return-play',
  text: `with returned as (
      update plays set returned_at = $now where id = $id
    ), owed as (
      insert into payables (created_at, sats, player_id, kind, source, draw_id)
      select $now, $sats, $playerId, 'refund', $source, $drawId where $sats::bigint > 0
    )
    update free_tickets set used = used - $freeCount where $freeCount::int > 0 and player_id = $playerId and game_key = $gameKey`,
  params: {
    id: t.uuid,
    drawId: t.bigint,
    playerId: t.bigint,
    gameKey: t.text,
    now: t.epochSeconds,
    sats: t.bigint,
    source: t.text,
    freeCount: t.int,
  },
})

export const findDrawsOfOrder = sql({
  name: 'orders.find-draws-of-order',
  text: `select draw_id from plays where order_id = $1`,
  params: [t.uuid],
  row: { drawId: t.bigint },
})

/** A play that moves has another id in its new draw, no leaf yet, and therefore a further receipt. */
export const movePlay = sql({
  name: 'orders.move-play',
  text: `update plays set draw_id = $drawId, play_id = $playId, owner_tag = $ownerTag, leaf_index = null, receipt_at = $now,
      moved_from_draw_id = draw_id, move_reason = 'void', stake_sats = case when $wasClosed then 0 else stake_sats end,
      rate_sats = case when $wasClosed then 0 else rate_sats end where id = $id`,
  params: {
    id: t.uuid,
    drawId: t.bigint,
    playId: t.bytea,
    ownerTag: t.bytea,
    now: t.epochSeconds,
    wasClosed: t.bool,
  },
})

export const sumSpentSince = sql({
  name: 'orders.sum-spent-since',
  text: `select currency, sum(price_minor)::bigint as minor from orders
    where player_id = $1 and created_at >= $2 and status not in ('EXPIRED', 'REFUNDED') group by currency order by currency`,
  params: [t.bigint, t.epochSeconds],
  row: { currency: t.text, minor: t.bigint },
  serves: 'each',
})

/** The owner's tags of an order's plays are made of the name at the time of the order; after that it has no use. */
export const removeUsername = sql({
  name: 'orders.remove-username',
  text: `update orders set username = '', idempotency_key = null where player_id = $1`,
  params: [t.bigint],
})

export const forgetInvoices = sql({
  name: 'orders.forget-invoices',
  text: `update ln_invoices set bolt11 = null where order_id in (select id from orders where player_id = $1)`,
  params: [t.bigint],
})

export const forgetIdempotencyKey = sql({
  name: 'orders.forget-idempotency-key',
  text: `update orders set idempotency_key = null where id = $1`,
  params: [t.uuid],
})

export const removeFreeTickets = sql({
  name: 'orders.remove-free-tickets',
  text: 'delete from free_tickets where player_id = $1',
  params: [t.bigint],
})
