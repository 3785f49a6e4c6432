import type { Json } from '@fairball/contract/console/canonical-json'
import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { requestCalls } from '@fairball/contract/console/requests'
import { PAGE_SIZE } from '@fairball/contract/schemas/paging'
import type { Queries } from '../../db/pool.ts'
import { nullable, sql, t } from '../../db/sql.ts'
import { totalPages } from '../../kernel/paging.ts'
import { checkChain, detailOf } from '../operator/service.ts'
import { holds } from './carry-out.ts'
import type { Relying } from './context.ts'
import { ENROL } from './enrolment.ts'
import { LIGHT_KINDS } from './kinds.ts'
import { findRequest, listSignatures } from './request-queries.ts'
import { needsOfRequest } from './rules.ts'
import { findKeyById } from './staff-queries.ts'

// The audit log as people read it, and as anybody can verify it: the chain, and under it the texts and signatures.

type AuditPage = ConsoleAnswerOf<typeof requestCalls.listAudit>

const listAudit = sql({
  name: 'console.list-audit',
  text: `select a.id, a.at, a.kind, a.staff_id, s.name as staff_name, a.approver_id, p.name as approver_name, a.request_id,
      a.reason, a.args, a.actor, a.subject, a.detail, a.prev_hash, a.hash
    from console_audit a left join staff s on s.id = a.staff_id left join staff p on p.id = a.approver_id
    where a.hash is not null order by a.id desc limit $1 offset $2`,
  params: [t.int, t.int],
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

const countAudit = sql({
  name: 'console.count-audit',
  text: `select count(*) as rows from console_audit where hash is not null`,
  row: { rows: t.epochSeconds },
})

/** Rows that are about a request, each request once, with the first row that names it. */
const listAudited = sql({
  name: 'console.list-audited',
  text: `select min(id) as id, request_id, staff_id, approver_id, kind from console_audit
    where request_id is not null and request_id > $1::uuid
    group by request_id, staff_id, approver_id, kind order by request_id limit 500`,
  params: [t.uuid],
  row: { id: t.bigint, requestId: t.uuid, staffId: nullable(t.bigint), approverId: nullable(t.bigint), kind: t.text },
})

const FIRST_UUID = '00000000-0000-0000-0000-000000000000'

/** A page of the audit log, newest first. */
export async function auditPage(from: Queries, page: number): Promise<AuditPage> {
  const [rows, { rows: count }] = await Promise.all([
    from.run(listAudit, [PAGE_SIZE, (page - 1) * PAGE_SIZE]),
    from.one(countAudit, []),
  ])
  const personOf = (id: bigint | null, name: string | null) =>
    id === null ? null : { id: String(id), name: name ?? '' }
  const results = rows.map((row) => ({
    id: String(row.id),
    at: row.at,
    kind: row.kind,
    staff: personOf(row.staffId, row.staffName),
    approver: personOf(row.approverId, row.approverName),
    request: row.requestId,
    reason: row.reason,
    args: row.args,
    detail: detailOf(row),
    prev_hash: hex(row.prevHash),
    hash: hex(row.hash),
  }))
  return { results, total_pages: totalPages(count) }
}

/** Recomputes the chain of the audit log, and verifies the signatures of the requests in it. */
export async function verifyAudit({
  db,
  relying,
}: {
  readonly db: Queries
  readonly relying: Relying
}): Promise<ConsoleAnswerOf<typeof requestCalls.verifyAudit>> {
  const { rows, firstBad, head } = await checkChain(db)
  const unsigned = await firstUnsigned(db, relying)
  const bad = [firstBad, unsigned].filter((id) => id !== null).toSorted((a, b) => (a < b ? -1 : 1))[0] ?? null
  return { ok: bad === null, rows, first_bad: bad === null ? null : String(bad), head: hex(head) }
}

/** The first row of a request whose signatures do not hold. */
async function firstUnsigned(db: Queries, relying: Relying): Promise<bigint | null> {
  let first: bigint | null = null
  let lastId = FIRST_UUID
  for (;;) {
    const part = await db.run(listAudited, [lastId])
    for (const row of part) {
      if (await isSigned(db, relying, row)) continue
      if (first === null || row.id < first) first = row.id
    }
    const last = part.at(-1)
    if (last === undefined) return first
    lastId = last.requestId
  }
}

async function isSigned(
  db: Queries,
  relying: Relying,
  row: { requestId: string; staffId: bigint | null; approverId: bigint | null; kind: string },
): Promise<boolean> {
  if (row.kind === ENROL || LIGHT_KINDS.includes(row.kind)) return true // they need no signature
  const request = await db.maybeOne(findRequest, [row.requestId])
  if (request === null || request.kind !== row.kind || request.proposedBy !== row.staffId) return false
  const signatures = await db.run(listSignatures, [[request.id]])
  const wanted = needsOfRequest(request).signatures === 2 ? (['propose', 'approve'] as const) : (['propose'] as const)
  for (const part of wanted) {
    const signature = signatures.find((one) => one.part === part)
    const staffId = part === 'propose' ? row.staffId : row.approverId
    const key = signature === undefined ? null : await db.maybeOne(findKeyById, [signature.keyId])
    if (signature === undefined || key === null || signature.staffId !== staffId) return false
    if (key.staffId !== staffId || !(await holds({ relying }, request, signature, key))) return false
  }
  return true
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
