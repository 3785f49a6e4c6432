import { LATE_PAYMENT_SECONDS } from '@fairball/domain/order-status'
import { array, nullable, sql, t } from '../../db/sql.ts'

/** Accounts of which there are few. What players are owed is what the others leave: all of them add up to nothing. */
const FEW = `'wallet', 'lightning', 'received', 'stakes_held', 'prize_pool', 'donation_pool', 'fee_reserve', 'partner', 'bankroll',
  'operator_fee', 'in_flight', 'network_fees', 'losses', 'suspense'`
const UNDECIDED = `'PENDING', 'PROCESSING', 'UNDERPAID'`

/** The sums of the accounts of which there are few, and of those of draws that are not settled, by kind. */
export const listBalances = sql({
  name: 'console.list-balances',
  text: `select a.kind, sum(coalesce(c.balance_sats, 0) + coalesce((select sum(p.amount_sats) from console_postings p
        where p.account_id = a.id and p.id > coalesce(c.upto_posting_id, 0)), 0))::bigint as sats
    from (
      select id, kind from console_ledger_accounts where kind in (${FEW})
      union all
      select x.id, x.kind from console_draws d join console_ledger_accounts x on x.kind in ('pot', 'reserve') and x.subject = d.id::text
      where d.status in ('open', 'closed', 'drawn')) a
    left join lateral (select upto_posting_id, balance_sats from console_checkpoints where account_id = a.id
      order by upto_posting_id desc limit 1) c on true
    group by a.kind order by a.kind`,
  row: { kind: t.text, sats: t.bigint },
})

/** What left the wallets unbooked, in sats. */
export const sumUnbooked = sql({
  name: 'console.sum-unbooked',
  text: `select coalesce(sum(paid_sats + fee_sats), 0)::bigint as sats from console_movements m
    where state = 'UNBOOKED' and not exists (select from console_payout_txs x where x.txid = m.txid)`,
  row: { sats: t.bigint },
})

/**
 * What each game with an open draw needs of the bankroll, as its sales are decided; a draw with plays is told by its leaves,
 * and by those that wait for the next batch.
 */
export const listNeeds = sql({
  name: 'console.list-needs',
  text: `select g.key as game_key, n.needed_minor, (
        exists (select from console_draws c where c.game_key = g.key and c.status = 'open'
          and (c.leaves > 0 or exists (select from console_plays p where p.draw_id = c.id and p.leaf_index is null)))
        or exists (select from console_orders o where o.game_key = g.key and o.status in (${UNDECIDED}))
        or exists (select from console_orders o where o.game_key = g.key and o.status = 'EXPIRED'
          and o.expires_at >= $1::bigint - ${2 * LATE_PAYMENT_SECONDS} and (o.expires_at >= $1::bigint - ${LATE_PAYMENT_SECONDS}
            or exists (select from console_payments p where p.order_id = o.id and p.gone_at is null)))) as is_committed,
      (select r.sats_per_unit from console_rates r where r.currency = n.currency order by r.at desc limit 1) as rate_sats
    from console_games g cross join lateral (select max(d.guaranteed_minor + d.cover_minor) as needed_minor, max(d.currency) as currency
      from console_draws d where d.game_key = g.key and d.status = 'open') n
    where n.needed_minor is not null order by g.position`,
  params: [t.epochSeconds],
  row: { gameKey: t.text, neededMinor: t.bigint, isCommitted: t.bool, rateSats: nullable(t.bigint) },
})

/** What was sold, given back and paid out since a moment. */
export const sumSince = sql({
  name: 'console.sum-since',
  text: `select s.orders, s.sats as sales_sats,
      (select coalesce(sum(sats), 0)::bigint from console_payables where created_at >= $1 and kind in ('refund', 'excess')) as refunds_sats,
      (select coalesce(sum(sats), 0)::bigint from console_payouts where sent_at >= $1) as payouts_sats
    from (select count(*) as orders, coalesce(sum(due_sats), 0)::bigint as sats from console_orders where paid_at >= $1) s`,
  params: [t.epochSeconds],
  row: { orders: t.whole, salesSats: t.bigint, refundsSats: t.bigint, payoutsSats: t.bigint },
})

/** The pauses that run. */
export const listPauses = sql({
  name: 'console.list-pauses',
  text: `select game_key, public_note, from_at from console_sales_pauses
    where from_at <= $1 and (until_at is null or until_at > $1) order by game_key is not null, id`,
  params: [t.epochSeconds],
  row: { gameKey: nullable(t.text), publicNote: t.text, fromAt: t.epochSeconds },
})

/** The draws that come next, or should have been over. */
export const listNextDraws = sql({
  name: 'console.list-next-draws',
  text: `select game_key, number, status, closes_at, start_at, coalesce(entries, leaf_lines) as entries,
      coalesce(stake_sats, leaf_stake_sats) as stake_sats
    from console_draws where status in ('open', 'closed', 'drawn') order by start_at, id limit 20`,
  row: {
    gameKey: t.text,
    number: t.int,
    status: t.text,
    closesAt: t.epochSeconds,
    startAt: t.epochSeconds,
    entries: t.whole,
    stakeSats: t.bigint,
  },
})

/** Violations of invariants that nobody accepted. */
export const listStanding = sql({
  name: 'console.list-standing',
  text: `select number, invariant, problem, found_at from console_violations where gone_at is null and accepted_at is null
    order by number limit 20`,
  row: { number: t.bigint, invariant: t.text, problem: t.text, foundAt: t.epochSeconds },
})

/** Commands with a reason that were run on the server since a moment, newest first. */
export const listCommandsSince = sql({
  name: 'console.list-commands-since',
  text: `select id, at, kind, subject, reason from (select id, at, kind, subject, reason, request_id from console_audit order by id desc limit 500) a
    where at >= $1 and request_id is null and reason is not null and kind is not null order by id desc limit 20`,
  params: [t.epochSeconds],
  row: { id: t.bigint, at: t.epochSeconds, kind: t.text, subject: t.text, reason: t.text },
})

/** Who acknowledged these alarms last. */
export const listAcknowledged = sql({
  name: 'console.list-acknowledged',
  text: `select distinct on (a.subject) a.subject, a.at, s.id as staff_id, s.name from console_audit a join staff s on s.id = a.staff_id
    where a.subject = any($1) and a.kind = 'alarms.acknowledge' order by a.subject, a.id desc`,
  params: [array(t.text)],
  row: { subject: t.text, at: t.epochSeconds, staffId: t.bigint, name: t.text },
})

/** Requests that a second person may sign. */
export const listWaitingRequests = sql({
  name: 'console.list-waiting-requests',
  text: `select r.kind, r.args, r.facts, r.proposed_by from operator_requests r
    where r.state = 'proposed' and r.expires_at > $1
      and not exists (select from operator_signatures s where s.request_id = r.id and s.part = 'approve')
    order by r.created_at limit 500`,
  params: [t.epochSeconds],
  row: { kind: t.text, args: t.json(), facts: t.json(), proposedBy: nullable(t.bigint) },
})

/** What each wallet held when it was read last. */
export const listReadings = sql({
  name: 'console.list-readings',
  text: `select wallet, sats, read_at from console_wallet_readings order by wallet, source`,
  row: { wallet: t.text, sats: t.bigint, readAt: t.epochSeconds },
})

/** The last comparison of wallets and ledger. */
export const findTreasuryCheck = sql({
  name: 'console.find-treasury-check',
  text: `select ledger_sats, held_sats, pending_sats, lightning_ledger_sats, lightning_held_sats from console_treasury_checks`,
  row: {
    ledgerSats: t.bigint,
    heldSats: t.bigint,
    pendingSats: nullable(t.bigint),
    lightningLedgerSats: nullable(t.bigint),
    lightningHeldSats: nullable(t.bigint),
  },
})

/** Money that arrived for no order and that nobody has explained, oldest first. */
export const listDeposits = sql({
  name: 'console.list-deposits',
  text: `select outpoint, sats, seen_at, provider, confirmed_at is not null as is_confirmed, final_at is not null as is_final
    from console_unknown_deposits where taken_confirmation < times_confirmed or confirmed_at is null order by seen_at, outpoint limit 200`,
  row: {
    outpoint: t.text,
    sats: t.bigint,
    seenAt: t.epochSeconds,
    provider: t.text,
    isConfirmed: t.bool,
    isFinal: t.bool,
  },
})

/** Spends of our wallets that no batch ordered and that are not settled both ways: accepted, and booked. */
export const listSpends = sql({
  name: 'console.list-spends',
  text: `select coalesce(m.txid, f.txid) as txid, m.paid_sats + m.fee_sats as sats, least(m.found_at, f.found_at) as found_at,
      f.txid is null or f.accepted_at is not null as is_accepted, coalesce(m.state = 'BOOKED', false) as is_booked
    from (select * from console_movements m where kind = 'spend' and state in ('IMMATURE', 'UNBOOKED')
        and not exists (select from console_payout_txs x where x.txid = m.txid)) m
    full join (select f.txid, f.found_at, f.accepted_at from console_foreign_spends f where not is_payout and accepted_at is null) f
      on f.txid = m.txid
    order by 3, 1 limit 200`,
  row: {
    txid: t.text,
    sats: nullable(t.bigint),
    foundAt: t.epochSeconds,
    isAccepted: t.bool,
    isBooked: t.bool,
  },
})
