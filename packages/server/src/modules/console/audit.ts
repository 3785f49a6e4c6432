import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { requestCalls } from '@fairball/contract/console/requests'
import { PAGE_SIZE } from '@fairball/contract/schemas/paging'
import type { Queries } from '../../db/pool.ts'
import { totalPages } from '../../kernel/paging.ts'
import { checkChain, detailOf } from '../operator/service.ts'
import { countAudit, listAudit, listAudited } from './audit-queries.ts'
import { holds } from './carry-out.ts'
import type { Relying } from './context.ts'
import { ENROL } from './enrolment.ts'
import { LIGHT_KINDS } from './kinds.ts'
import { findRequest, listSignatures } from './request-queries.ts'
import { needsOfRequest } from './rules.ts'
import { findKeyById } from './staff-queries.ts'

// The audit log as people read it, and as anybody can verify it: the chain, and under it the texts and signatures.

type AuditPage = ConsoleAnswerOf<typeof requestCalls.listAudit>

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
