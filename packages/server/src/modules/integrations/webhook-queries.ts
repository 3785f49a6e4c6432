import { array, nullable, sql, t } from '../../db/sql.ts'

/** An event with a delivery for each webhook that asks for its type; nothing if none does, or if it was told before. */
export const insertEvent = sql({
  name: 'webhooks.insert-event',
  text: `with wanted as materialized (
      select m.*, w.id as webhook_id from $each m join webhooks w
        on m.type = any(w.types) and w.revoked_at is null and w.disabled_at is null
    ), event as (
      insert into webhook_events (id, at, type, body) select distinct id, at, type, body from wanted
      on conflict do nothing returning id
    ), delivery as (
      insert into webhook_deliveries (event_id, webhook_id, next_at)
      select wanted.id, wanted.webhook_id, wanted.at from event join wanted using (id) returning id, event_id
    )
    select distinct wanted.place, delivery.id from delivery join wanted on wanted.id = delivery.event_id`,
  params: { id: t.text, at: t.epochSeconds, type: t.text, body: t.text },
  row: { id: t.bigint },
  serves: 'each',
})

export const insertWebhook = sql({
  name: 'webhooks.insert',
  text: `insert into webhooks (created_at, url, types, sealed) values ($1, $2, $3, $4) returning id`,
  params: [t.epochSeconds, t.text, array(t.text), t.bytea],
  row: { id: t.bigint },
})

export const revokeWebhook = sql({
  name: 'webhooks.revoke',
  text: `update webhooks set revoked_at = $2 where id = $1 and revoked_at is null`,
  params: [t.bigint, t.epochSeconds],
})

/** A new secret: the one before signs too until $3. */
export const rotateSecret = sql({
  name: 'webhooks.rotate-secret',
  text: `update webhooks set earlier_sealed = sealed, earlier_until = $3, sealed = $2
    where id = $1 and revoked_at is null`,
  params: [t.bigint, t.bytea, t.epochSeconds],
})

/** A delivery that waits, with all that a try needs. */
export const findDelivery = sql({
  name: 'webhooks.find-delivery',
  text: `select d.id, d.attempts, d.next_at, d.webhook_id, w.url, w.sealed, w.earlier_sealed, w.earlier_until, w.failing_since,
      w.disabled_at is null and w.revoked_at is null as is_active, e.id as event_id, e.body
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id join webhook_events e on e.id = d.event_id
    where d.id = $1 and d.state = 'waiting'`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    attempts: t.int,
    nextAt: nullable(t.epochSeconds),
    webhookId: t.bigint,
    url: t.text,
    sealed: t.bytea,
    earlierSealed: nullable(t.bytea),
    earlierUntil: nullable(t.epochSeconds),
    failingSince: nullable(t.epochSeconds),
    isActive: t.bool,
    eventId: t.text,
    body: t.text,
  },
})

/** The outcome of a try; $attempts is how many there were before it, so that each is written once. */
export const keepTry = sql({
  name: 'webhooks.keep-try',
  text: `update webhook_deliveries set attempts = attempts + 1, state = $state, next_at = $nextAt, tried_at = $now,
      status = $status, problem = $problem
    where id = $id and state = 'waiting' and attempts = $attempts`,
  params: {
    id: t.bigint,
    attempts: t.int,
    state: t.text,
    nextAt: nullable(t.epochSeconds),
    now: t.epochSeconds,
    status: nullable(t.int),
    problem: nullable(t.text),
  },
})

/** Ends a delivery that is not tried any more. */
export const giveUp = sql({
  name: 'webhooks.give-up',
  text: `update webhook_deliveries set state = 'given-up', next_at = null, problem = $2 where id = $1 and state = 'waiting'`,
  params: [t.bigint, t.text],
})

export const markWorking = sql({
  name: 'webhooks.mark-working',
  text: `update webhooks set failing_since = null where id = $1 and failing_since is not null`,
  params: [t.bigint],
})

/** @returns since when it fails */
export const markFailing = sql({
  name: 'webhooks.mark-failing',
  text: `update webhooks set failing_since = coalesce(failing_since, $2) where id = $1 returning failing_since`,
  params: [t.bigint, t.epochSeconds],
  row: { failingSince: nullable(t.epochSeconds) },
})

export const disable = sql({
  name: 'webhooks.disable',
  text: `update webhooks set disabled_at = $2, disabled_because = $3
    where id = $1 and disabled_at is null and revoked_at is null`,
  params: [t.bigint, t.epochSeconds, t.text],
})

/** Has a delivery tried again from its first try on, if its webhook is still told of anything. */
export const tryAgain = sql({
  name: 'webhooks.try-again',
  text: `update webhook_deliveries d set state = 'waiting', next_at = $2, attempts = 0, problem = null, status = null
    from webhooks w where d.id = $1 and w.id = d.webhook_id and w.disabled_at is null and w.revoked_at is null
      and d.state <> 'waiting'`,
  params: [t.bigint, t.epochSeconds],
})

export const removeOldEvents = sql({
  name: 'webhooks.remove-old-events',
  text: `delete from webhook_events e where e.at < $1
    and not exists (select from webhook_deliveries d where d.event_id = e.id and d.state = 'waiting')`,
  params: [t.epochSeconds],
})

export const listSealed = sql({
  name: 'webhooks.list-sealed',
  text: `select id, sealed, earlier_sealed from webhooks for update`,
  row: { id: t.bigint, sealed: t.bytea, earlierSealed: nullable(t.bytea) },
})

export const replaceSealed = sql({
  name: 'webhooks.replace-sealed',
  text: `update webhooks set sealed = $2, earlier_sealed = $3 where id = $1`,
  params: [t.bigint, t.bytea, nullable(t.bytea)],
})

const webhookRow = {
  id: t.bigint,
  createdAt: t.epochSeconds,
  failingSince: nullable(t.epochSeconds),
  disabledAt: nullable(t.epochSeconds),
  revokedAt: nullable(t.epochSeconds),
  earlierUntil: nullable(t.epochSeconds),
  url: t.text,
  types: array(t.text),
  disabledBecause: nullable(t.text),
}

export const listWebhooks = sql({
  name: 'webhooks.list',
  text: `select id, created_at, failing_since, disabled_at, revoked_at, earlier_until, url, types, disabled_because
    from console_webhooks order by id desc`,
  row: webhookRow,
})

/** Whether there is a webhook, also one that was ended. */
export const findWebhook = sql({
  name: 'webhooks.find',
  text: `select id from console_webhooks where id = $1`,
  params: [t.bigint],
  row: { id: t.bigint },
})

export const countDeliveries = sql({
  name: 'webhooks.count-deliveries',
  text: `select count(*)::int as deliveries from console_webhook_deliveries where webhook_id = $1`,
  params: [t.bigint],
  row: { deliveries: t.int },
})

export const listDeliveries = sql({
  name: 'webhooks.list-deliveries',
  text: `select id, event_id, type, at, state, attempts, next_at, tried_at, status, problem from console_webhook_deliveries
    where webhook_id = $1 order by id desc limit $2::int offset $3::int`,
  params: [t.bigint, t.int, t.int],
  row: {
    id: t.bigint,
    eventId: t.text,
    type: t.text,
    at: t.epochSeconds,
    state: t.text,
    attempts: t.int,
    nextAt: nullable(t.epochSeconds),
    triedAt: nullable(t.epochSeconds),
    status: nullable(t.int),
    problem: nullable(t.text),
  },
})
