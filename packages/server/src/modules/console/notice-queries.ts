import { nullable, sql, t } from '../../db/sql.ts'

/** How far the owners were told, as JSON. */
export const findNoticed = sql({
  name: 'console.find-noticed',
  text: `select value from system_state where key = 'console.noticed' for update`,
  row: { value: t.text },
})

export const saveNoticed = sql({
  name: 'console.save-noticed',
  text: `insert into system_state (key, value) values ('console.noticed', $1)
    on conflict (key) do update set value = excluded.value`,
  params: [t.text],
})

/** Commands that were run on the server after one of them, oldest first. What has no reason only read. */
export const listCommandsAfter = sql({
  name: 'console.list-commands-after',
  text: `select a.id, a.actor, a.kind, a.subject, a.reason, s.name as staff
    from operator_actions a left join staff s on s.id = a.staff_id
    where a.id > $1 and a.request_id is null and a.reason is not null and a.kind is not null order by a.id limit 100`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    actor: t.text,
    kind: t.text,
    subject: t.text,
    reason: nullable(t.text),
    staff: nullable(t.text),
  },
})

/** Sessions that began after one of them and before $2, and whether their person was never seen with that device. */
export const listSessionsAfter = sql({
  name: 'console.list-sessions-after',
  text: `select x.id, s.name, x.device,
      not exists (select from staff_sessions o where o.staff_id = x.staff_id and o.device = x.device and o.id < x.id) as is_new
    from staff_sessions x join staff s on s.id = x.staff_id
    where x.id > $1 and x.created_at < $2 order by x.id limit 100`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.bigint, name: t.text, device: t.text, isNew: t.bool },
})
