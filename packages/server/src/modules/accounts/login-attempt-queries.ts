import { sql, t } from '../../db/sql.ts'

const failures = {
  window_count: t.int,
  window_ends_at: t.epochSeconds,
  day_count: t.int,
  day_ends_at: t.epochSeconds,
  wait_until_ms: t.epochSeconds,
}
const FAILURES = 'window_count, window_ends_at, day_count, day_ends_at, wait_until_ms'

export const readFailures = sql({
  name: 'accounts.read-login-failures',
  text: `select ${FAILURES} from login_failures where subject = $1`,
  params: [t.bytea],
  row: failures,
})

/** Reads a subject's failures and keeps everybody else from them until the transaction ends; makes the row if need be. */
export const lockFailures = sql({
  name: 'accounts.lock-login-failures',
  text: `insert into login_failures (${FAILURES}, subject) values (0, 0, 0, 0, 0, $1)
    on conflict (subject) do update set subject = excluded.subject returning ${FAILURES}`,
  params: [t.bytea],
  row: failures,
})

export const writeFailures = sql({
  name: 'accounts.write-login-failures',
  text: `update login_failures
    set window_count = $2, window_ends_at = $3, day_count = $4, day_ends_at = $5, wait_until_ms = $6 where subject = $1`,
  params: [t.bytea, t.int, t.epochSeconds, t.int, t.epochSeconds, t.epochSeconds],
})

/** A success begins the quarter of an hour anew; the day goes on. */
export const forgetFailures = sql({
  name: 'accounts.forget-login-failures',
  text: 'update login_failures set window_count = 0, window_ends_at = 0, wait_until_ms = 0 where subject = $1',
  params: [t.bytea],
})

export const removeFailures = sql({
  name: 'accounts.remove-login-failures',
  text: 'delete from login_failures where subject = $1',
  params: [t.bytea],
})

export const removeOldFailures = sql({
  name: 'accounts.remove-old-login-failures',
  text: 'delete from login_failures where day_ends_at <= $1 and window_ends_at <= $1',
  params: [t.epochSeconds],
})

export const isKnownAddress = sql({
  name: 'accounts.is-known-address',
  text: `select exists (select from known_addresses where player_id = $1 and address_hash = $2 and seen_at > $3) as known`,
  params: [t.bigint, t.bytea, t.epochSeconds],
  row: { known: t.bool },
})

export const rememberAddress = sql({
  name: 'accounts.remember-address',
  text: `insert into known_addresses (player_id, seen_at, address_hash) values ($1, $2, $3)
    on conflict (player_id, address_hash) do update set seen_at = greatest(known_addresses.seen_at, excluded.seen_at)`,
  params: [t.bigint, t.epochSeconds, t.bytea],
})

export const removeOldAddresses = sql({
  name: 'accounts.remove-old-known-addresses',
  text: 'delete from known_addresses where seen_at <= $1',
  params: [t.epochSeconds],
})
