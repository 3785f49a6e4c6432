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
      since = case when health_checks.state = excluded.state then health_checks.since else excluded.since end`,
  params: { id: t.text, position: t.int, state, text: t.text, runbook: nullable(t.text), now: t.epochSeconds },
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
