import { array, nullable, sql, t } from '../../db/sql.ts'

export const insertKey = sql({
  name: 'api-keys.insert',
  text: `insert into api_keys (created_at, expires_at, name, scopes, hash) values ($createdAt, $expiresAt, $name, $scopes, $hash) returning id`,
  params: { createdAt: t.epochSeconds, expiresAt: t.epochSeconds, name: t.text, scopes: array(t.text), hash: t.bytea },
  row: { id: t.bigint },
})

/** The hash is of the whole key, which has the id in it. */
export const setHash = sql({
  name: 'api-keys.set-hash',
  text: `update api_keys set hash = $2 where id = $1`,
  params: [t.bigint, t.bytea],
})

export const revokeKey = sql({
  name: 'api-keys.revoke',
  text: `update api_keys set revoked_at = $2 where id = $1 and revoked_at is null`,
  params: [t.bigint, t.epochSeconds],
})

/** The key that a header names, if it may be used. The console's login finds it without reading a hash. */
export const findKey = sql({
  name: 'api-keys.find',
  text: `select id, name, scopes from console_api_key($1, $2)`,
  params: [t.text, t.epochSeconds],
  row: { id: nullable(t.bigint), name: nullable(t.text), scopes: nullable(array(t.text)) },
})

export const listKeys = sql({
  name: 'api-keys.list',
  text: `select id, created_at, expires_at, revoked_at, name, scopes from console_api_keys order by id desc`,
  row: {
    id: t.bigint,
    createdAt: t.epochSeconds,
    expiresAt: t.epochSeconds,
    revokedAt: nullable(t.epochSeconds),
    name: t.text,
    scopes: array(t.text),
  },
})
