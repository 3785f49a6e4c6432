import { array, nullable, sql, t } from '../../db/sql.ts'

/** What the workers were started with, by setting. */
export const listStartedSettings = sql({
  name: 'console.list-started-settings',
  text: `select key, value -> 'value' as value, value ->> 'variable' as variable, (value ->> 'isFixed')::boolean as is_fixed
    from console_started_settings`,
  row: { key: t.text, value: t.json<unknown>(), variable: nullable(t.text), isFixed: t.bool },
})

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
