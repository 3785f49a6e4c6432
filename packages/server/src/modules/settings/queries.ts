import { nullable, sql, t } from '../../db/sql.ts'

/** Of each setting the version in force at $1, and those that come later, oldest first. */
export const listCurrent = sql({
  name: 'settings.list-current',
  text: `select key, version, value, from_at from settings s
    where from_at > $1 or version = (select max(version) from settings o where o.key = s.key and o.from_at <= $1)
    order by key, version`,
  params: [t.epochSeconds],
  row: { key: t.text, version: t.int, value: t.json(), fromAt: t.epochSeconds },
})

/** The same without their values. */
export const listCurrentVersions = sql({
  name: 'settings.list-current-versions',
  text: `select key, version from settings s
    where from_at > $1 or version = (select max(version) from settings o where o.key = s.key and o.from_at <= $1)`,
  params: [t.epochSeconds],
  row: { key: t.text, version: t.int },
})

/** The newest version of each setting, whether or not it is in force. */
export const listNewest = sql({
  name: 'settings.list-newest',
  text: `select distinct on (key) key, version, value, from_at from settings order by key, version desc`,
  row: { key: t.text, version: t.int, value: t.json(), fromAt: t.epochSeconds },
})

/** Two plans are never applied at the same time. */
export const lockSettings = sql({
  name: 'settings.lock',
  text: `select pg_advisory_xact_lock(hashtext('settings'))::text as locked`,
  row: { locked: t.text },
})

export const insertVersion = sql({
  name: 'settings.insert-version',
  text: `insert into settings (key, version, value, from_at, at, actor, reason, request_id)
    values ($key, $version, $value, $fromAt, $at, $actor, $reason, $requestId)`,
  params: {
    key: t.text,
    version: t.int,
    value: t.json(),
    fromAt: t.epochSeconds,
    at: t.epochSeconds,
    actor: t.text,
    reason: t.text,
    requestId: t.text,
  },
})

export const insertPlan = sql({
  name: 'settings.insert-plan',
  text: `insert into setting_plans (id, base_hash, changes, created_at, expires_at)
    values ($id, $baseHash, $changes, $createdAt, $expiresAt)`,
  params: { id: t.uuid, baseHash: t.text, changes: t.json(), createdAt: t.epochSeconds, expiresAt: t.epochSeconds },
})

export const findPlan = sql({
  name: 'settings.find-plan',
  text: `select base_hash, changes, expires_at, applied_at from setting_plans where id = $1`,
  params: [t.uuid],
  row: { baseHash: t.text, changes: t.json(), expiresAt: t.epochSeconds, appliedAt: nullable(t.epochSeconds) },
})

export const markApplied = sql({
  name: 'settings.mark-applied',
  text: `update setting_plans set applied_at = $2 where id = $1`,
  params: [t.uuid, t.epochSeconds],
})
