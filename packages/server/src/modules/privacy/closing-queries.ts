import { nullable, sql, t } from '../../db/sql.ts'

/** From here on the account is closed to logins: every query that admits a player checks closed_at. */
export const shutPlayer = sql({
  name: 'accounts.shut-player',
  text: 'update players set closed_at = $2, password_hash = null where id = $1 and closed_at is null',
  params: [t.bigint, t.epochSeconds],
})

export const erasePlayer = sql({
  name: 'accounts.erase-player',
  text: `update players set closed_at = coalesce(closed_at, $2), erased_at = $2, username = $3, email = null,
      email_verified_at = null, first_verified_at = null, password_hash = null, timezone_id = default, currency_id = default
    where id = $1`,
  params: [t.bigint, t.epochSeconds, t.text],
})

/**
 * Closed accounts that are not erased yet, some after $1 in the order of their ids. An account that another transaction
 * holds is left for the next check: waiting here for a payout that waits for this job's key would be a deadlock.
 */
export const lockClosing = sql({
  name: 'accounts.lock-closing',
  text: `select id, username, email, email_verified_at from players where closed_at is not null and erased_at is null and id > $1
    order by id limit $2 for update skip locked`,
  params: [t.bigint, t.bigint],
  row: { id: t.bigint, username: t.text, email: nullable(t.text), emailVerifiedAt: nullable(t.epochSeconds) },
})

export const hasClosing = sql({
  name: 'accounts.has-closing',
  text: 'select exists (select from players where closed_at is not null and erased_at is null) as has_closing',
  row: { hasClosing: t.bool },
})
