import { sql, t } from '../../db/sql.ts'

/** The clock that all processes share, in epoch seconds. */
const NOW = `extract(epoch from clock_timestamp())::bigint`

export const publish = sql({
  name: 'processes.publish',
  text: `insert into process_settings (seen_at, started_at, id, is_worker, digests, role, version)
    values (${NOW}, ${NOW}, $id, $isWorker, $digests, $role, $version)
    on conflict (id) do update set seen_at = excluded.seen_at, is_worker = excluded.is_worker, digests = excluded.digests`,
  params: { id: t.uuid, isWorker: t.bool, digests: t.json(), role: t.text, version: t.text },
})

/** The processes that were seen within $1 seconds, in starting order. */
export const listLive = sql({
  name: 'processes.list-live',
  text: `select id, is_worker, digests from process_settings where seen_at >= ${NOW} - $1 order by number`,
  params: [t.bigint],
  row: { id: t.uuid, isWorker: t.bool, digests: t.json() },
})

/** One process that has ended, and those that were not seen for $2 seconds. */
export const forget = sql({
  name: 'processes.forget',
  text: `delete from process_settings where id = $1 or seen_at < ${NOW} - $2`,
  params: [t.uuid, t.bigint],
})
