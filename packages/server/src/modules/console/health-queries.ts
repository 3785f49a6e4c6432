import { array, nullable, sql, t } from '../../db/sql.ts'

const state = t.oneOf(['ok', 'warn', 'fail', 'unknown'])

/** The number of the newest migration that was applied, from what the console's login may read. */
export const findConsoleSchema = sql({
  name: 'console.find-schema-version',
  text: 'select version from console_schema',
  row: { version: nullable(t.int) },
})

/** Keeps the finding of a check. `since` stays while its state does. */
export const saveFinding = sql({
  name: 'console.save-finding',
  text: `insert into health_checks (id, position, state, text, runbook, since, checked_at)
    values ($id, $position, $state, $text, $runbook, $now, $now)
    on conflict (id) do update set position = excluded.position, state = excluded.state, text = excluded.text,
      runbook = excluded.runbook, checked_at = excluded.checked_at,
      since = case when health_checks.state = excluded.state then health_checks.since else excluded.since end
    returning since`,
  params: { id: t.text, position: t.int, state, text: t.text, runbook: nullable(t.text), now: t.epochSeconds },
  row: { since: t.epochSeconds },
})

/** Keeps that a month's statement does not add up, and by what. `at` stays while it does not. */
export const keepMonthApart = sql({
  name: 'console.keep-month-apart',
  text: `insert into system_state (key, value) values ('month-apart:' || $1, json_build_object('at', $2::bigint, 'words', $3::text)::text)
    on conflict (key) do update set value = json_build_object('at', (system_state.value::json ->> 'at')::bigint, 'words', $3::text)::text
    returning (value::json ->> 'at')::bigint as at`,
  params: [t.text, t.epochSeconds, t.text],
  row: { at: t.epochSeconds },
})

/** Keeps what a process was started with, by setting. */
export const keepStartedSettings = sql({
  name: 'console.keep-started-settings',
  text: `insert into system_state (key, value) select 'started:' || key, value from unnest($1::text[], $2::text[]) as s (key, value)
    on conflict (key) do update set value = excluded.value where system_state.value <> excluded.value`,
  params: [array(t.text), array(t.text)],
})

export const forgetMonthApart = sql({
  name: 'console.forget-month-apart',
  text: `delete from system_state where key = 'month-apart:' || $1`,
  params: [t.text],
})

/** The months whose statements do not add up. */
export const listMonthsApart = sql({
  name: 'console.list-months-apart',
  text: `select month, at, words from console_months_apart order by month`,
  row: { month: t.text, at: t.epochSeconds, words: t.text },
})

/** Removes checks that there are no longer. */
export const keepFindings = sql({
  name: 'console.keep-findings',
  text: `delete from health_checks where not id = any($1)`,
  params: [array(t.text)],
})

/** Every finding, in the order of the checks. */
export const listFindings = sql({
  name: 'console.list-findings',
  text: `select id, state, text, runbook, since, checked_at from console_health order by position`,
  row: {
    id: t.text,
    state,
    text: t.text,
    runbook: nullable(t.text),
    since: t.epochSeconds,
    checkedAt: t.epochSeconds,
  },
})

/** Processes that were seen within the last minute, in the order of their starts. */
export const listProcesses = sql({
  name: 'console.list-processes',
  text: `select id, is_worker, coalesce(role, '') as role, coalesce(version, '') as version, settings,
      coalesce(started_at, seen_at) as started_at, seen_at
    from console_processes where seen_at >= extract(epoch from clock_timestamp())::bigint - 60 order by number`,
  row: {
    id: t.uuid,
    isWorker: t.bool,
    role: t.text,
    version: t.text,
    settings: t.text,
    startedAt: t.epochSeconds,
    seenAt: t.epochSeconds,
  },
})
