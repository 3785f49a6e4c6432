import { array, sql, t } from '../../db/sql.ts'

export const ensureAccounts = sql({
  name: 'ledger.ensure-accounts',
  text: `insert into ledger_accounts (kind, subject) select * from unnest($1::text[], $2::text[])
    on conflict (kind, subject) do nothing`,
  params: [array(t.text), array(t.text)],
})

export const insertTransfer = sql({
  name: 'ledger.insert-transfer',
  text: `insert into transfers (event, key, at) values ($1, $2, $3) on conflict (key) do nothing returning id`,
  params: [t.text, t.text, t.epochSeconds],
  row: { id: t.bigint },
})

/**
 * The key share of each account row is taken before a posting id is drawn: see ledger_checkpoints. Its three arrays run
 * in parallel.
 */
const wantedPostings = `wanted as materialized (
      select w.amount_sats, w.place,
        (select a.id from ledger_accounts a where a.kind = w.kind and a.subject = w.subject) as account_id
      from unnest($kinds::text[], $subjects::text[], $amounts::bigint[]) with ordinality as w (kind, subject, amount_sats, place)
    ), locked as materialized (
      select id from ledger_accounts where id = any (array(select account_id from wanted)) order by id for key share
    )`

export const insertPostings = sql({
  name: 'ledger.insert-postings',
  text: `with ${wantedPostings}
    insert into postings (transfer_id, account_id, amount_sats)
    select $transferId, wanted.account_id, wanted.amount_sats from wanted where (select count(*) from locked) > 0
    order by wanted.place`,
  params: {
    kinds: array(t.text),
    subjects: array(t.text),
    amounts: array(t.bigint),
    transferId: t.bigint,
  },
})

/** A transfer with its postings; nothing if its key was posted before, or if one of the accounts does not exist yet. */
export const insertPostedTransfer = sql({
  name: 'ledger.insert-posted-transfer',
  text: `with each_of as materialized (
      select m.*, array(
        select (select a.id from ledger_accounts a where a.kind = w.kind and a.subject = w.subject)
        from unnest(m.kinds, m.subjects) with ordinality as w (kind, subject, posting) order by posting
      ) as account_ids from $each m
    ), locked as materialized (
      select id from ledger_accounts where id = any (array(select unnest(account_ids) from each_of)) order by id for key share
    ), transfer as (
      insert into transfers (event, key, at) select event, key, at from each_of
      where (select count(*) from locked) > 0 and array_position(account_ids, null) is null
      on conflict (key) do nothing returning id, key
    ), made as materialized (
      select distinct on (transfer.id) transfer.id, e.* from transfer join each_of e using (key) order by transfer.id, e.place
    ), posted as (
      insert into postings (transfer_id, account_id, amount_sats)
      select made.id, w.account_id, w.amount_sats
      from made cross join unnest(account_ids, amounts) with ordinality as w (account_id, amount_sats, posting)
      order by made.place, w.posting
    )
    select place from made`,
  params: {
    kinds: array(t.text),
    subjects: array(t.text),
    amounts: array(t.bigint),
    event: t.text,
    key: t.text,
    at: t.epochSeconds,
  },
  serves: 'each',
})

const newestCheckpoint = `select upto_posting_id, balance_sats from ledger_checkpoints
  where account_id = a.id order by upto_posting_id desc limit 1`

export const sumOfAccount = sql({
  name: 'ledger.sum-of-account',
  text: `select (coalesce(c.balance_sats, 0) + coalesce((
      select sum(p.amount_sats) from postings p where p.account_id = a.id and p.id > coalesce(c.upto_posting_id, 0)
    ), 0))::bigint as sum_sats
    from ledger_accounts a left join lateral (${newestCheckpoint}) c on true
    where a.kind = $1 and a.subject = $2`,
  params: [t.text, t.text],
  row: { sumSats: t.bigint },
  serves: 'same',
})

export const sumsByKind = sql({
  name: 'ledger.sums-by-kind',
  text: `select a.kind, sum(coalesce(c.balance_sats, 0) + coalesce((
      select sum(p.amount_sats) from postings p where p.account_id = a.id and p.id > coalesce(c.upto_posting_id, 0)
    ), 0))::bigint as sum_sats
    from ledger_accounts a left join lateral (${newestCheckpoint}) c on true
    group by a.kind order by a.kind`,
  row: { kind: t.text, sumSats: t.bigint },
})

export const lockAccount = sql({
  name: 'ledger.lock-account',
  text: `select id from ledger_accounts where kind = $1 and subject = $2 for update`,
  params: [t.text, t.text],
  row: { id: t.bigint },
})

export const insertCheckpoint = sql({
  name: 'ledger.insert-checkpoint',
  text: `insert into ledger_checkpoints (account_id, upto_posting_id, balance_sats)
    select a.id, greatest(coalesce(c.upto_posting_id, 0), max(p.id)), (coalesce(c.balance_sats, 0) + sum(p.amount_sats))::bigint
    from ledger_accounts a left join lateral (${newestCheckpoint}) c on true
    join postings p on p.account_id = a.id and p.id > coalesce(c.upto_posting_id, 0)
    where a.id = $1
    group by a.id, c.upto_posting_id, c.balance_sats`,
  params: [t.bigint],
})

export const countUnbalancedTransfers = sql({
  name: 'ledger.count-unbalanced',
  text: `select count(*)::int as unbalanced from (
      select transfer_id from postings group by transfer_id having sum(amount_sats) <> 0) x`,
  row: { unbalanced: t.int },
})

export const negativeAccounts = sql({
  name: 'ledger.negative-accounts',
  text: `select a.kind, a.subject, sum(p.amount_sats)::bigint as sum_sats
    from ledger_accounts a join postings p on p.account_id = a.id
    group by a.id having case when a.kind in ('wallet', 'lightning', 'network_fees', 'losses')
      then sum(p.amount_sats) > 0 else sum(p.amount_sats) < 0 end`,
  row: { kind: t.text, subject: t.text, sumSats: t.bigint },
})

export const sumFreeTickets = sql({
  name: 'ledger.sum-free-tickets',
  text: `select coalesce(sum(won - used - paid_out), 0)::bigint as free_tickets from free_tickets`,
  row: { freeTickets: t.bigint },
})

/** Accounts of everyone who won in a draw. */
export const ensureWinnersAccounts = sql({
  name: 'ledger.ensure-winners-accounts',
  text: `insert into ledger_accounts (kind, subject)
    select distinct 'winnings', player_id::text from wins where draw_id = $1 and amount_sats is not null
    on conflict (kind, subject) do nothing`,
  params: [t.bigint],
})

/**
 * One posting for each winning line of a tier. Each looks its account up: a join would be planned by the statistics
 * from before this transaction, when both tables were empty, and go through all accounts for every win.
 */
export const insertPrizePostings = sql({
  name: 'ledger.insert-prize-postings',
  text: `insert into postings (transfer_id, account_id, amount_sats)
    select $1, (select a.id from ledger_accounts a where a.kind = 'winnings' and a.subject = w.player_id::text),
      w.amount_sats
    from wins w where w.draw_id = $2 and w.win_type = $3 and w.amount_sats is not null order by w.play_id, w.line_no`,
  params: [t.bigint, t.bigint, t.text],
})

/** What the accounts of each kind gained and gave in transfers, by event. */
export const sumsOfTransfers = sql({
  name: 'ledger.sums-of-transfers',
  text: `select t.event, a.kind, sum(greatest(p.amount_sats, 0))::bigint as gained_sats,
      sum(greatest(-p.amount_sats, 0))::bigint as given_sats
    from transfers t join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
    where t.key = any($1) group by t.event, a.kind`,
  params: [array(t.text)],
  row: { event: t.text, kind: t.text, gainedSats: t.bigint, givenSats: t.bigint },
})
