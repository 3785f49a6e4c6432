import { isWon, type Rule } from './rules.ts'

/**
 * I3: a PAID order has exactly its plays: each of its draws once, every line in each of them, its stake and its free
 * tickets divided among them without remainder. No other order has plays, except one whose payment was reorganised away.
 */
const paidOrdersPlay: Rule = {
  id: 'I3',
  cut: 'order',
  minute: true,
  text: ({ has }) => `with played as (
      select p.order_id, count(*) as plays, count(distinct p.place) as places, min(p.place) as first_place,
        max(p.place) as last_place, sum(p.stake_sats) as stake_sats, sum(p.free_count) as free_count,
        bool_or(coalesce(d.closed_at is not null and d.status = 'void', false)) as left_sealed,
        bool_and(p.line_count = o.line_count) as has_lines
      from plays p join orders o on o.id = p.order_id left join draws d on d.id = p.moved_from_draw_id
      where ${has('order', 'p.order_id')} group by p.order_id
    ), lined as (select order_id, sum(cardinality(masks)) as lines from order_lines where ${has('order', 'order_id')} group by order_id)
    select 'order ' || o.id || ' is ' || o.status || ' with ' || coalesce(p.plays, 0) || ' of ' || cardinality(o.draw_ids)
      || ' plays, stake ' || coalesce(p.stake_sats, 0) || ' of ' || o.due_sats as what
    from orders o left join played p on p.order_id = o.id left join lined l on l.order_id = o.id
    where ${has('order', 'o.id')} and case when o.status = 'PAID' then p.plays is distinct from cardinality(o.draw_ids)
        or p.places <> p.plays or p.first_place <> 0 or p.last_place <> p.plays - 1 or not p.has_lines
        or l.lines is distinct from o.line_count or o.entry_count <> o.line_count * p.plays
        or p.free_count <> o.free_count or (p.stake_sats <> o.due_sats and not p.left_sealed)
      else p.plays > 0 and o.times_reversed = 0 end`,
}

/** I3: what was asked for once is one order. */
const askedOnce: Rule = {
  id: 'I3',
  cut: 'player',
  minute: true,
  text: ({
    has,
  }) => `select 'one request made ' || count(*) || ' orders: ' || string_agg(id::text, ' ') as what from orders
      where idempotency_key is not null and ${has('player', 'player_id')} group by player_id, idempotency_key having count(*) > 1`,
}

/** I4: what came in is what the ledger credited. Single outputs are compared below; credits of no output are found here. */
const creditsAddUp: Rule = {
  id: 'I4',
  cut: null,
  minute: false,
  text: () => `with moved as (
      select case when t.event like 'payment.%' then 'payments' else 'deposits' end as what, -sum(p.amount_sats) as sats
      from transfers t join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
      where a.kind in ('wallet', 'lightning') and t.event in ('payment.confirmed', 'payment.reversed', 'deposit.unknown', 'deposit.reversed')
      group by 1
    ), counted as (
      select 'payments' as what, coalesce(sum(sats), 0) as sats from payments where confirmed_at is not null
      union all select 'deposits', coalesce(sum(sats), 0) from unknown_deposits where confirmed_at is not null
    )
    select c.what || ' that count come to ' || c.sats || ' sats, the ledger credited ' || coalesce(m.sats, 0) as what
    from counted c left join moved m using (what) where c.sats <> coalesce(m.sats, 0)`,
}

/** The accounts that hold what came in. */
const holders = `(select id from ledger_accounts where kind in ('wallet', 'lightning'))`

/**
 * I4: each output is credited once and reversed as often as it was reorganised away, with its own sum. The keys of an output's
 * transfers are joined one by one: a condition that is true of any of them would read all transfers for each output.
 */
const outputsCreditedOnce: Rule = {
  id: 'I4',
  cut: 'order',
  minute: true,
  text: ({ has, fence }) => `with keys as (
      select p.outpoint, p.sats, p.times_reversed, p.confirmed_at is not null as counts, k.is_credit, k.key
      from payments p cross join lateral (
        select true as is_credit, 'payment.confirmed:' || p.outpoint as key
        union all select true, 'payment.confirmed:' || p.outpoint || ':' || n from generate_series(1, p.times_reversed) n
        union all select false, 'payment.reversed:' || p.outpoint || ':' || n from generate_series(1, p.times_reversed) n
      ) k where ${has('order', 'p.order_id')}
    ), credited as (
      select k.outpoint, k.sats, k.times_reversed, k.counts, count(distinct t.id) filter (where k.is_credit) as credits,
        count(distinct t.id) filter (where not k.is_credit) as reversals, coalesce(-sum(x.amount_sats), 0) as credited_sats
      from keys k left join lateral (select id from transfers where key = k.key ${fence}) t on true
      left join lateral (select amount_sats from postings where transfer_id = t.id and account_id in ${holders} ${fence}) x on true
      group by k.outpoint, k.sats, k.times_reversed, k.counts
    )
    select 'output ' || outpoint || ' was credited ' || credits || ' and taken back ' || reversals || ' times' as what
      from credited where reversals <> times_reversed or credits <> times_reversed + counts::int
    union all select 'output ' || outpoint || ' brought ' || sats || ' sats, the ledger has ' || credited_sats || ' of it'
      from credited where credited_sats <> case when counts then sats else 0 end`,
}

/** I4: the same for money that belongs to no order. */
const depositsCreditedOnce: Rule = {
  id: 'I4',
  cut: null,
  minute: true,
  text: ({
    hasOutput,
  }) => `select 'deposit ' || d.outpoint || ' brought ' || d.sats || ' sats, the ledger has ' || x.sats || ' of it' as what
    from unknown_deposits d cross join lateral (
      select coalesce(-sum(p.amount_sats), 0) as sats from generate_series(1, d.times_confirmed) n
      cross join unnest(array['deposit.unknown:', 'deposit.reversed:']) e (event)
      join transfers t on t.key = e.event || d.outpoint || ':' || n join postings p on p.transfer_id = t.id
      where p.account_id in ${holders}) x
    where ${hasOutput('d.outpoint')} and x.sats <> case when d.confirmed_at is null then 0 else d.sats end`,
}

/**
 * I4: what the ledger credits is an output. Over all transfers the sums above say so; each new one is looked up.
 */
export const creditsAreOutputs: Rule = {
  id: 'I4',
  cut: null,
  minute: true,
  text: ({ has }) => `select 'transfer ' || t.key || ' is of no output' as what
    from transfers t cross join lateral (select substring(t.key from ':(.*)$') as rest) k
    cross join lateral (select array[k.rest, regexp_replace(k.rest, ':[0-9]+$', '')] as outpoints) o
    where t.event in ('payment.confirmed', 'payment.reversed', 'deposit.unknown', 'deposit.reversed') and ${has('transfer', 't.id')}
      and not exists (select from payments p where p.outpoint = any(o.outpoints))
      and not exists (select from unknown_deposits d where d.outpoint = any(o.outpoints))`,
}

/** I4: an output either pays an order or belongs to none. */
const paysOrNobody: Rule = {
  id: 'I4',
  cut: 'order',
  minute: true,
  text: ({ has }) => `select 'output ' || outpoint || ' pays an order and is money of nobody' as what
    from payments p join unknown_deposits using (outpoint) where ${has('order', 'p.order_id')}`,
}

/**
 * I4: a payment to our own Lightning node is credited to the account of the node, rounded down, and pays the order that
 * its hash belongs to.
 */
const lightningPaysItsOrder: Rule = {
  id: 'I4',
  cut: 'order',
  minute: true,
  text: ({ has }) => `with over_lightning as (
      select l.payment_hash, l.order_id, l.received_msat / 1000 as sats, p.order_id as paid_order_id, p.sats as paid_sats,
        (select -sum(x.amount_sats) from transfers t join postings x on x.transfer_id = t.id join ledger_accounts a on a.id = x.account_id
          where t.key = 'payment.confirmed:ln:' || l.payment_hash || ':0' and a.kind = 'lightning') as credited_sats
      from ln_invoices l left join payments p on p.outpoint = 'ln:' || l.payment_hash || ':0' and p.confirmed_at is not null
      where ${has('order', 'l.order_id')} and (l.paid_at is not null or p.outpoint is not null)
    )
    select 'Lightning payment ' || payment_hash || ' of order ' || order_id || ' brought ' || coalesce(sats, 0)
        || ' sats; counted are ' || coalesce(paid_sats, 0) || ', credited ' || coalesce(credited_sats, 0) as what
      from over_lightning where sats is distinct from paid_sats or sats is distinct from credited_sats or order_id is distinct from paid_order_id`,
}

/** What came in for each order and is neither due nor returned. */
const waiting = (
  condition: string,
): string => `select o.id, coalesce((select sum(p.sats) from payments p where p.order_id = o.id and p.confirmed_at is not null), 0)
        - coalesce(o.applied_sats, case when o.status = 'PAID' then o.due_sats else 0 end
          + coalesce((select sum(b.sats) from payables b where b.order_id = o.id), 0)) as sats
      from orders o where ${condition}`

/** I4: what came in is due, returned or waiting. */
const nothingGivenAway: Rule = {
  id: 'I4',
  cut: 'order',
  minute: true,
  text: ({ has }) => `select 'order ' || id || ' gave away ' || -sats || ' sats that never came' as what
    from (${waiting(has('order', 'o.id'))}) waiting where sats < 0`,
}

/**
 * I4: all that waits is what the ledger has received. What is decided keeps nothing waiting, so the minute's check adds up
 * the others and those touched; what it finds is confirmed by all of them.
 */
const waitingIsReceived: Rule = {
  id: 'I4',
  cut: null,
  minute: 'suspect',
  text: ({
    hasOrWaits,
    balances,
  }) => `with balances as (${balances(['received'])}), waiting as (${waiting(hasOrWaits('o.id'))})
    select 'orders wait with ' || (select sum(sats) from waiting) || ' sats, the ledger with ' || coalesce(b.sats, 0) as what
      from (values (1)) x left join balances b on true
      where coalesce((select sum(sats) from waiting), 0) <> coalesce(b.sats, 0)`,
}

/**
 * I9: free tickets won are those used, held and left; each is where the wins, plays and open orders of its player say.
 */
const freeTicketsAddUp: Rule = {
  id: 'I9',
  cut: 'player',
  minute: true,
  text: ({ has }) => `with won as (
      select w.player_id, d.game_key, count(*) as n from wins w join draws d on d.id = w.draw_id
      where w.win_type = 'FREE_TICKET' and ${has('player', 'w.player_id')} and ${isWon('w')} group by 1, 2
    ), used as (
      select p.player_id, o.game_key, sum(p.free_count) as n from plays p join orders o on o.id = p.order_id
      where p.returned_at is null and ${has('player', 'p.player_id')} group by 1, 2
    ), held as (
      select o.player_id, o.game_key, sum(o.free_count - coalesce((select sum(p.free_count) from plays p where p.order_id = o.id), 0)) as n
      from orders o where o.status in ('PENDING', 'PROCESSING', 'UNDERPAID') and ${has('player', 'o.player_id')} group by 1, 2
    )
    select 'player ' || f.player_id || ' has ' || f.won || ' free tickets won, ' || f.used || ' used and ' || f.held || ' held of '
      || f.game_key || '; wins, plays and orders say ' || coalesce(won.n, 0) || ', ' || coalesce(used.n, 0) || ' and ' || coalesce(held.n, 0) as what
    from free_tickets f
    left join won using (player_id, game_key) left join used using (player_id, game_key) left join held using (player_id, game_key)
    where ${has('player', 'f.player_id')} and (f.held < 0 or f.used < 0 or f.won < f.used + f.held + f.paid_out
      or f.won <> coalesce(won.n, 0) or f.used <> coalesce(used.n, 0) or f.held <> coalesce(held.n, 0))
    union all
    select 'player ' || n.player_id || ' never had a free ticket of ' || n.game_key || '; plays and orders say that ' || n.n || ' are used or held'
    from (select * from used union all select * from held) n join players on players.id = n.player_id
    where n.n > 0 and players.erased_at is null
      and not exists (select from free_tickets f where f.player_id = n.player_id and f.game_key = n.game_key)`,
}

/**
 * I13: what is staked is what was signed. The prices of an order are those that the signed rules of its draws name, and
 * it cost the sum over its plays; a play stakes its paid lines at the price of the draw that its order named and the
 * rate of the order. A play that left a sealed draw stakes nothing in its next one.
 */
const ordersAsSigned: Rule = {
  id: 'I13',
  cut: 'order',
  minute: true,
  text: ({ has }) => `with signed as materialized (
      select d.id, substring(r.text from E'\\nprice ([A-Z]{3}) ') as currency,
        substring(r.text from E'\\nprice [A-Z]{3} ([0-9]+)\\n')::numeric as price_minor
      from draws d join texts r on r.hash = d.rules_hash
      where d.id in (select unnest(o.draw_ids) from orders o where ${has('order', 'o.id')})
    ), priced as (
      select p.order_id, p.draw_id, p.stake_sats, p.line_count - p.free_count as paid, p.rate_sats, p.price_minor,
        o.rate_sats as order_rate_sats, o.due_sats, cardinality(o.draw_ids) as draws,
        o.draw_prices_minor[p.place + 1] as order_price_minor, s.currency = o.currency as has_currency, s.price_minor as signed_price_minor
      from plays p join orders o on o.id = p.order_id join signed s on s.id = o.draw_ids[p.place + 1]
      where ${has('order', 'p.order_id')}
    )
    select 'order ' || order_id || ' cost ' || due_sats || ' sats; its paid lines at their signed prices cost '
        || sum(ceil(paid * signed_price_minor * order_rate_sats / 100)) as what
      from priced group by order_id, due_sats, draws
      having count(*) = draws and due_sats <> sum(ceil(paid * signed_price_minor * order_rate_sats / 100))
    union all select 'order ' || order_id || ' stakes ' || stake_sats || ' sats in draw ' || draw_id || ' for ' || paid
        || ' paid lines at ' || price_minor || '; its order has ' || order_price_minor || ', signed was ' || signed_price_minor
      from priced where stake_sats <> ceil(paid * price_minor::numeric * rate_sats / 100) or rate_sats not in (0, order_rate_sats)
        or price_minor <> order_price_minor or price_minor <> signed_price_minor or not has_currency`,
}

/** The rules of orders, payments, plays and free tickets. */
export const ORDER_RULES: readonly Rule[] = [
  paidOrdersPlay,
  askedOnce,
  creditsAddUp,
  outputsCreditedOnce,
  depositsCreditedOnce,
  paysOrNobody,
  lightningPaysItsOrder,
  nothingGivenAway,
  waitingIsReceived,
  freeTicketsAddUp,
  ordersAsSigned,
]
