import { array, nullable, sql, t } from '../../db/sql.ts'

// Figures of all modules are only read here: nothing of another module is decided.

export const findReading = sql({
  name: 'monitoring.find-reading',
  text: `select read_at, content from readings where name = $1`,
  params: [t.text],
  row: { readAt: t.epochSeconds, content: t.json() },
})

export const storeReading = sql({
  name: 'monitoring.store-reading',
  text: `insert into readings (name, read_at, content) values ($1, $2, $3)
    on conflict (name) do update set read_at = excluded.read_at, content = excluded.content`,
  params: [t.text, t.epochSeconds, t.json()],
})

/** One process reads, the others continue with the existing figures. The number only has to be unique. */
export const tryLockReading = sql({
  name: 'monitoring.try-lock-reading',
  text: `select pg_try_advisory_xact_lock(7203, 11) as is_locked`,
  row: { isLocked: t.bool },
})

export const countOrders = sql({
  name: 'monitoring.count-orders',
  text: `select status, count(*)::bigint as orders, coalesce(sum(entry_count), 0)::bigint as entries,
      coalesce(sum(free_count), 0)::bigint as free_entries
    from orders group by status order by status`,
  row: { status: t.text, orders: t.bigint, entries: t.bigint, freeEntries: t.bigint },
})

export const countPayments = sql({
  name: 'monitoring.count-payments',
  text: `select (confirmed_at is not null) as is_confirmed, count(*)::bigint as payments, sum(sats)::bigint as sats
    from payments group by 1 order by 1`,
  row: { isConfirmed: t.bool, payments: t.bigint, sats: t.bigint },
})

/** What was received over Lightning from $1 on. */
export const sumOverLightning = sql({
  name: 'monitoring.sum-over-lightning',
  text: `select coalesce(sum(received_msat / 1000), 0)::bigint as sats from ln_invoices where paid_at >= $1`,
  params: [t.epochSeconds],
  row: { sats: t.bigint },
})

/** How many payouts over Lightning are not done, by state, and since when the longest is on its way. */
export const countLightningPayouts = sql({
  name: 'monitoring.count-lightning-payouts',
  text: `select l.state, count(*)::bigint as payouts, min(a.resolved_at) as oldest_at
    from ln_payouts l left join ln_attempts a on a.payout_id = l.payout_id and a.outcome is null
    where l.state not in ('PAID', 'RETURNED') group by l.state order by l.state`,
  row: { state: t.text, payouts: t.bigint, oldestAt: nullable(t.epochSeconds) },
})

/** What the way of payouts over Lightning cost that were paid after $1 and until $2, in sats. */
export const sumLightningFees = sql({
  name: 'monitoring.sum-lightning-fees',
  text: `select coalesce(sum(ceil((sent_msat - amount_msat) / 1000.0)), 0)::bigint as sats
    from ln_attempts where outcome = 'complete' and ended_at > $1 and ended_at <= $2`,
  params: [t.epochSeconds, t.epochSeconds],
  row: { sats: t.bigint },
})

/** What was paid out over Lightning since $1, and how long it took on average, from when it was owed. */
export const sumPaidOverLightning = sql({
  name: 'monitoring.sum-paid-over-lightning',
  text: `select coalesce(sum(a.amount_msat / 1000), 0)::bigint as sats,
      avg(a.ended_at - o.created_at)::float8 as mean_seconds,
      (select count(*) from ln_attempts where outcome = 'never-left')::bigint as never_left
    from ln_attempts a join payouts o on o.id = a.payout_id where a.outcome = 'complete' and a.ended_at >= $1`,
  params: [t.epochSeconds],
  row: { sats: t.bigint, meanSeconds: nullable(t.float), neverLeft: t.bigint },
})

export const countDraws = sql({
  name: 'monitoring.count-draws',
  text: `select status, count(*)::bigint as draws from draws group by status order by status`,
  row: { status: t.text, draws: t.bigint },
})

/** What is or was owed, by purpose and progress. What was in a payout that was given up is owed again. */
export const sumPayables = sql({
  name: 'monitoring.sum-payables',
  text: `select b.kind, case when p.id is null then 'owed' when p.sent_at is null then 'leaving' else 'paid' end as state,
      count(*)::bigint as payables, sum(b.sats)::bigint as sats
    from payables b left join payouts p on p.id = b.payout_id
    group by 1, 2 order by 1, 2`,
  row: { kind: t.text, state: t.text, payables: t.bigint, sats: t.bigint },
})

export const countRounds = sql({
  name: 'monitoring.count-rounds',
  text: `select c.name, count(r.round)::bigint as rounds from beacon_chains c
    left join beacon_rounds r on r.chain_hash = c.hash group by c.name order by c.name`,
  row: { name: t.text, rounds: t.bigint },
})

export const countJobs = sql({
  name: 'monitoring.count-jobs',
  text: `select kind, count(*)::int as waiting, (count(*) filter (where run_at <= $1))::int as due,
      (count(*) filter (where last_error is not null))::int as failed,
      coalesce($1 - min(run_at) filter (where run_at <= $1), 0)::int as late_seconds
    from jobs group by kind order by kind`,
  params: [t.epochSeconds],
  row: { kind: t.text, waiting: t.int, due: t.int, failed: t.int, lateSeconds: t.int },
})

/** Draws whose numbers should be known by now, by the start in their log. */
export const countLateDraws = sql({
  name: 'monitoring.count-late-draws',
  text: `select count(*)::int as draws, coalesce($1 - min(start_at), 0)::int as late_seconds
    from draws where status in ('open', 'closed') and start_at < $1`,
  params: [t.epochSeconds],
  row: { draws: t.int, lateSeconds: t.int },
})

/** When the newest known round of the chain $1 was due. */
export const findNewestDue = sql({
  name: 'monitoring.find-newest-due',
  text: `select newest_due_at from beacon_chains where hash = $1`,
  params: [t.text],
  row: { newestDueAt: nullable(t.epochSeconds) },
})

export const listNewestRounds = sql({
  name: 'monitoring.list-newest-rounds',
  text: `select name, newest_round, newest_due_at from beacon_chains where newest_round is not null order by name`,
  row: { name: t.text, newestRound: nullable(t.bigint), newestDueAt: nullable(t.epochSeconds) },
})

export const findLog = sql({
  name: 'monitoring.find-log',
  text: `select index, at from log_leaves order by index desc limit 1`,
  row: { index: t.whole, at: t.epochSeconds },
})

/**
 * Claims the next check for the process that asks, $1 being now: not within $2 seconds of the one before, nor within $3
 * times its duration. A clock that was set back delays no check.
 */
export const claimCheck = sql({
  name: 'monitoring.claim-check',
  text: `insert into invariant_checks as c (claimed_at) values ($1)
    on conflict (id) do update set claimed_at = excluded.claimed_at
      where c.claimed_at > $1 or $1 - c.claimed_at >= greatest($2, $3 * c.took_ms / 1000)
    returning checked_at`,
  params: [t.epochSeconds, t.bigint, t.bigint],
  row: { checkedAt: nullable(t.epochSeconds) },
})

/** A manual check of everything ($2 null) says nothing about the duration of the others. */
export const storeCheck = sql({
  name: 'monitoring.store-check',
  text: `insert into invariant_checks (claimed_at, checked_at, took_ms) values ($1, $1, coalesce($2::bigint, 0))
    on conflict (id) do update set checked_at = excluded.checked_at,
      took_ms = coalesce($2::bigint, invariant_checks.took_ms)`,
  params: [t.epochSeconds, nullable(t.bigint)],
})

export const findCheck = sql({
  name: 'monitoring.find-check',
  text: `select checked_at, took_ms from invariant_checks`,
  row: { checkedAt: nullable(t.epochSeconds), tookMs: t.bigint },
})

/** The first sealed draw that is not settled, or was settled from $1 on; null for none. */
export const findChangedDraw = sql({
  name: 'monitoring.find-changed-draw',
  text: `select min(id) as id from draws
    where status in ('closed', 'drawn') or (status = 'settled' and settled_at >= $1)`,
  params: [t.epochSeconds],
  row: { id: nullable(t.bigint) },
})

/** New findings, and those that return after they were gone. A finding that returns was not accepted. */
export const keepViolations = sql({
  name: 'monitoring.keep-violations',
  text: `insert into invariant_violations as v (invariant, problem, found_at, seen_at)
    select one.invariant, one.problem, $3, $3 from unnest($1::text[], $2::text[]) as one (invariant, problem)
    on conflict (invariant, problem) do update set seen_at = excluded.seen_at, gone_at = null,
      found_at = case when v.gone_at is null then v.found_at else excluded.found_at end,
      accepted_at = case when v.gone_at is null then v.accepted_at end
    returning number, invariant, (found_at = $3) as is_new, (accepted_at is not null) as is_accepted`,
  params: [array(t.text), array(t.text), t.epochSeconds],
  row: { number: t.bigint, invariant: t.text, isNew: t.bool, isAccepted: t.bool },
})

/** For invariants that were checked completely ($3): what was not found is gone. */
export const endViolations = sql({
  name: 'monitoring.end-violations',
  text: `update invariant_violations set gone_at = $1
    where gone_at is null and number <> all($2) and invariant = any($3)`,
  params: [t.epochSeconds, array(t.bigint), array(t.text)],
})

/** After a pass over the invariants $4 that began at $2 and found $3: what nothing has seen since is gone. */
export const endUnseen = sql({
  name: 'monitoring.end-unseen',
  text: `update invariant_violations set gone_at = $1
    where gone_at is null and seen_at < $2 and number <> all($3) and invariant = any($4)`,
  params: [t.epochSeconds, t.epochSeconds, array(t.bigint), array(t.text)],
})

export const countStanding = sql({
  name: 'monitoring.count-standing',
  text: `select invariant, (count(*) filter (where accepted_at is null))::int as standing,
      (count(*) filter (where accepted_at is not null))::int as accepted
    from invariant_violations where gone_at is null group by invariant`,
  row: { invariant: t.text, standing: t.int, accepted: t.int },
})
