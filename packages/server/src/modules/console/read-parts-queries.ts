import { array, nullable, sql, t } from '../../db/sql.ts'

/** The names of all games. */
export const listGameNames = sql({
  name: 'console.list-game-names',
  text: `select key, name from console_games order by position, key`,
  row: { key: t.text, name: t.text },
})

/** The newest rows of the audit log about one of these subjects. */
export const listAuditAbout = sql({
  name: 'console.list-audit-about',
  text: `select a.id, a.at, coalesce(a.kind, a.action) as kind, a.staff_id, s.name as staff_name, a.reason
    from console_audit a left join staff s on s.id = a.staff_id
    where a.subject = any($1) and coalesce(a.kind, a.action) ~ $2 order by a.id desc limit 50`,
  params: [array(t.text), t.text],
  row: {
    id: t.bigint,
    at: t.epochSeconds,
    kind: t.text,
    staffId: nullable(t.bigint),
    staffName: nullable(t.text),
    reason: nullable(t.text),
  },
})
