import { nullable, sql, t } from '../../db/sql.ts'

/** The newest rate of a currency, $3, when a transfer was posted. */
const rateThen = `left join lateral (
    select at, sats_per_unit from console_rates where currency = $3 and at <= t.at order by at desc limit 1
  ) r on true`

/** A text as a field of CSV (RFC 4180). */
const csv = (text: string): string =>
  `case when ${text} ~ '[",\\r\\n]' then '"' || replace(${text}, '"', '""') || '"' else ${text} end`

/** What a posting is at its rate, in hundredths: half up by size, as fiat.ts does it. */
const fiatMinor = `sign(p.amount_sats)::bigint * ((abs(p.amount_sats) * 200 + r.sats_per_unit) / (2 * r.sats_per_unit))`
const fiat = `case when m.minor < 0 then '-' else '' end || abs(m.minor) / 100 || '.' || lpad((abs(m.minor) % 100)::text, 2, '0')`

const postings = `from console_transfers t join console_postings p on p.transfer_id = t.id
    join console_ledger_accounts a on a.id = p.account_id`
const hashedCsv = `t.id || ',' || t.at || ',' || ${csv('t.event')} || ',' || ${csv('t.key')} || ',' || a.kind || ',' ||
      ${csv('a.subject')} || ',' || p.amount_sats`
const stretchInOrder = `where t.at >= $1 and t.at < $2 order by t.at, t.id, p.id`

// Every posting dated from $1 until before $2, in the order of the journal. A line of it is written by the database: as a
// row of values, each posting would be a dozen objects of this process.

/** As CSV. */
export const journalCsv = sql({
  name: 'reports.journal-csv',
  text: `select ${hashedCsv} || ',' || $3::text || ',' || coalesce(r.sats_per_unit || ',' || r.at || ',' || ${fiat}, ',,') as line
    ${postings} ${rateThen} cross join lateral (select ${fiatMinor} as minor) m ${stretchInOrder}`,
  params: [t.epochSeconds, t.epochSeconds, t.text],
  row: { line: t.text },
})

/** As JSON. */
export const journalJson = sql({
  name: 'reports.journal-json',
  text: `select '{"transfer":' || t.id || ',"at":' || t.at || ',"event":' || to_json(t.event) || ',"key":' || to_json(t.key)
      || ',"account":"' || a.kind || '","subject":' || to_json(a.subject) || ',"sats":' || p.amount_sats
      || ',"currency":"' || $3::text || '",' || coalesce(
        '"rate_sats":' || r.sats_per_unit || ',"rate_at":' || r.at || ',"fiat":"' || ${fiat} || '"}',
        '"rate_sats":null,"rate_at":null,"fiat":null}') as line
    ${postings} ${rateThen} cross join lateral (select ${fiatMinor} as minor) m ${stretchInOrder}`,
  params: [t.epochSeconds, t.epochSeconds, t.text],
  row: { line: t.text },
})

/** As CSV in satoshis alone, which a month's hash covers, and the transfer of each line. */
export const hashedJournal = sql({
  name: 'reports.hashed-journal',
  text: `select t.id as transfer_id, ${hashedCsv} as line ${postings} ${stretchInOrder}`,
  params: [t.epochSeconds, t.epochSeconds],
  row: { transferId: t.bigint, line: t.text },
})

/** The sum of each kind of account over all transfers dated before a moment. */
export const balancesByKind = sql({
  name: 'reports.balances-by-kind',
  text: `select a.kind, sum(p.amount_sats)::bigint as sats
    from console_transfers t join console_postings p on p.transfer_id = t.id
    join console_ledger_accounts a on a.id = p.account_id
    where t.at < $1 group by a.kind order by a.kind`,
  params: [t.epochSeconds],
  row: { kind: t.text, sats: t.bigint },
})

/** The same for each account that is not empty. */
export const balancesBySubject = sql({
  name: 'reports.balances-by-subject',
  text: `select a.kind, a.subject, sum(p.amount_sats)::bigint as sats
    from console_transfers t join console_postings p on p.transfer_id = t.id
    join console_ledger_accounts a on a.id = p.account_id
    where t.at < $1 group by a.kind, a.subject having sum(p.amount_sats) <> 0 order by a.kind, a.subject`,
  params: [t.epochSeconds],
  row: { kind: t.text, subject: t.text, sats: t.bigint },
})

/** The newest rate of a currency at a moment. */
export const rateAt = sql({
  name: 'reports.rate-at',
  text: `select at, sats_per_unit from console_rates where currency = $1 and at <= $2 order by at desc limit 1`,
  params: [t.text, t.epochSeconds],
  row: { at: t.epochSeconds, satsPerUnit: t.bigint },
})

/**
 * What each event moved on each kind of account, from $1 until before $2. Each posting is converted and rounded as
 * the journal does it; those without a rate are left out of the sum.
 */
export const movements = sql({
  name: 'reports.movements',
  text: `select t.event, a.kind, sum(p.amount_sats)::bigint as sats,
      (sum(${fiatMinor}))::bigint as fiat_minor
    from console_transfers t join console_postings p on p.transfer_id = t.id
    join console_ledger_accounts a on a.id = p.account_id ${rateThen}
    where t.at >= $1 and t.at < $2 group by t.event, a.kind order by t.event, a.kind`,
  params: [t.epochSeconds, t.epochSeconds, t.text],
  row: { event: t.text, kind: t.text, sats: t.bigint, fiatMinor: nullable(t.bigint) },
})

export const payouts = sql({
  name: 'reports.payouts',
  text: `select p.id, p.batch_id, p.kind, p.player_id, p.partner_id, p.sats, p.fee_share_sats, p.created_at, p.sent_at,
      p.cancelled_at, p.reference, r.sats_per_unit as rate_sats, r.at as rate_at
    from console_payout_report p left join lateral (
      select at, sats_per_unit from console_rates where currency = $3 and at <= p.created_at order by at desc limit 1
    ) r on true
    where p.created_at >= $1 and p.created_at < $2 order by p.created_at, p.id`,
  params: [t.epochSeconds, t.epochSeconds, t.text],
  row: {
    id: t.bigint,
    batchId: nullable(t.bigint),
    kind: t.text,
    playerId: nullable(t.bigint),
    partnerId: nullable(t.text),
    sats: t.bigint,
    feeShareSats: t.bigint,
    createdAt: t.epochSeconds,
    sentAt: nullable(t.epochSeconds),
    cancelledAt: nullable(t.epochSeconds),
    reference: nullable(t.text),
    rateSats: nullable(t.bigint),
    rateAt: nullable(t.epochSeconds),
  },
})

/** For each day on which something was: players registered, who paid for an order, limits set, exclusions begun. */
export const playerDays = sql({
  name: 'reports.player-days',
  text: `select day, sum(registered)::bigint as registered, sum(active)::bigint as active,
      sum(excluded)::bigint as excluded, sum(limits)::bigint as limits_set
    from (
      select created_at - created_at % 86400 as day, count(*) as registered, 0::bigint as active, 0::bigint as excluded,
        0::bigint as limits
      from console_registrations where created_at >= $1 and created_at < $2 group by 1
      union all
      select paid_at - paid_at % 86400, 0, count(distinct player_id), 0, 0
      from console_paid_orders where paid_at >= $1 and paid_at < $2 group by 1
      union all
      select day, 0, 0, case kind when 'exclusion' then changes else 0 end, case kind when 'limit' then changes else 0 end
      from console_safer_play_days where day >= $1 - $1 % 86400 and day < $2
    ) x group by day order by day`,
  params: [t.epochSeconds, t.epochSeconds],
  row: { day: t.epochSeconds, registered: t.bigint, active: t.bigint, excluded: t.bigint, limitsSet: t.bigint },
})

export const findLock = sql({
  name: 'reports.find-lock',
  text: `select month, locked_at, last_transfer_id, journal_hash from console_period_locks where month = $1`,
  params: [t.text],
  row: { month: t.text, lockedAt: t.epochSeconds, lastTransferId: nullable(t.bigint), journalHash: t.text },
})

/** The newest month that is locked. */
export const findNewestLock = sql({
  name: 'reports.find-newest-lock',
  text: `select month, locked_at, last_transfer_id, journal_hash from console_period_locks order by month desc limit 1`,
  row: { month: t.text, lockedAt: t.epochSeconds, lastTransferId: nullable(t.bigint), journalHash: t.text },
})

/** Waits for transfers of the month that are being written, and keeps others out until the transaction ends. */
export const waitForMonth = sql({
  name: 'reports.wait-for-month',
  text: `select pg_advisory_xact_lock(hashtextextended('fairball.month ' || $1, 0))::text as locked`,
  params: [t.text],
  row: { locked: t.text },
})

export const insertLock = sql({
  name: 'reports.insert-lock',
  text: `insert into period_locks (month, locked_at, last_transfer_id, journal_hash, request_id)
    values ($month, $lockedAt, $lastTransferId, $journalHash, $requestId) on conflict do nothing`,
  params: {
    month: t.text,
    lockedAt: t.epochSeconds,
    lastTransferId: nullable(t.bigint),
    journalHash: t.text,
    requestId: t.text,
  },
})

/** Whether a month's statement did not add up when a worker looked last; no row if it did. */
export const findMonthApart = sql({
  name: 'reports.find-month-apart',
  text: `select at from console_months_apart where month = $1`,
  params: [t.text],
  row: { at: t.epochSeconds },
})
