import type { Json } from '@fairball/contract/console/canonical-json'
import { nullable, sql, t } from '../../db/sql.ts'

/** One row is appended at a time, by any process. Ends with the transaction. */
export const lockAudit = sql({
  name: 'operator.lock-audit',
  text: `select pg_advisory_xact_lock(hashtextextended('operator_actions', 0)) is null as locked`,
  row: { locked: t.bool },
})

/** The next number, and the hash of the newest row. */
export const findNextPlace = sql({
  name: 'operator.find-next-place',
  text: `select nextval(pg_get_serial_sequence('operator_actions', 'id')) as id,
    (select hash from operator_actions where hash is not null order by id desc limit 1) as prev_hash`,
  row: { id: t.bigint, prevHash: nullable(t.bytea) },
})

export const insertAction = sql({
  name: 'operator.insert-action',
  text: `insert into operator_actions (id, at, actor, action, subject, detail, kind, staff_id, approver_id, request_id,
      reason, args, prev_hash, hash)
    overriding system value values ($id, $at, $actor, $action, $subject, $detail, $kind, $staffId, $approverId,
      $requestId, $reason, $args, $prevHash, $hash)`,
  params: {
    id: t.bigint,
    at: t.epochSeconds,
    actor: t.text,
    action: t.text,
    subject: t.text,
    detail: t.text,
    kind: t.text,
    staffId: nullable(t.bigint),
    approverId: nullable(t.bigint),
    requestId: nullable(t.uuid),
    reason: nullable(t.text),
    args: nullable(t.json<Json>()),
    prevHash: t.bytea,
    hash: t.bytea,
  },
})

/** Some rows of the chain after one of them, in order. */
export const listChain = sql({
  name: 'operator.list-chain',
  text: `select id, at, kind, staff_id, approver_id, request_id, reason, args, actor, subject, detail, prev_hash, hash
    from console_audit where id > $1 order by id limit $2`,
  params: [t.bigint, t.whole],
  row: {
    id: t.bigint,
    at: t.epochSeconds,
    kind: nullable(t.text),
    staffId: nullable(t.bigint),
    approverId: nullable(t.bigint),
    requestId: nullable(t.uuid),
    reason: nullable(t.text),
    args: nullable(t.json<Json>()),
    actor: t.text,
    subject: t.text,
    detail: t.text,
    prevHash: nullable(t.bytea),
    hash: nullable(t.bytea),
  },
})
