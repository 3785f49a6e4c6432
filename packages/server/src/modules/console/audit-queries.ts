import type { Json } from '@fairball/contract/console/canonical-json'
import { nullable, sql, t } from '../../db/sql.ts'

/** A page of the audit log, newest first. */
export const listAudit = sql({
  name: 'console.list-audit',
  text: `select a.id, a.at, a.kind, a.staff_id, s.name as staff_name, a.approver_id, p.name as approver_name, a.request_id,
      a.reason, a.args, a.actor, a.subject, a.detail, a.prev_hash, a.hash
    from console_audit a left join staff s on s.id = a.staff_id left join staff p on p.id = a.approver_id
    where a.hash is not null order by a.id desc limit $1 offset $2`,
  params: [t.whole, t.whole],
  row: {
    id: t.bigint,
    at: t.epochSeconds,
    kind: t.text,
    staffId: nullable(t.bigint),
    staffName: nullable(t.text),
    approverId: nullable(t.bigint),
    approverName: nullable(t.text),
    requestId: nullable(t.uuid),
    reason: nullable(t.text),
    args: nullable(t.json<Record<string, Json>>()),
    actor: t.text,
    subject: t.text,
    detail: t.text,
    prevHash: t.bytea,
    hash: t.bytea,
  },
})

/** How many rows it has. */
export const countAudit = sql({
  name: 'console.count-audit',
  text: `select count(*) as rows from console_audit where hash is not null`,
  row: { rows: t.whole },
})

/** Some rows that are about a request, after one of them, in order. */
export const listAudited = sql({
  name: 'console.list-audited',
  text: `select id, request_id, staff_id, approver_id, kind, reason, args from console_audit
    where request_id is not null and id > $1 order by id limit $2`,
  params: [t.bigint, t.whole],
  row: {
    id: t.bigint,
    requestId: t.uuid,
    staffId: nullable(t.bigint),
    approverId: nullable(t.bigint),
    kind: t.text,
    reason: nullable(t.text),
    args: nullable(t.json<Record<string, Json>>()),
  },
})
