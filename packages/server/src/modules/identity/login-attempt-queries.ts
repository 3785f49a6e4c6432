import { sql, t } from '../../db/sql.ts'

const failures = {
  windowCount: t.int,
  windowEndsAt: t.epochSeconds,
  dayCount: t.int,
  dayEndsAt: t.epochSeconds,
  waitUntilMs: t.whole,
}
const FAILURES = 'window_count, window_ends_at, day_count, day_ends_at, wait_until_ms'

export const readFailures = sql({
  name: 'accounts.read-login-failures',
  text: `select ${FAILURES} from login_failures where subject = $1`,
  params: [t.bytea],
  row: failures,
})

/** Reads a subject's failures and locks them until the transaction ends; inserts the row if it is missing. */
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
    set window_count = $windowCount, window_ends_at = $windowEndsAt, day_count = $dayCount, day_ends_at = $dayEndsAt, wait_until_ms = $waitUntilMs where subject = $subject`,
  params: {
    subject: t.bytea,
    windowCount: t.int,
    windowEndsAt: t.epochSeconds,
    dayCount: t.int,
    dayEndsAt: t.epochSeconds,
    waitUntilMs: t.whole,
  },
})

/** A success restarts the quarter of an hour; the day continues. */
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

/** Whether a player has recently logged in from an address, and with a device. */
export const findKnown = sql({
  name: 'accounts.find-known',
  text: `select exists (select from known_addresses where player_id = $playerId and address_hash = $addressHash and seen_at > $addressSince) as address,
    exists (select from known_devices where player_id = $playerId and hash = $deviceHash and seen_at > $deviceSince) as device`,
  params: {
    playerId: t.bigint,
    addressHash: t.bytea,
    addressSince: t.epochSeconds,
    deviceHash: t.bytea,
    deviceSince: t.epochSeconds,
  },
  row: { address: t.bool, device: t.bool },
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

export const removeAddresses = sql({
  name: 'accounts.remove-known-addresses',
  text: 'delete from known_addresses where player_id = $1',
  params: [t.bigint],
})

/** A browser's token changes for all players who are known by it. */
export const changeDevice = sql({
  name: 'accounts.change-device',
  text: 'update known_devices set hash = $2 where hash = $1',
  params: [t.bytea, t.bytea],
})

export const rememberDevice = sql({
  name: 'accounts.remember-device',
  text: `insert into known_devices (player_id, seen_at, hash) values ($1, $2, $3)
    on conflict (player_id, hash) do update set seen_at = excluded.seen_at`,
  params: [t.bigint, t.epochSeconds, t.bytea],
})

/** Removes all devices of a player except $2 and the newest others, $3 in total. */
export const removeSurplusDevices = sql({
  name: 'accounts.remove-surplus-devices',
  text: `delete from known_devices where player_id = $1 and hash not in
    (select hash from known_devices where player_id = $1 order by hash = $2 desc, seen_at desc, hash limit $3)`,
  params: [t.bigint, t.bytea, t.bigint],
})

export const removeDevices = sql({
  name: 'accounts.remove-known-devices',
  text: 'delete from known_devices where player_id = $1',
  params: [t.bigint],
})

export const removeOldDevices = sql({
  name: 'accounts.remove-old-known-devices',
  text: 'delete from known_devices where seen_at <= $1',
  params: [t.epochSeconds],
})
