import { nullable, sql, t } from '../../db/sql.ts'

/** What a key is for. */
export const keyPurpose = t.oneOf(['verify_email', 'reset_password', 'login_secure', 'stop_address_change'])

const keyRow = { playerId: t.bigint, email: nullable(t.text), expiresAt: t.epochSeconds }

export const insertKey = sql({
  name: 'accounts.insert-key',
  text: `insert into player_keys (player_id, created_at, expires_at, purpose, email, hash) values ($playerId, $createdAt, $expiresAt, $purpose, $email, $hash)`,
  params: {
    playerId: t.bigint,
    createdAt: t.epochSeconds,
    expiresAt: t.epochSeconds,
    purpose: keyPurpose,
    email: nullable(t.text),
    hash: t.bytea,
  },
})

export const findKey = sql({
  name: 'accounts.find-key',
  text: `select player_id, email, expires_at from player_keys
    where hash = $1 and purpose = $2 and used_at is null and expires_at > $3`,
  params: [t.bytea, keyPurpose, t.epochSeconds],
  row: keyRow,
})

export const useKey = sql({
  name: 'accounts.use-key',
  text: `update player_keys set used_at = $3
    where hash = $1 and purpose = $2 and used_at is null and expires_at > $3 returning player_id, email, expires_at`,
  params: [t.bytea, keyPurpose, t.epochSeconds],
  row: keyRow,
})

export const countKeyFailure = sql({
  name: 'accounts.count-key-failure',
  text: `update player_keys set failures = failures + 1, used_at = case when failures + 1 >= $3 then $2 else used_at end
    where hash = $1 and used_at is null`,
  params: [t.bytea, t.epochSeconds, t.int],
})

export const removeKeys = sql({
  name: 'accounts.remove-keys',
  text: 'delete from player_keys where player_id = $1 and purpose = $2',
  params: [t.bigint, keyPurpose],
})

export const removeAllKeys = sql({
  name: 'accounts.remove-all-keys',
  text: 'delete from player_keys where player_id = $1',
  params: [t.bigint],
})

export const removeOldKeys = sql({
  name: 'accounts.remove-old-keys',
  text: 'delete from player_keys where expires_at <= $1',
  params: [t.epochSeconds],
})
