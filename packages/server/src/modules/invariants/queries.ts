import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import { sql, t } from '../../db/sql.ts'
import { brokenGuards } from './guards.ts'

/** One violation, described so that a person finds it. */
const row = { what: t.text }

/** Every ledger account with the sum of its postings; debit kinds are below zero. */
const balances = `balances as (
    select a.kind, a.subject, coalesce(sum(p.amount_sats), 0) as sats
    from ledger_accounts a left join postings p on p.account_id = a.id group by a.id)`

/** I1: every transfer sums to zero, and the database still refuses what must never be written or changed. */
const transfersBalance = sql({
  name: 'invariants.transfers-balance',
  text: `select 'transfer ' || t.key || ' has ' || count(p.id) || ' postings that sum to ' || coalesce(sum(p.amount_sats), 0) as what
    from transfers t left join postings p on p.transfer_id = t.id
    group by t.id having count(p.id) < 2 or sum(p.amount_sats) <> 0
    union all select 'the ledger sums to ' || sum(amount_sats) from postings having sum(amount_sats) <> 0
    union all ${brokenGuards}`,
  row,
})

/** I2: no account that must not be negative is. */
const noneNegative = sql({
  name: 'invariants.none-negative',
  text: `with ${balances}
    select kind || ' ' || subject || ' stands at ' || sats || ' sats' as what from balances
    where case when kind in ('wallet', 'lightning', 'network_fees', 'losses') then sats > 0 else sats < 0 end`,
  row,
})

/**
 * I3: a PAID order has exactly its plays: each of its draws once, every line in each of them, its stake and its free
 * tickets divided among them without remainder. No other order has any, except one whose payment was reorganised away.
 * What was asked for once is one order.
 */
const paidOrdersPlay = sql({
  name: 'invariants.paid-orders-play',
  text: `with played as (
      select p.order_id, count(*) as plays, count(distinct p.place) as places, min(p.place) as first_place,
        max(p.place) as last_place, sum(p.stake_sats) as stake_sats, sum(p.free_count) as free_count,
        bool_or(coalesce(d.closed_at is not null and d.status = 'void', false)) as left_sealed,
        bool_and(p.line_count = o.line_count) as has_lines
      from plays p join orders o on o.id = p.order_id left join draws d on d.id = p.moved_from_draw_id group by p.order_id
    ), lined as (select order_id, sum(cardinality(masks)) as lines from order_lines group by order_id)
    select 'order ' || o.id || ' is ' || o.status || ' with ' || coalesce(p.plays, 0) || ' of ' || cardinality(o.draw_ids)
      || ' plays, stake ' || coalesce(p.stake_sats, 0) || ' of ' || o.due_sats as what
    from orders o left join played p on p.order_id = o.id left join lined l on l.order_id = o.id
    where case when o.status = 'PAID' then p.plays is distinct from cardinality(o.draw_ids)
        or p.places <> p.plays or p.first_place <> 0 or p.last_place <> p.plays - 1 or not p.has_lines
        or l.lines is distinct from o.line_count or o.entry_count <> o.line_count * p.plays
        or p.free_count <> o.free_count or (p.stake_sats <> o.due_sats and not p.left_sealed)
      else p.plays > 0 and o.times_reversed = 0 end
    union all select 'one request made ' || count(*) || ' orders: ' || string_agg(id::text, ' ') from orders
      where idempotency_key is not null group by player_id, idempotency_key having count(*) > 1`,
  row,
})

/**
 * I4: each output is credited once and reversed as often as it was reorganised away; what came in is due, returned or
 * waiting. A payment to our own Lightning node is credited to the account of the node, rounded down, and pays the order
 * that its hash belongs to. The keys of an output's transfers are joined one by one: a condition that is true of any of them would read
 * all transfers for each output.
 */
const moneyCountedOnce = sql({
  name: 'invariants.money-counted-once',
  text: `with ${balances}, moved as (
      select case when t.event like 'payment.%' then 'payments' else 'deposits' end as what, -sum(p.amount_sats) as sats
      from transfers t join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
      where a.kind in ('wallet', 'lightning') and t.event in ('payment.confirmed', 'payment.reversed', 'deposit.unknown', 'deposit.reversed')
      group by 1
    ), counted as (
      select 'payments' as what, coalesce(sum(sats), 0) as sats from payments where confirmed_at is not null
      union all select 'deposits', coalesce(sum(sats), 0) from unknown_deposits where confirmed_at is not null
    ), keys as (
      select p.outpoint, p.times_reversed, p.confirmed_at is not null as counts, k.is_credit, k.key
      from payments p cross join lateral (
        select true as is_credit, 'payment.confirmed:' || p.outpoint as key
        union all select true, 'payment.confirmed:' || p.outpoint || ':' || n from generate_series(1, p.times_reversed) n
        union all select false, 'payment.reversed:' || p.outpoint || ':' || n from generate_series(1, p.times_reversed) n
      ) k
    ), credited as (
      select k.outpoint, k.times_reversed, k.counts, count(t.id) filter (where k.is_credit) as credits,
        count(t.id) filter (where not k.is_credit) as reversals
      from keys k left join transfers t on t.key = k.key group by k.outpoint, k.times_reversed, k.counts
    ), over_lightning as (
      select l.payment_hash, l.order_id, l.received_msat / 1000 as sats, p.order_id as paid_order_id, p.sats as paid_sats,
        (select -sum(x.amount_sats) from transfers t join postings x on x.transfer_id = t.id join ledger_accounts a on a.id = x.account_id
          where t.key = 'payment.confirmed:ln:' || l.payment_hash || ':0' and a.kind = 'lightning') as credited_sats
      from ln_invoices l left join payments p on p.outpoint = 'ln:' || l.payment_hash || ':0' and p.confirmed_at is not null
      where l.paid_at is not null or p.outpoint is not null
    ), waiting as (
      select o.id, coalesce((select sum(p.sats) from payments p where p.order_id = o.id and p.confirmed_at is not null), 0)
        - coalesce(o.applied_sats, case when o.status = 'PAID' then o.due_sats else 0 end
          + coalesce((select sum(b.sats) from payables b where b.order_id = o.id), 0)) as sats
      from orders o
    )
    select c.what || ' that count come to ' || c.sats || ' sats, the ledger credited ' || coalesce(m.sats, 0) as what
      from counted c left join moved m using (what) where c.sats <> coalesce(m.sats, 0)
    union all select 'output ' || outpoint || ' was credited ' || credits || ' and taken back ' || reversals || ' times'
      from credited where reversals <> times_reversed or credits <> times_reversed + counts::int
    union all select 'output ' || outpoint || ' pays an order and is money of nobody' from payments join unknown_deposits using (outpoint)
    union all select 'Lightning payment ' || payment_hash || ' of order ' || order_id || ' brought ' || coalesce(sats, 0)
        || ' sats; counted are ' || coalesce(paid_sats, 0) || ', credited ' || coalesce(credited_sats, 0)
      from over_lightning where sats is distinct from paid_sats or sats is distinct from credited_sats or order_id is distinct from paid_order_id
    union all select 'order ' || id || ' gave away ' || -sats || ' sats that never came' from waiting where sats < 0
    union all select 'orders wait with ' || (select sum(sats) from waiting) || ' sats, the ledger with ' || coalesce(b.sats, 0)
      from (values (1)) x left join balances b on b.kind = 'received'
      where coalesce((select sum(sats) from waiting), 0) <> coalesce(b.sats, 0)`,
  row,
})

/**
 * I5: each prize is posted and owed once, in one payout at most, which leaves once; what is owed is what the ledger
 * owes. A payout over Lightning is paid by one attempt, with the preimage of its invoice, and booked once.
 */
const prizesPaidOnce = sql({
  name: 'invariants.prizes-paid-once',
  text: `with ${balances}, posted as (
      select split_part(t.key, ':', 2) as draw_id, count(*) as postings, sum(p.amount_sats) as sats
      from transfers t join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
      where a.kind = 'winnings' and t.event in ('draw.fixed-prizes', 'draw.jackpot') group by 1
    ), won as (
      select draw_id::text, count(*) as postings, sum(amount_sats) as sats from wins where amount_sats is not null group by 1
    ), owed as (
      select case when player_id is null then 'partner' else 'winnings' end as kind,
        coalesce(player_id::text, partner_id) as subject, sum(sats) as sats
      from payables where payout_id is null group by 1, 2
    )
    select 'draw ' || draw_id || ' has ' || coalesce(w.postings, 0) || ' wins of ' || coalesce(w.sats, 0) || ' sats and '
        || coalesce(p.postings, 0) || ' postings of ' || coalesce(p.sats, 0) as what
      from won w full join posted p using (draw_id)
      where w.postings is distinct from p.postings or w.sats is distinct from p.sats
    union all select 'line ' || w.line_no || ' of play ' || w.play_id || ' is owed ' || count(b.id) || ' times'
      from wins w left join payables b on b.draw_id = w.draw_id and b.play_id = w.play_id and b.line_no = w.line_no
        and b.kind = 'prize' and b.sats = w.amount_sats
      where w.amount_sats is not null group by w.draw_id, w.play_id, w.line_no having count(b.id) <> 1
    union all select kind || ' ' || subject || ' is owed ' || coalesce(o.sats, 0) || ' sats, the ledger says ' || coalesce(b.sats, 0)
      from owed o full join (select * from balances where kind in ('winnings', 'partner')) b using (kind, subject)
      where coalesce(o.sats, 0) <> coalesce(b.sats, 0)
    union all select 'payout ' || p.id || ' pays ' || p.sats || ' sats for ' || coalesce(sum(b.sats), 0)
      from payouts p left join payables b on b.payout_id = p.id where p.cancelled_at is null
      group by p.id having p.sats <> coalesce(sum(b.sats), 0)
    union all select 'payouts of ' || coalesce(x.sats, 0) || ' sats have not left, the ledger says ' || coalesce(b.sats, 0)
      from (select sum(sats) as sats from payouts where sent_at is null and cancelled_at is null) x
      left join balances b on b.kind = 'in_flight' where coalesce(x.sats, 0) <> coalesce(b.sats, 0)
    union all select 'payout batch ' || b.id || ' was sent ' || count(t.id) || ' times'
      from payout_batches b left join transfers t on t.key = 'payout.sent:' || b.id
      group by b.id having count(t.id) <> (b.sent_at is not null)::int
    union all select 'payout batch ' || one.batch_id || ' has versions that could both be mined'
      from payout_txs one join payout_txs other on other.batch_id = one.batch_id and other.version > one.version
      where not one.inputs && other.inputs
    union all select 'coin ' || outpoint || ' is taken by several payouts'
      from payout_inputs where is_open group by outpoint having count(*) > 1
    union all select 'payout ' || p.id || ' over Lightning is ' || l.state || ', paid by ' || x.paid || ' attempts, booked '
        || x.booked || ' times'
      from payouts p join ln_payouts l on l.payout_id = p.id cross join lateral (
        select count(*) filter (where a.outcome = 'complete') as paid, count(t.id) as booked from ln_attempts a
        left join transfers t on t.key = 'payout.sent:ln:' || a.payment_hash where a.payout_id = p.id) x
      where x.paid <> (l.state = 'PAID')::int or x.booked <> x.paid or (l.state = 'PAID') <> (p.sent_at is not null)
        or (l.state = 'RETURNED') <> (p.cancelled_at is not null)
    union all select 'payout ' || payout_id || ' shows a preimage that is not of its invoice' from ln_attempts
      where preimage is not null and encode(sha256(decode(preimage, 'hex')), 'hex') <> payment_hash
    union all select 'order ' || coalesce(g.order_id::text, x.order_id) || ' that cost ' || coalesce(o.due_sats, 0) || ' sats was given '
        || coalesce(g.sats, 0) || ' of goodwill, posted ' || coalesce(x.transfers, 0) || ' times with ' || coalesce(x.sats, 0)
        || ', owed ' || coalesce(b.sats, 0)
      from order_goodwill g full join (
        select substring(t.key from '^order[.]goodwill:(.{36})') as order_id, count(*) as transfers, sum(p.amount_sats) as sats
        from transfers t join postings p on p.transfer_id = t.id and p.amount_sats > 0 where t.event = 'order.goodwill' group by 1
      ) x on x.order_id = g.order_id::text
      left join orders o on o.id = g.order_id left join payables b on b.id = g.payable_id
      where x.transfers is distinct from 1 or x.sats is distinct from g.sats or b.sats is distinct from g.sats
        or b.player_id is distinct from o.player_id or b.order_id is not null or coalesce(g.sats, 0) > coalesce(o.due_sats, 0)
    union all select 'payout ' || id || ' of ' || kind || ' has no way' from payouts p
      where case kind when 'chain' then batch_id is null else not exists (select from ln_payouts l where l.payout_id = p.id) end`,
  row,
})

/**
 * I6: every stake, pot, reserve and pool is where the life of its draws has put it; nothing is made or lost on the way.
 */
const poolsAddUp = sql({
  name: 'invariants.pools-add-up',
  text: `with ${balances}, split as (
      select game_key, sum(stake_sats * parts[2]::int / 100) as donation, sum(stake_sats * parts[3]::int / 100) as fee,
        sum(stake_sats - stake_sats * parts[2]::int / 100 - stake_sats * parts[3]::int / 100) as prizes
      from draws d join texts r on r.hash = d.rules_hash
      cross join lateral (select regexp_match(r.text, E'\\nsplit ([0-9]+) ([0-9]+) ([0-9]+)\\n') as parts) s
      where closed_at is not null group by game_key
    ), won as (select d.game_key, sum(w.amount_sats) as sats from wins w join draws d on d.id = w.draw_id group by 1),
    events as (
      select d.game_key, t.event, sum(p.amount_sats) as sats
      from transfers t join draws d on d.id::text = split_part(t.key, ':', 2)
      join postings p on p.transfer_id = t.id and p.amount_sats > 0
      where t.event in ('draw.covered', 'draw.floored', 'draw.fee-released', 'draw.donated', 'draw.surplus') group by 1, 2
    ), event_sums as (
      select game_key, sum(sats) filter (where event in ('draw.covered', 'draw.floored', 'draw.surplus')) as reserve,
        sum(sats) filter (where event = 'draw.fee-released') as fee, sum(sats) filter (where event = 'draw.donated') as donated
      from events group by 1
    ), wanted as (
      select 'stakes_held' as kind, game_key as subject, sum(p.stake_sats) as sats
        from plays p join draws d on d.id = p.draw_id where d.status = 'open' group by game_key
      union all select 'pot', id::text, pot_sats from draws where status in ('closed', 'drawn')
      union all select 'reserve', id::text, floor_sats + cover_sats - short_sats from draws where status in ('closed', 'drawn') and entries > 0
      union all select 'prize_pool', s.game_key, s.prizes + coalesce(e.reserve, 0) - coalesce(w.sats, 0)
          - coalesce((select sum(pot_sats) from draws d where d.game_key = s.game_key and d.status in ('closed', 'drawn')), 0)
        from split s left join event_sums e using (game_key) left join won w using (game_key)
      union all select 'donation_pool', s.game_key, s.donation - coalesce(e.donated, 0) from split s left join event_sums e using (game_key)
      union all select 'fee_reserve', s.game_key, s.fee - coalesce(e.fee, 0) from split s left join event_sums e using (game_key)
    ), inherited as (
      select a.kind, a.subject, sum(p.amount_sats) as sats
      from transfers t join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
      where t.event = 'game.retired' and a.kind <> 'partner' group by 1, 2
    ), expected as (
      select kind, subject, sum(sats) as sats from (select * from wanted union all select * from inherited) x group by 1, 2
    )
    select kind || ' ' || subject || ' should hold ' || coalesce(w.sats, 0) || ' sats and holds ' || coalesce(b.sats, 0) as what
    from expected w full join (
      select * from balances where kind in ('stakes_held', 'pot', 'reserve', 'prize_pool', 'donation_pool', 'fee_reserve')
    ) b using (kind, subject) where coalesce(w.sats, 0) <> coalesce(b.sats, 0)`,
  row,
})

/**
 * I7: the wallets hold what the ledger says, by their last comparison. Blocks may still undo what was not final at that
 * time, so that much may have been missing; what the wallets hold beyond the ledger endangers no one and is the
 * treasury's alarm. The Lightning node holds what the ledger says, or more: what it takes is rounded down, and what it
 * pays is booked once it is known, so that payments on their way, or booked after the comparison, may be missing. So may
 * what it received a moment before: its books follow its payments.
 */
const walletsCover = sql({
  name: 'invariants.wallets-cover',
  text: `with compared as (select * from treasury_checks), open_sats as (
      select coalesce(sum(x.sats), 0) as sats from compared c, (
        select sats, final_at from payments union all select sats, final_at from unknown_deposits) x
      where x.final_at is null or x.final_at >= c.checked_at - ${CLOCK_TOLERANCE_SECONDS}
    )
    select 'the wallets hold ' || held_sats || ' sats, the ledger ' || ledger_sats || ', on its way are ' || pending_sats as what
    from compared, open_sats where held_sats + open_sats.sats < ledger_sats + pending_sats
    union all select 'the Lightning node holds ' || lightning_held_sats || ' sats, the ledger says ' || lightning_ledger_sats
        || ', on its way are ' || leaving.sats
      from compared c cross join lateral (
        select coalesce(sum(ceil((a.amount_msat + a.max_fee_msat) / 1000.0)), 0) as sats from ln_attempts a
        where a.ended_at is null or a.ended_at >= c.checked_at - ${CLOCK_TOLERANCE_SECONDS}
      ) leaving cross join lateral (
        select coalesce(sum(received_msat / 1000), 0) as sats from ln_invoices
        where paid_at between c.checked_at - ${CLOCK_TOLERANCE_SECONDS} and c.checked_at + ${CLOCK_TOLERANCE_SECONDS}
      ) arriving
      where lightning_held_sats + leaving.sats + arriving.sats < lightning_ledger_sats`,
  row,
})

/**
 * I9: free tickets won are those used, held and left; each is where the wins, plays and open orders of its player say.
 */
const freeTicketsAddUp = sql({
  name: 'invariants.free-tickets-add-up',
  text: `with won as (
      select w.player_id, d.game_key, count(*) as n from wins w join draws d on d.id = w.draw_id
      where w.win_type = 'FREE_TICKET' group by 1, 2
    ), used as (
      select p.player_id, o.game_key, sum(p.free_count) as n from plays p join orders o on o.id = p.order_id
      where p.returned_at is null group by 1, 2
    ), held as (
      select o.player_id, o.game_key, sum(o.free_count - coalesce(p.n, 0)) as n from orders o
      left join (select order_id, sum(free_count) as n from plays group by 1) p on p.order_id = o.id
      where o.status in ('PENDING', 'PROCESSING', 'UNDERPAID') group by 1, 2
    )
    select 'player ' || f.player_id || ' has ' || f.won || ' free tickets won, ' || f.used || ' used and ' || f.held || ' held of '
      || f.game_key || '; wins, plays and orders say ' || coalesce(won.n, 0) || ', ' || coalesce(used.n, 0) || ' and ' || coalesce(held.n, 0) as what
    from free_tickets f
    left join won using (player_id, game_key) left join used using (player_id, game_key) left join held using (player_id, game_key)
    where f.held < 0 or f.used < 0 or f.won < f.used + f.held + f.paid_out
      or f.won <> coalesce(won.n, 0) or f.used <> coalesce(used.n, 0) or f.held <> coalesce(held.n, 0)
    union all
    select 'player ' || n.player_id || ' never had a free ticket of ' || n.game_key || '; plays and orders say that ' || n.n || ' are used or held'
    from (select * from used union all select * from held) n join players on players.id = n.player_id
    where n.n > 0 and players.erased_at is null
      and not exists (select from free_tickets f where f.player_id = n.player_id and f.game_key = n.game_key)`,
  row,
})

/**
 * I10: the log has no gap, and a checkpoint for each statement; a draw has one close in force and one end, and its seed
 * is not published before.
 */
const logIsWhole = sql({
  name: 'invariants.log-is-whole',
  text: `with ordered as (
      select index, at, lag(at, 1, 0::bigint) over (order by index) as before, row_number() over (order by index) - 1 as place
      from log_leaves
    ), ends as (
      select open_hash, count(*) filter (where type = 'close') as closes, count(*) filter (where type = 'result') as results,
        count(*) filter (where type = 'void') as voids, max(index) filter (where type = 'close') as last_close,
        count(*) filter (where type = 'postpone' and text like E'%\\nreason witness\\n%') as reseals
      from log_leaves where open_hash is not null group by open_hash
    )
    select 'statement ' || o.index || ' does not follow the one before' as what from ordered o
      where o.index <> place or at < before or not exists (select from checkpoints c where c.size = o.index + 1)
    union all select 'draw ' || d.id || ' is ' || d.status || ' with ' || e.closes || ' closes, ' || e.results || ' results and ' || e.voids || ' voids'
      from draws d join ends e on e.open_hash = d.open_hash left join log_leaves c on c.index = e.last_close
      where e.results <> (d.status = 'settled')::int or e.voids <> (d.status = 'void')::int
        or (d.status = 'open' and e.closes > 0)
        or (d.status in ('closed', 'drawn', 'settled') and (e.closes <> 1 + e.reseals or c.hash is distinct from d.close_hash))`,
  row,
})

/** I11: a session has at most one refresh token that can still be used, and none was made after the session ended. */
const sessionsHaveOneToken = sql({
  name: 'invariants.sessions-have-one-token',
  text: `select 'session ' || session_id || ' has ' || count(*) || ' live refresh tokens' as what from refresh_tokens
      where used_at is null group by session_id having count(*) > 1
    union all select 'session ' || s.id || ' was refreshed after it had ended'
      from sessions s join refresh_tokens r on r.session_id = s.id where r.created_at > s.revoked_at + ${CLOCK_TOLERANCE_SECONDS}`,
  row,
})

/**
 * I13: what is staked is what was signed. The prices of an order are those that the signed rules of its draws name, and
 * it cost the sum over its plays; a play stakes its paid lines at the price of the draw that its order named and the
 * rate of the order; and a sealed draw's stake is that of its plays at its own price. A play that left a sealed draw
 * stakes nothing in its next one.
 */
const stakesAsSigned = sql({
  name: 'invariants.stakes-as-signed',
  text: `with signed as (
      select d.id, d.status, d.stake_sats, substring(r.text from E'\\nprice ([A-Z]{3}) ') as currency,
        substring(r.text from E'\\nprice [A-Z]{3} ([0-9]+)\\n')::numeric as price_minor
      from draws d join texts r on r.hash = d.rules_hash
    ), priced as (
      select p.order_id, p.draw_id, p.stake_sats, p.line_count - p.free_count as paid, p.rate_sats, p.price_minor, p.moved_from_draw_id,
        o.rate_sats as order_rate_sats, o.due_sats, cardinality(o.draw_ids) as draws,
        o.draw_prices_minor[p.place + 1] as order_price_minor, s.currency = o.currency as has_currency, s.price_minor as signed_price_minor
      from plays p join orders o on o.id = p.order_id join signed s on s.id = o.draw_ids[p.place + 1]
    )
    select 'order ' || order_id || ' cost ' || due_sats || ' sats; its paid lines at their signed prices cost '
        || sum(ceil(paid * signed_price_minor * order_rate_sats / 100)) as what
      from priced group by order_id, due_sats, draws
      having count(*) = draws and due_sats <> sum(ceil(paid * signed_price_minor * order_rate_sats / 100))
    union all select 'order ' || order_id || ' stakes ' || stake_sats || ' sats in draw ' || draw_id || ' for ' || paid
        || ' paid lines at ' || price_minor || '; its order has ' || order_price_minor || ', signed was ' || signed_price_minor
      from priced where stake_sats <> ceil(paid * price_minor::numeric * rate_sats / 100) or rate_sats not in (0, order_rate_sats)
        or price_minor <> order_price_minor or price_minor <> signed_price_minor or not has_currency
    union all select 'draw ' || s.id || ' was sealed with a stake of ' || s.stake_sats || ' sats, its plays stake '
        || coalesce(sum(ceil((p.line_count - p.free_count) * s.price_minor * p.rate_sats / 100)), 0)
      from signed s left join plays p on p.draw_id = s.id where s.status in ('closed', 'drawn', 'settled')
      group by s.id, s.stake_sats
      having s.stake_sats is distinct from coalesce(sum(ceil((p.line_count - p.free_count) * s.price_minor * p.rate_sats / 100)), 0)`,
  row,
})

/**
 * I14: an account's newest checkpoint, from which balances are read, is the sum of its postings up to it; the last of
 * them is its own.
 */
const checkpointsHold = sql({
  name: 'invariants.checkpoints-hold',
  text: `with newest as (
      select distinct on (account_id) account_id, upto_posting_id, balance_sats from ledger_checkpoints
      order by account_id, upto_posting_id desc
    ), posted as (
      select n.account_id, n.upto_posting_id, n.balance_sats, sum(p.amount_sats) as sats, max(p.id) as last_id
      from newest n left join postings p on p.account_id = n.account_id and p.id <= n.upto_posting_id group by 1, 2, 3
    )
    select 'the checkpoint of ' || a.kind || ' ' || a.subject || ' at posting ' || p.upto_posting_id || ' says ' || p.balance_sats
      || ' sats, its postings come to ' || coalesce(p.sats, 0) as what
    from posted p join ledger_accounts a on a.id = p.account_id
    where p.sats is distinct from p.balance_sats or p.last_id is distinct from p.upto_posting_id`,
  row,
})

/**
 * I15: the state of each game is what the statement that it names says, its draws are as far as it says, and its pot is
 * in the ledger's prize pool. Beyond the pot the pool holds only what was added since, which the next close states.
 */
const statesAsLedger = sql({
  name: 'invariants.states-as-ledger',
  text: `with ${balances}, ended as (
      select game_key, count(*) filter (where status <> 'open') as closed, count(*) filter (where status in ('settled', 'void')) as settled
      from draws group by 1
    ), won as (
      select d.game_key, count(*) as free from wins w join draws d on d.id = w.draw_id where w.win_type = 'FREE_TICKET' group by 1
    )
    select 'the state of ' || g.key || ' is ' || x.state || ', its newest statement says ' || coalesce(x.said, 'none') as what
      from games g left join log_leaves l on l.hash = g.state_hash cross join lateral (
        select concat_ws(' ', g.closed, g.settled, g.pot_sats, g.free_won, g.free_used, g.carried) as state,
          substring(l.text from E'\\nstate ([0-9 ]+)\\n$') as said) x
      where x.state <> coalesce(x.said, '0 0 0 0 0 0')
    union all select 'the state of ' || g.key || ' has ' || g.closed || ' draws closed, ' || g.settled || ' settled and ' || g.free_won
        || ' free tickets won; draws and wins say ' || coalesce(e.closed, 0) || ', ' || coalesce(e.settled, 0) || ' and ' || coalesce(w.free, 0)
      from games g left join ended e on e.game_key = g.key left join won w on w.game_key = g.key
      where g.closed <> coalesce(e.closed, 0) or g.settled <> coalesce(e.settled, 0) or g.free_won <> coalesce(w.free, 0)
    union all select 'the pot of ' || g.key || ' is ' || g.pot_sats || ' sats, its prize pool holds ' || coalesce(b.sats, 0)
      from games g left join balances b on b.kind = 'prize_pool' and b.subject = g.key where coalesce(b.sats, 0) < g.pot_sats
        and not exists (select from transfers t where t.key = 'game.retired:' || g.key)
    union all select 'the pot of draw ' || d.id || ' is ' || d.pot_sats || ' sats, its close says ' || coalesce(x.said, 'nothing')
      from draws d join log_leaves l on l.hash = d.close_hash cross join lateral (
        select substring(l.text from E'\\npool ([0-9]+)\\n') as said) x
      where d.pot_sats::text is distinct from x.said`,
  row,
})

/**
 * I16: a draw is what was announced for its start: it has the version, rules, price and limits of the highest version
 * that applies to its schedule, and the statement of that version is older than the draw's own.
 */
const drawsAsAnnounced = sql({
  name: 'invariants.draws-as-announced',
  text: `select 'draw ' || d.id || ' of ' || d.game_key || ' has version ' || d.version || ', announced for its start was '
        || coalesce(v.version::text, 'none') as what
    from draws d join texts r on r.hash = d.rules_hash join log_leaves o on o.hash = d.open_hash
    left join lateral (
      select v.version, v.rules_hash, l.index from game_versions v left join log_leaves l on l.hash = v.statement_hash
      where v.game_key = d.game_key and v.from_at <= d.scheduled_at and not v.kinds @> '{retire}' order by v.version desc limit 1
    ) v on true
    where d.version is distinct from v.version or d.rules_hash is distinct from v.rules_hash or v.index is null or v.index > o.index
      or r.text not like E'%\\nversion ' || d.version || E'\\npick ' || d.pick || E'\\npool ' || d.pool
        || E'\\nprice ' || d.currency || ' ' || d.price_minor || E'\\n%'
      or r.text not like E'%\\nfloor ' || d.guaranteed_minor || E'\\ncover ' || d.cover_minor || E'\\nlimit %'
      or r.text not like E'%\\nlimit % ' || d.most_entries || E'\\ncloses %'`,
  row,
})

/**
 * I17: a retired game leaves nothing behind: no unfinished draw, no sat in its pools or as a stake, no free ticket. What
 * left its pools is what came to the game or the partners that it retired into.
 */
const retiredLeaveNothing = sql({
  name: 'invariants.retired-leave-nothing',
  text: `with ${balances}, retired as (select key, retires_into from games where state = 'retired'),
    moved as (
      select split_part(t.key, ':', 2) as key, a.kind, a.subject, p.amount_sats as sats
      from transfers t join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
      where t.event = 'game.retired'
    )
    select 'draw ' || d.id || ' of ' || r.key || ', which is retired, is ' || d.status as what
      from retired r join draws d on d.game_key = r.key where d.status in ('open', 'closed', 'drawn')
    union all select b.kind || ' ' || b.subject || ' holds ' || b.sats || ' sats of a retired game' from retired r
      join balances b on b.subject = r.key and b.kind in ('stakes_held', 'prize_pool', 'donation_pool', 'fee_reserve') where b.sats <> 0
    union all select 'player ' || f.player_id || ' has free tickets of ' || r.key || ', which is retired' from retired r
      join free_tickets f on f.game_key = r.key where f.won <> f.used + f.held + f.paid_out
    union all select 'the ' || m.kind || ' of ' || m.key || ' went to ' || m.subject || ', not into ' || coalesce(g.retires_into, 'a game')
      from moved m left join games g on g.key = m.key
      where m.sats > 0 and m.subject is distinct from g.retires_into and not (m.kind = 'partner' and g.retires_into = 'partners')
    union all select 'of each pool of ' || key || ' that went, another sum came: ' || kind from moved
      where kind <> 'partner' and not exists (select from games g where g.key = moved.key and g.retires_into = 'partners')
      group by key, kind having sum(sats) <> 0`,
  row,
})

/**
 * I18: no invoice is tried for a payout while another one may still pay it: each attempt begins after the one before has
 * ended, and none that was asked for ended before its invoice was over without a refusal of the node.
 */
const attemptsOneByOne = sql({
  name: 'invariants.attempts-one-by-one',
  text: `select 'attempt ' || b.attempt || ' of payout ' || b.payout_id || ' began while attempt ' || a.attempt || ' could still pay' as what
      from ln_attempts a join ln_attempts b on b.payout_id = a.payout_id and b.attempt > a.attempt
      where a.outcome is null or a.outcome = 'complete' or a.ended_at > b.resolved_at + ${CLOCK_TOLERANCE_SECONDS}
    union all select 'attempt ' || attempt || ' of payout ' || payout_id || ' ended at ' || ended_at || ', its invoice at ' || expires_at
      from ln_attempts where outcome in ('failed', 'none', 'never-left') and ended_at <= expires_at
        and (outcome = 'never-left' or calls <> answers or not is_refused)
        and not exists (select from operator_actions o where o.action = 'lightning-give-up' and o.subject = payout_id::text)
    union all select 'payout ' || l.payout_id || ' is ' || l.state || ' with an attempt that may still pay'
      from ln_payouts l join ln_attempts a on a.payout_id = l.payout_id and a.outcome is null
      where l.state not in ('RESOLVED', 'SENDING', 'HALTED')`,
  row,
})

/** The invariants of trust.md that are one statement each; I8, which recomputes everything, is in sealed-draws.ts. */
export const STATEMENTS = {
  I1: transfersBalance,
  I2: noneNegative,
  I3: paidOrdersPlay,
  I4: moneyCountedOnce,
  I5: prizesPaidOnce,
  I6: poolsAddUp,
  I7: walletsCover,
  I9: freeTicketsAddUp,
  I10: logIsWhole,
  I11: sessionsHaveOneToken,
  I13: stakesAsSigned,
  I14: checkpointsHold,
  I15: statesAsLedger,
  I16: drawsAsAnnounced,
  I17: retiredLeaveNothing,
  I18: attemptsOneByOne,
} as const

/** The names of those, in the order of their numbers. */
// Object.keys is typed as string[]; the table above has exactly these keys.
export const STATEMENT_IDS = Object.keys(STATEMENTS) as readonly (keyof typeof STATEMENTS)[]

/** All of them in one snapshot: nothing moves between two of them. */
export const allViolations = sql({
  name: 'invariants.all',
  text: Object.entries(STATEMENTS)
    .map(([invariant, { text }]) => `select '${invariant}' as invariant, what from (${text}) ${invariant}`)
    .join('\n union all '),
  row: {
    invariant: t.oneOf(STATEMENT_IDS),
    what: t.text,
  },
})
