import { nullable, sql, t } from '../../db/sql.ts'

/** The version of PostgreSQL, and whether what it acknowledges is on disk. */
export const findDurability = sql({
  name: 'checks.find-durability',
  text: `select split_part(current_setting('server_version'), ' ', 1) as version,
    current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
      and current_setting('synchronous_commit') <> 'off' as is_durable`,
  row: { version: t.text, isDurable: t.bool },
})

/** The newest migration of the database. */
export const findSchema = sql({
  name: 'checks.find-schema',
  text: `select coalesce(max(version), 0) as version from schema_migrations`,
  row: { version: t.int },
})

/** How many of our roles there are, and how many connections of web processes have the owner's login. */
export const findLogins = sql({
  name: 'checks.find-logins',
  text: `select (select count(*) from pg_roles where rolname in ('fairball_web', 'fairball_console')) as roles,
    (select count(*) from pg_stat_activity where datname = current_database() and application_name ~ '^fairball [0-9][^ ]* web$'
      and pg_has_role(usesysid, (select relowner from pg_class where oid = to_regclass('payouts')), 'usage')) as web_owners`,
  row: { roles: t.bigint, webOwners: t.bigint },
})

export const findArchiver = sql({
  name: 'checks.find-archiver',
  text: `select current_setting('archive_mode') <> 'off' as is_on, extract(epoch from last_archived_time)::bigint as archived_at,
      extract(epoch from last_failed_time)::bigint as failed_at, exists (select from pg_stat_replication) as has_replica
    from pg_stat_archiver`,
  row: {
    isOn: t.bool,
    archivedAt: nullable(t.epochSeconds),
    failedAt: nullable(t.epochSeconds),
    hasReplica: t.bool,
  },
})

/** How long the oldest job has been due, in seconds of the system's clock, and how many failed often. */
export const findLateJobs = sql({
  name: 'checks.find-late-jobs',
  text: `select coalesce($1 - min(run_at), 0) as late_seconds, count(*) filter (where attempts >= 5) as failing
    from jobs where run_at <= $1`,
  params: [t.epochSeconds],
  row: { lateSeconds: t.whole, failing: t.whole },
})

/** When the last witness cosigned, and how many there are in the policies of open draws. */
export const findCosigned = sql({
  name: 'checks.find-cosigned',
  text: `select (select max(at) from checkpoints c where exists (select from cosignatures s where s.size = c.size)) as cosigned_at,
    (select max(at) from checkpoints) as signed_at`,
  row: { cosignedAt: nullable(t.epochSeconds), signedAt: nullable(t.epochSeconds) },
})

/** Findings that stand and were not accepted, and when invariants were checked last. */
export const findBrokenInvariants = sql({
  name: 'checks.find-broken-invariants',
  text: `select (select count(*) from invariant_violations where gone_at is null and accepted_at is null) as broken,
    (select max(checked_at) from invariant_checks) as checked_at`,
  row: { broken: t.whole, checkedAt: nullable(t.epochSeconds) },
})

/** When each wallet was read last. */
export const findOldestReading = sql({
  name: 'checks.find-oldest-reading',
  text: `select min(read_at) as at, count(*) as wallets from wallet_readings`,
  row: { at: nullable(t.epochSeconds), wallets: t.whole },
})

/** When the code of a test mail was typed back last, and for which mail server. */
export const findTestMail = sql({
  name: 'checks.find-test-mail',
  text: `select (value::jsonb ->> 'confirmed_at')::bigint as at, value::jsonb ->> 'confirmed_way' as way
    from system_state where key = 'mail.test'`,
  row: { at: nullable(t.epochSeconds), way: nullable(t.text) },
})

/** The legal texts of the operator that are in force or announced. */
export const listOwnTexts = sql({
  name: 'checks.list-own-texts',
  text: `select distinct key from settings s where key like 'legal.%' and value <> 'null'
    and version = (select max(version) from settings o where o.key = s.key) order by key`,
  row: { key: t.text },
})
