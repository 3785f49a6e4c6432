import { nullable, sql, t } from '../../db/sql.ts'
import { brokenGuards } from './guards.ts'
import { sign } from './scopes.ts'

export const beginWatermark = sql({
  name: 'invariants.begin-watermark',
  text: `insert into ledger_watermark default values on conflict (id) do nothing`,
})

/** Claims the next check at $1, not within $2 seconds of the one before. A clock that was set back delays none. */
export const claimWatermark = sql({
  name: 'invariants.claim-watermark',
  text: `update ledger_watermark set claimed_at = $1 where claimed_at > $1 or $1 - claimed_at >= $2`,
  params: [t.epochSeconds, t.epochSeconds],
})

/** The watermark, and up to where nothing can appear any more. */
export const lockWatermark = sql({
  name: 'invariants.lock-watermark',
  text: `select upto_posting_id as posting_id, upto_transfer_id as transfer_id, total_sats, looked_at,
      followed_posting_id, followed_transfer_id,
      case when is_final then next_posting_id else upto_posting_id end as final_posting_id,
      case when is_final then next_transfer_id else upto_transfer_id end as final_transfer_id
    from ledger_watermark cross join lateral (
      select next_xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint as is_final) f
    for update of ledger_watermark`,
  row: {
    postingId: t.bigint,
    transferId: t.bigint,
    totalSats: t.bigint,
    followedPostingId: t.bigint,
    followedTransferId: t.bigint,
    lookedAt: nullable(t.epochSeconds),
    finalPostingId: t.bigint,
    finalTransferId: t.bigint,
  },
})

/**
 * Of the transfers from $3 to $4, and those with postings from $1 to $2, the ones that do not balance. Each is looked up
 * by itself: whatever a kept plan expects, the rest of the ledger is not read.
 */
export const unbalancedAmong = sql({
  name: 'invariants.unbalanced-among',
  text: `with touched as materialized (
      select transfer_id as id from postings where id > $1 and id <= $2
      union select id from transfers where id > $3 and id <= $4
    )
    select 'transfer ' || (select key from transfers t where t.id = touched.id) || ' has ' || p.postings || ' postings that sum to ' || p.sats as what
    from touched cross join lateral (
      select count(*) as postings, coalesce(sum(amount_sats), 0) as sats from postings where transfer_id = touched.id) p
    where p.postings < 2 or p.sats <> 0`,
  params: [t.bigint, t.bigint, t.bigint, t.bigint],
  row: { what: t.text },
})

/** Moves the watermark from the posting $1 to $2 and to the transfer $3, with the sums of what lies between. */
export const advanceWatermark = sql({
  name: 'invariants.advance-watermark',
  text: `with added as (
      select p.account_id, sum(p.amount_sats)::bigint as sats from postings p where p.id > $1 and p.id <= $2 group by 1
    ), kept as (
      insert into ledger_verified as v (account_id, natural_sats)
      select a.id, x.sats * ${sign} from added x join ledger_accounts a on a.id = x.account_id order by a.id
      on conflict (account_id) do update set natural_sats = v.natural_sats + excluded.natural_sats
    )
    update ledger_watermark set upto_posting_id = $2, upto_transfer_id = $3,
      total_sats = total_sats + coalesce((select sum(sats)::bigint from added), 0)
    where upto_posting_id = $1`,
  params: [t.bigint, t.bigint, t.bigint],
})

/** The newest checkpoint of each account that is not the one found right before, with the sum of its postings. */
const openCheckpoints = `newest as (
      select distinct on (account_id) account_id, upto_posting_id, balance_sats from ledger_checkpoints
      order by account_id, upto_posting_id desc
    ), open as (
      select a.id as account_id, a.kind, a.subject, n.upto_posting_id, n.balance_sats, coalesce(v.natural_sats, 0) * ${sign}
          + coalesce(case when n.upto_posting_id > $1
            then (select sum(p.amount_sats) from postings p where p.account_id = a.id and p.id > $1 and p.id <= n.upto_posting_id)
            else -(select sum(p.amount_sats) from postings p where p.account_id = a.id and p.id > n.upto_posting_id and p.id <= $1)
          end, 0) as sats,
        exists (select from postings p where p.account_id = a.id and p.id = n.upto_posting_id) as is_own
      from newest n join ledger_accounts a on a.id = n.account_id left join ledger_verified v on v.account_id = n.account_id
      where (v.checkpoint_posting_id, v.checkpoint_sats) is distinct from (n.upto_posting_id, n.balance_sats)
    )`

/**
 * What breaks the ledger (I1, I2, I14) beyond the watermark at the posting $1, which has the sum $2; $3 is the last id
 * there can be, since without an end a kept plan expects a third of the table. Its sentences are
 * those of the check of everything.
 */
export const violationsAfter = sql({
  name: 'invariants.violations-after',
  text: `with added as (
      select account_id, sum(amount_sats) as sats from postings where id > $1 and id <= $3 group by 1
    ), touched as materialized (
      select account_id, sum(sats) as sats from (
        select account_id, sats from added union all select account_id, 0 from ledger_verified where natural_sats < 0) x group by 1
    ), stands as (
      select a.kind, a.subject, a.sign * coalesce((select natural_sats from ledger_verified where account_id = touched.account_id), 0)
        + touched.sats as sats, a.sign
      from touched cross join lateral (
        select kind, subject, ${sign} as sign from ledger_accounts a where id = touched.account_id offset 0) a
    ), ${openCheckpoints}
    select 'I1' as invariant, 'the ledger sums to ' || $2::bigint + coalesce(sum(sats), 0) as what
      from added having $2::bigint + coalesce(sum(sats), 0) <> 0
    union all select 'I1', what from (${brokenGuards}) g
    union all select 'I2', kind || ' ' || subject || ' stands at ' || sats || ' sats' from stands where sats * sign < 0
    union all select 'I14', 'the checkpoint of ' || kind || ' ' || subject || ' at posting ' || upto_posting_id || ' says ' || balance_sats
      || ' sats, its postings come to ' || sats from open where sats <> balance_sats or not is_own`,
  params: [t.bigint, t.bigint, t.bigint],
  row: { invariant: t.oneOf(['I1', 'I2', 'I14']), what: t.text },
})

/** Remembers which checkpoints are the sum of their postings, $1 being the watermark. */
export const keepCheckpoints = sql({
  name: 'invariants.keep-checkpoints',
  text: `with ${openCheckpoints}
    update ledger_verified v set checkpoint_posting_id = o.upto_posting_id, checkpoint_sats = o.balance_sats
    from open o where o.account_id = v.account_id and o.sats = o.balance_sats and o.is_own`,
  params: [t.bigint],
})

export const findNewest = sql({
  name: 'invariants.find-newest',
  text: `select coalesce((select max(id) from postings), 0)::bigint as posting_id,
      coalesce((select max(id) from transfers), 0)::bigint as transfer_id`,
  row: { postingId: t.bigint, transferId: t.bigint },
})

/** Whether the watermark may be named again: it is where it was named last, or its number is from another life of the database. */
const isNameable = `((upto_posting_id = next_posting_id and upto_transfer_id = next_transfer_id)
        or next_xid > pg_current_xact_id()::text::bigint)`

/**
 * Names up to where the watermark moves next, with the number of this transaction: it has to be drawn after the ids were
 * read, so that every transaction with a lower id has a lower number. $3 is when the look began; null before the first.
 */
export const nameNext = sql({
  name: 'invariants.name-next',
  text: `update ledger_watermark set looked_at = coalesce($3, looked_at),
      next_posting_id = case when ${isNameable} then $1 else next_posting_id end,
      next_transfer_id = case when ${isNameable} then $2 else next_transfer_id end,
      next_xid = case when ${isNameable} then pg_current_xact_id()::text::bigint else next_xid end`,
  params: [t.bigint, t.bigint, nullable(t.epochSeconds)],
})

/** When the last look at what is new began; null before the first. */
export const findLook = sql({
  name: 'invariants.find-look',
  text: `select looked_at from ledger_watermark`,
  row: { lookedAt: nullable(t.epochSeconds) },
})
