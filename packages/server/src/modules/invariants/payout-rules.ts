import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import { isWon, type Rule } from './rules.ts'

/** I5: each prize is posted and owed once. */
const prizesPosted: Rule = {
  id: 'I5',
  cut: 'draw',
  minute: true,
  text: ({ has }) => `with mine as materialized (select id from draws where ${has('draw', 'id')}), posted as (
      select d.id as draw_id, count(*) as postings, sum(p.amount_sats) as sats
      from mine d cross join unnest(array['draw.fixed-prizes', 'draw.jackpot']) e (event) join transfers t on t.key = e.event || ':' || d.id
      join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id where a.kind = 'winnings' group by 1
    ), won as (
      select w.draw_id, count(*) as postings, sum(w.amount_sats) as sats from wins w
      where w.amount_sats is not null and ${has('draw', 'w.draw_id')} and ${isWon('w')} group by 1
    )
    select 'draw ' || draw_id || ' has ' || coalesce(w.postings, 0) || ' wins of ' || coalesce(w.sats, 0) || ' sats and '
        || coalesce(p.postings, 0) || ' postings of ' || coalesce(p.sats, 0) as what
      from won w full join posted p using (draw_id)
      where w.postings is distinct from p.postings or w.sats is distinct from p.sats
    union all select 'line ' || w.line_no || ' of play ' || w.play_id || ' is owed ' || count(b.id) || ' times'
      from wins w left join payables b on b.draw_id = w.draw_id and b.play_id = w.play_id and b.line_no = w.line_no
        and b.kind = 'prize' and b.sats = w.amount_sats
      where w.amount_sats is not null and ${has('draw', 'w.draw_id')} and ${isWon('w')}
      group by w.draw_id, w.play_id, w.line_no having count(b.id) <> 1`,
}

/** I5: each win is of a play, of its draw and its player. */
const winsOfPlays: Rule = {
  id: 'I5',
  cut: 'draw',
  minute: true,
  text: ({
    has,
  }) => `select 'line ' || w.line_no || ' of play ' || w.play_id || ' won, and its draw and player have no such play' as what
      from wins w left join plays p on p.id = w.play_id and p.draw_id = w.draw_id and p.player_id = w.player_id
      where ${has('draw', 'w.draw_id')} and p.id is null`,
}

/** I5: what is owed is what the ledger owes. */
const owedAsLedger: Rule = {
  id: 'I5',
  cut: null,
  minute: true,
  text: ({ has, hasPartner, balances }) => `with balances as (${balances(['winnings', 'partner'])}), owed as (
      select case when player_id is null then 'partner' else 'winnings' end as kind,
        coalesce(player_id::text, partner_id) as subject, sum(sats) as sats
      from payables where payout_id is null and (${has('player', 'player_id')} or (player_id is null and ${hasPartner('partner_id')}))
      group by 1, 2
    )
    select kind || ' ' || subject || ' is owed ' || coalesce(o.sats, 0) || ' sats, the ledger says ' || coalesce(b.sats, 0) as what
      from owed o full join balances b using (kind, subject) where coalesce(o.sats, 0) <> coalesce(b.sats, 0)`,
}

/** I5: the kept sums of what is owed to a player are those of the payables. */
const sumsAsPayables: Rule = {
  id: 'I5',
  cut: 'player',
  minute: true,
  text: ({ has }) => `with added as (
      select player_id, coalesce(sum(sats) filter (where kind = 'prize'), 0) as prize_sats, count(*) filter (where kind = 'prize') as prizes,
        min(id) filter (where kind = 'prize') as first_prize_id, coalesce(sum(sats) filter (where kind <> 'prize'), 0) as return_sats,
        count(*) filter (where kind <> 'prize') as returns, min(id) filter (where kind <> 'prize') as first_return_id
      from payables where payout_id is null and ${has('player', 'player_id')} and player_id is not null group by player_id
    ), kept as (select * from owed_sums where ${has('player', 'player_id')})
    select 'player ' || player_id || ' is owed ' || coalesce(a.prizes, 0) || ' prizes of ' || coalesce(a.prize_sats, 0)
        || ' sats and ' || coalesce(a.returns, 0) || ' returns of ' || coalesce(a.return_sats, 0) || ', kept are '
        || coalesce(k.prizes, 0) || ' of ' || coalesce(k.prize_sats, 0) || ' and ' || coalesce(k.returns, 0) || ' of ' || coalesce(k.return_sats, 0) as what
      from added a full join kept k using (player_id)
      where (coalesce(a.prize_sats, 0), coalesce(a.prizes, 0), coalesce(a.first_prize_id, 0), coalesce(a.return_sats, 0), coalesce(a.returns, 0), coalesce(a.first_return_id, 0))
        <> (coalesce(k.prize_sats, 0), coalesce(k.prizes, 0), coalesce(k.first_prize_id, 0), coalesce(k.return_sats, 0), coalesce(k.returns, 0), coalesce(k.first_return_id, 0))`,
}

/** I5: what has not left is what the ledger has in flight; a coin is taken by one payout. */
const inFlightAsLedger: Rule = {
  id: 'I5',
  cut: null,
  minute: true,
  text: ({ balances }) => `with balances as (${balances(['in_flight'])})
    select 'payouts of ' || coalesce(x.sats, 0) || ' sats have not left, the ledger says ' || coalesce(b.sats, 0) as what
      from (select sum(sats) as sats from payouts where sent_at is null and cancelled_at is null) x
      left join balances b on true where coalesce(x.sats, 0) <> coalesce(b.sats, 0)
    union all select 'coin ' || outpoint || ' is taken by several payouts'
      from payout_inputs where is_open group by outpoint having count(*) > 1`,
}

/** I5: what the ledger paid was won, or given as goodwill. */
const nothingElsePaid: Rule = {
  id: 'I5',
  cut: 'transfer',
  minute: true,
  text: ({ has }) => `select 'transfer ' || t.key || ' names no draw' as what from transfers t
      where t.event in ('draw.fixed-prizes', 'draw.jackpot') and ${has('transfer', 't.id')}
        and not exists (select from draws d where d.id::text = split_part(t.key, ':', 2))
    union all select 'transfer ' || t.key || ' is goodwill that was not given' from transfers t
      where t.event = 'order.goodwill' and ${has('transfer', 't.id')}
        and not exists (select from order_goodwill g where t.key = 'order.goodwill:' || g.order_id)`,
}

/** I5: each payout pays what it was made for, in one way. */
const payoutsPayDebts: Rule = {
  id: 'I5',
  cut: 'payout',
  minute: true,
  text: ({ has }) => `select 'payout ' || p.id || ' pays ' || p.sats || ' sats for ' || coalesce(sum(b.sats), 0) as what
      from payouts p left join payables b on b.payout_id = p.id where p.cancelled_at is null and ${has('payout', 'p.id')}
      group by p.id having p.sats <> coalesce(sum(b.sats), 0)
    union all select 'payout ' || id || ' of ' || kind || ' has no way' from payouts p where ${has('payout', 'p.id')} and
      case kind when 'chain' then batch_id is null else not exists (select from ln_payouts l where l.payout_id = p.id) end`,
}

/** I5: a payout over Lightning is paid by one attempt, with the preimage of its invoice, and booked once. */
const lightningPaidOnce: Rule = {
  id: 'I5',
  cut: 'payout',
  minute: true,
  text: ({
    has,
  }) => `select 'payout ' || p.id || ' over Lightning is ' || l.state || ', paid by ' || x.paid || ' attempts, booked '
        || x.booked || ' times' as what
      from payouts p join ln_payouts l on l.payout_id = p.id cross join lateral (
        select count(*) filter (where a.outcome = 'complete') as paid, count(t.id) as booked from ln_attempts a
        left join transfers t on t.key = 'payout.sent:ln:' || a.payment_hash where a.payout_id = p.id) x
      where ${has('payout', 'p.id')} and (x.paid <> (l.state = 'PAID')::int or x.booked <> x.paid or (l.state = 'PAID') <> (p.sent_at is not null)
        or (l.state = 'RETURNED') <> (p.cancelled_at is not null))
    union all select 'payout ' || payout_id || ' shows a preimage that is not of its invoice' from ln_attempts
      where ${has('payout', 'payout_id')} and preimage is not null and encode(sha256(decode(preimage, 'hex')), 'hex') <> payment_hash`,
}

/** I5: each batch leaves once. */
const batchesSentOnce: Rule = {
  id: 'I5',
  cut: 'batch',
  minute: true,
  text: ({ has }) => `select 'payout batch ' || b.id || ' was sent ' || count(t.id) || ' times' as what
      from payout_batches b left join transfers t on t.key = 'payout.sent:' || b.id where ${has('batch', 'b.id')}
      group by b.id having count(t.id) <> (b.sent_at is not null)::int
    union all select 'payout batch ' || one.batch_id || ' has versions that could both be mined'
      from payout_txs one join payout_txs other on other.batch_id = one.batch_id and other.version > one.version
      where ${has('batch', 'one.batch_id')} and not one.inputs && other.inputs`,
}

/** I5: goodwill is given once for an order, and is at most what it cost. */
const goodwillGivenOnce: Rule = {
  id: 'I5',
  cut: 'order',
  minute: true,
  text: ({ has }) => `select 'order ' || g.order_id || ' that cost ' || coalesce(o.due_sats, 0) || ' sats was given '
        || g.sats || ' of goodwill, posted ' || x.transfers || ' times with ' || coalesce(x.sats, 0)
        || ', owed ' || coalesce(b.sats, 0) as what
      from order_goodwill g cross join lateral (
        select count(distinct t.id) as transfers, sum(p.amount_sats) as sats
        from transfers t join postings p on p.transfer_id = t.id and p.amount_sats > 0 where t.key = 'order.goodwill:' || g.order_id
      ) x
      left join orders o on o.id = g.order_id left join payables b on b.id = g.payable_id
      where ${has('order', 'g.order_id')} and (x.transfers <> 1 or x.sats is distinct from g.sats or b.sats is distinct from g.sats
        or b.player_id is distinct from o.player_id or b.order_id is not null or g.sats > coalesce(o.due_sats, 0))`,
}

/**
 * I7: the wallets hold what the ledger says, by their last comparison. Blocks may still undo what was not final at that
 * time, so that much may have been missing; what the wallets hold beyond the ledger endangers no one and is the
 * treasury's alarm. The Lightning node holds what the ledger says, or more: what it takes is rounded down, and what it
 * pays is booked once it is known, so that payments on their way, or booked after the comparison, may be missing. So may
 * what it received a moment before: its books follow its payments.
 */
const walletsCover: Rule = {
  id: 'I7',
  cut: null,
  minute: true,
  text: () => `with compared as (select * from treasury_checks), open_sats as (
      select (select coalesce(sum(sats), 0) from payments where final_at is null or final_at >= c.checked_at - ${CLOCK_TOLERANCE_SECONDS})
        + (select coalesce(sum(sats), 0) from unknown_deposits where final_at is null or final_at >= c.checked_at - ${CLOCK_TOLERANCE_SECONDS}) as sats
      from compared c
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
}

/** I11: a session has at most one refresh token that can still be used, and none was made after the session ended. */
const sessionsHaveOneToken: Rule = {
  id: 'I11',
  cut: null,
  minute: false,
  text: () => `select 'session ' || session_id || ' has ' || count(*) || ' live refresh tokens' as what from refresh_tokens
      where used_at is null group by session_id having count(*) > 1
    union all select 'session ' || s.id || ' was refreshed after it had ended'
      from sessions s join refresh_tokens r on r.session_id = s.id where r.created_at > s.revoked_at + ${CLOCK_TOLERANCE_SECONDS}`,
}

/**
 * I18: no invoice is tried for a payout while another one may still pay it: each attempt begins after the one before has
 * ended, and none that was asked for ended before its invoice was over without a refusal of the node.
 */
const attemptsOneByOne: Rule = {
  id: 'I18',
  cut: 'payout',
  minute: true,
  text: ({
    has,
  }) => `select 'attempt ' || b.attempt || ' of payout ' || b.payout_id || ' began while attempt ' || a.attempt || ' could still pay' as what
      from ln_attempts a join ln_attempts b on b.payout_id = a.payout_id and b.attempt > a.attempt
      where ${has('payout', 'a.payout_id')} and
        (a.outcome is null or a.outcome = 'complete' or a.ended_at > b.resolved_at + ${CLOCK_TOLERANCE_SECONDS})
    union all select 'attempt ' || attempt || ' of payout ' || payout_id || ' ended at ' || ended_at || ', its invoice at ' || expires_at
      from ln_attempts where ${has('payout', 'payout_id')} and outcome in ('failed', 'none', 'never-left') and ended_at <= expires_at
        and (outcome = 'never-left' or calls <> answers or not is_refused)
        and not exists (select from operator_actions o where o.action = 'lightning-give-up' and o.subject = payout_id::text)
    union all select 'payout ' || l.payout_id || ' is ' || l.state || ' with an attempt that may still pay'
      from ln_payouts l join ln_attempts a on a.payout_id = l.payout_id and a.outcome is null
      where ${has('payout', 'l.payout_id')} and l.state not in ('RESOLVED', 'SENDING', 'HALTED')`,
}

/** The rules of prizes, debts, payouts and wallets, and of sessions. */
export const PAYOUT_RULES: readonly Rule[] = [
  prizesPosted,
  winsOfPlays,
  owedAsLedger,
  sumsAsPayables,
  inFlightAsLedger,
  nothingElsePaid,
  payoutsPayDebts,
  lightningPaidOnce,
  batchesSentOnce,
  goodwillGivenOnce,
  walletsCover,
  sessionsHaveOneToken,
  attemptsOneByOne,
]
