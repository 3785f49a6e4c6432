import { array, nullable, sql, t } from '../../db/sql.ts'
import { notSetAside, usableAddressAt } from './queries.ts'

/** Refunds and excess that wait to be paid: see the statements. */
const returns = (among: string, chosen: string): string =>
  `with waiting as (
      select b.id, b.player_id, b.sats, case when b.kind = 'excess' then b.order_id end as order_id, a.address,
        (sum(b.sats) over (partition by a.address))::bigint as address_sats
      from payables b
      join players p on p.id = b.player_id and p.email_verified_at is not null
      cross join lateral (${usableAddressAt('$1')}) a
      where b.payout_id is null and b.kind in ('refund', 'excess') and ${notSetAside('$1')}${among}
        and not exists (select from payout_set_aside s where s.address in (a.address, lower(a.address)))
    )
    select w.id, w.player_id, w.sats, w.address, o.due_sats,
      case when o.currency = 'GBP' then o.rate_sats else coalesce((select r.sats_per_unit from rates r
        where r.currency = 'GBP' and r.at <= o.created_at order by r.at desc limit 1), o.rate_sats) end as pound_sats,
      (select sum(e.sats) from payables e where e.order_id = o.id and e.kind = 'excess')::bigint as excess_sats
    from waiting w left join orders o on o.id = w.order_id
    where w.address_sats >= $2${chosen}
    order by w.id`
const returnRow = {
  id: t.bigint,
  playerId: t.bigint,
  sats: t.bigint,
  address: t.text,
  dueSats: nullable(t.bigint),
  poundSats: nullable(t.bigint),
  excessSats: nullable(t.bigint),
}

/**
 * Refunds and excess that wait to be paid, one row each, oldest first, at most $3: those of players with a verified
 * email address and a usable bitcoin address at which at least $2 sats of them wait. For excess, also the state of its
 * order.
 */
export const listReturns = sql({
  name: 'payouts.list-returns',
  text: `${returns('', '')} limit $3`,
  params: [t.epochSeconds, t.bigint, t.bigint],
  row: returnRow,
})

/** The same, those that wait at the address of player $3: of all who have saved it. */
export const listReturnsBeside = sql({
  name: 'payouts.list-returns-beside',
  text: returns(
    ` and b.player_id = any (array(
          select f.player_id from player_addresses y join player_addresses f on f.address = y.address and f.superseded_at is null
          where y.player_id = $3 and y.superseded_at is null))`,
    ' and w.address in (select address from waiting where player_id = $3)',
  ),
  params: [t.epochSeconds, t.bigint, t.bigint],
  row: returnRow,
})

/** Whether any refund or excess waits, for any address or none. */
export const hasReturns = sql({
  name: 'payouts.has-returns',
  text: `select exists (select from payables where payout_id is null and kind in ('refund', 'excess')) as has_returns`,
  row: { hasReturns: t.bool },
})

/** The total of refunds and excess in no batch, in sats. */
export const sumWaiting = sql({
  name: 'payouts.sum-waiting-returns',
  text: `select coalesce(sum(return_sats), 0)::bigint as sats from owed_sums where returns > 0`,
  row: { sats: t.bigint },
})

/** Batches whose money is still in the wallet, and the newest of all: see `findReserved`. */
export const findUnsent = sql({
  name: 'payouts.find-unsent',
  text: `select coalesce(array_agg(id) filter (where sent_at is null and state <> 'CANCELLED'), '{}') as unsent_ids,
      coalesce(max(id), 0)::bigint as newest_id
    from payout_batches where state not in ('FINAL', 'CANCELLED') or id = (select max(id) from payout_batches)`,
  row: { unsentIds: array(t.bigint), newestId: t.bigint },
})

/**
 * What takes precedence over returns: prizes owed at a usable address ($1 is now, $2 are the partners that have one),
 * and what batches hold that had not left when the wallet was asked ($3, and those after $4; $5 is left out). Unsigned
 * returns are not included: see `listUnsigned`.
 */
export const findFirstClaims = sql({
  name: 'payouts.find-first-claims',
  text: `with owed as (
      select sum(b.sats) as sats, count(*) as payees from (
        select player_id, sum(sats) as sats from (
          select player_id, prize_sats as sats from owed_sums where prizes > 0
          union all select payee_id, sats from owed_changes where tx = pg_current_xact_id_if_assigned() and class = 'prize'
        ) kept group by player_id having sum(sats) > 0
      ) b
      join players p on p.id = b.player_id and p.email_verified_at is not null
      where exists (${usableAddressAt('$at')})
      union all select sum(sats), count(distinct partner_id) from payables
      where payout_id is null and partner_id = any($partnerIds)
      union all select sum(p.sats), count(distinct p.address) from payouts p join payout_batches b on b.id = p.batch_id
      where p.cancelled_at is null and b.id <> $before
        and ((b.state not in ('FINAL', 'CANCELLED') and b.sent_at is null) or b.id = any($unsentIds) or b.id > $newestId)
        and not (b.class is not distinct from 'returns' and not exists (select from payout_txs x where x.batch_id = b.id))
    )
    select coalesce(sum(sats), 0)::bigint as sats, coalesce(sum(payees), 0)::bigint as payees from owed`,
  params: {
    at: t.epochSeconds,
    partnerIds: array(t.text),
    unsentIds: array(t.bigint),
    newestId: t.bigint,
    before: t.bigint,
  },
  row: { sats: t.bigint, payees: t.bigint },
})

/** The total of each batch of returns that may leave and is not signed yet, before batch $1; null for all. */
export const listUnsigned = sql({
  name: 'payouts.list-unsigned-returns',
  text: `select sum(p.sats)::bigint as sats from payout_batches b join payouts p on p.batch_id = b.id and p.cancelled_at is null
    where b.class = 'returns' and coalesce(b.halted_from, b.state) in ('BATCHED', 'WAITING_FUNDS')
      and ($1::bigint is null or b.id < $1) group by b.id order by b.id`,
  params: [nullable(t.bigint)],
  row: { sats: t.bigint },
})

/** What batches of returns made since $1 without approval pay, by address, and how much of it has left. */
export const sumReturned = sql({
  name: 'payouts.sum-returned',
  text: `select p.address, sum(p.sats)::bigint as sats,
      coalesce(sum(p.sats) filter (where p.sent_at is not null), 0)::bigint as left_sats
    from payout_batches b join payouts p on p.batch_id = b.id
    where b.class = 'returns' and not b.needs_approval and b.created_at > $1 and p.cancelled_at is null
    group by p.address`,
  params: [t.epochSeconds],
  row: { address: t.text, sats: t.bigint, leftSats: t.bigint },
})

/** Unapproved and unsigned batches of returns: they are planned again. */
export const listReplannable = sql({
  name: 'payouts.list-replannable',
  text: `select id from payout_batches where class = 'returns' and not needs_approval
      and state in ('BATCHED', 'WAITING_FUNDS') order by id`,
  row: { id: t.bigint },
})

/**
 * The total a batch pays, and how much of the fee its returns bear, in sats; with the rate of that fee, see the table.
 */
export const sumBatch = sql({
  name: 'payouts.sum-batch',
  text: `select b.fee_rate, coalesce(sum(p.sats), 0)::bigint as sats, coalesce(sum(p.fee_share_sats), 0)::bigint as share_sats
    from payout_batches b left join payouts p on p.batch_id = b.id and p.cancelled_at is null
    where b.id = $1 group by b.id`,
  params: [t.bigint],
  row: { feeRate: nullable(t.bigint), sats: t.bigint, shareSats: t.bigint },
})

const FLOAT = `'payouts.float'`

/** Keeps the float as of the last reading of the wallet, for processes that must not ask it. */
export const storeFloat = sql({
  name: 'payouts.store-float',
  text: `insert into system_state (key, value) values (${FLOAT}, $1::bigint::text)
    on conflict (key) do update set value = excluded.value`,
  params: [t.bigint],
})

export const findFloat = sql({
  name: 'payouts.find-float',
  text: `select value::bigint as sats from system_state where key = ${FLOAT}`,
  row: { sats: t.bigint },
})
