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

/** Every version of a legal text, oldest first, with a digest in place of it; the digest of the product's own is null. */
export const listLegal = sql({
  name: 'settings.list-legal',
  text: `select key, version, from_at, at, value ->> 'date' as date,
      case when value <> 'null' then md5(value::text) end as digest
    from settings where key = $1 order by version`,
  params: [t.text],
  row: {
    key: t.text,
    version: t.int,
    fromAt: t.epochSeconds,
    at: t.epochSeconds,
    date: nullable(t.text),
    digest: nullable(t.text),
  },
})

/** The text of a version. */
export const findLegal = sql({
  name: 'settings.find-legal',
  text: `select value ->> 'markdown' as markdown from settings where key = $1 and version = $2`,
  params: [t.text, t.int],
  row: { markdown: nullable(t.text) },
})

/** Whether anyone has ever opened an account. */
export const findHasPlayers = sql({
  name: 'settings.find-has-players',
  text: `select exists (select from players) as has_players`,
  row: { hasPlayers: t.bool },
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

export const insertSender = sql({
  name: 'settings.insert-sender',
  text: `insert into mail_senders (name, address, code_hash, from_at, at, actor, reason, request_id, expires_at, tries_left)
    values ($name, $address, $codeHash, $fromAt, $at, $actor, $reason, $requestId, $expiresAt, $triesLeft)`,
  params: {
    name: t.text,
    address: t.text,
    codeHash: t.bytea,
    fromAt: t.epochSeconds,
    at: t.epochSeconds,
    actor: t.text,
    reason: t.text,
    requestId: t.text,
    expiresAt: t.epochSeconds,
    triesLeft: t.int,
  },
})

export const endSenders = sql({
  name: 'settings.end-senders',
  text: `update mail_senders set ended_at = $1 where ended_at is null`,
  params: [t.epochSeconds],
})

/** The address that waits for its code, if there is one. */
export const findSender = sql({
  name: 'settings.find-sender',
  text: `select id, address, expires_at, tries_left from mail_senders where ended_at is null order by id desc limit 1`,
  row: { id: t.bigint, address: t.text, expiresAt: t.epochSeconds, triesLeft: t.int },
})

/** Counts a code that is not this sender's. */
export const countWrongCode = sql({
  name: 'settings.count-wrong-code',
  text: `update mail_senders set tries_left = tries_left - 1
    where id = $1 and ended_at is null and tries_left > 0 and code_hash <> $2 returning tries_left`,
  params: [t.bigint, t.bytea],
  row: { triesLeft: t.int },
})

/** Ends the waiting of the sender with this code. */
export const takeSender = sql({
  name: 'settings.take-sender',
  text: `update mail_senders set ended_at = $2
    where ended_at is null and code_hash = $1 and expires_at > $2 and tries_left > 0
    returning name, address, from_at, reason, request_id`,
  params: [t.bytea, t.epochSeconds],
  row: { name: t.text, address: t.text, fromAt: t.epochSeconds, reason: t.text, requestId: t.text },
})
