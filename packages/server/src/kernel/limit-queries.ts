import { sql, t } from '../db/sql.ts'

export const readCounter = sql({
  name: 'limits.read-rate-counter',
  text: `select count, expires_at from rate_counters where key = $1 and expires_at > $2`,
  params: [t.text, t.epochSeconds],
  row: { count: t.int, expiresAt: t.epochSeconds },
})

export const countTry = sql({
  name: 'limits.count-try',
  text: `insert into rate_counters as counter (key, started_at, expires_at, count) values ($1, $2, $3, 1)
    on conflict (key) do update set
      count = case when counter.expires_at <= $2 then 1 else counter.count + 1 end,
      started_at = case when counter.expires_at <= $2 then $2 else counter.started_at end,
      expires_at = case when counter.expires_at <= $2 then $3 else counter.expires_at end
    returning count, expires_at`,
  params: [t.text, t.epochSeconds, t.epochSeconds],
  row: { count: t.int, expiresAt: t.epochSeconds },
})

export const forgetCounter = sql({
  name: 'limits.forget-rate-counter',
  text: `delete from rate_counters where key = $1`,
  params: [t.text],
})

export const removeOldCounters = sql({
  name: 'limits.remove-old-rate-counters',
  text: `delete from rate_counters where expires_at <= $1`,
  params: [t.epochSeconds],
})
