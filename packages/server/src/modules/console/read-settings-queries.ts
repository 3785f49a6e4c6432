import { array, sql, t } from '../../db/sql.ts'

/** The newest versions of each of these settings, the newest first. */
export const listSettingVersions = sql({
  name: 'console.list-setting-versions',
  text: `select s.key, s.version, s.value, s.from_at, s.at, s.actor, s.reason from unnest($1::text[]) as k (key)
    cross join lateral (select key, version, value, from_at, at, actor, reason from console_settings where key = k.key
      order by version desc limit 10) s
    order by s.key, s.version desc`,
  params: [array(t.text)],
  row: {
    key: t.text,
    version: t.int,
    value: t.json<unknown>(),
    fromAt: t.epochSeconds,
    at: t.epochSeconds,
    actor: t.text,
    reason: t.text,
  },
})
