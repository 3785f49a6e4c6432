import { canonicalJson } from '@fairball/contract/console/canonical-json'
import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { requestCalls } from '@fairball/contract/console/requests'
import { PAGE_SIZE } from '@fairball/contract/schemas/paging'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { totalPages } from '../../kernel/paging.ts'
import { checkChain, detailOf } from '../operator/service.ts'
import { countAudit, listAudit, listAudited } from './audit-queries.ts'
import { holds } from './carry-out.ts'
import type { Relying } from './context.ts'
import { ENROL } from './enrolment.ts'
import { LIGHT_KINDS } from './kinds.ts'
import { listRequestsOf, listSignatures, type StoredRequest, type StoredSignature } from './request-queries.ts'
import { needsOfRequest } from './rules.ts'
import { listAllKeys } from './staff-queries.ts'

// The audit log as people read it, and as anybody can verify it: the chain, and under it the texts and signatures.

type AuditPage = ConsoleAnswerOf<typeof requestCalls.listAudit>

/** Rows whose requests, signatures and passkeys are read together. */
const ROWS_AT_ONCE = 500

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

/**
 * Recomputes the chain of the audit log, and verifies the signatures of the requests in it.
 *
 * @param relying whom they were made for; null where there is no console, and nobody has signed
 * @throws Refused for signatures that were made for nobody known
 */
export async function verifyAudit({
  db,
  relying,
}: {
  readonly db: Queries
  readonly relying: Relying | null
}): Promise<ConsoleAnswerOf<typeof requestCalls.verifyAudit>> {
  const { rows, firstBad, head } = await checkChain(db)
  const unsigned = await firstUnsigned(db, relying)
  const bad = [firstBad, unsigned].filter((id) => id !== null).toSorted((a, b) => (a < b ? -1 : 1))[0] ?? null
  return { ok: bad === null, rows, first_bad: bad === null ? null : String(bad), head: hex(head) }
}

/** The first row of a request whose signatures do not hold, or that says something else than was signed. */
async function firstUnsigned(db: Queries, relying: Relying | null): Promise<bigint | null> {
  const keys = new Map((await db.run(listAllKeys, [])).map((key) => [key.id, key]))
  for (let lastId = 0n; ;) {
    const rows = await db.run(listAudited, [lastId, ROWS_AT_ONCE])
    const ids = [...new Set(rows.filter(isOfSignatures).map(({ requestId }) => requestId))]
    const requests = new Map((await db.run(listRequestsOf, [ids])).map((one) => [one.id, one]))
    const signatures = Map.groupBy(await db.run(listSignatures, [ids]), ({ requestId }) => requestId)
    for (const row of rows.filter(isOfSignatures)) {
      if (relying === null)
        throw new Refused('CONSOLE_URL is not set: the signatures under the audit log are for that address.')
      const request = requests.get(row.requestId)
      const given = signatures.get(row.requestId) ?? []
      if (request === undefined || !(await isSigned(relying, row, { request, given, keys }))) return row.id
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return null
    lastId = last.id
  }
}

type AuditedRow = RowOf<typeof listAudited>

function isOfSignatures({ kind }: AuditedRow): boolean {
  return kind !== ENROL && !LIGHT_KINDS.includes(kind)
}

async function isSigned(
  relying: Relying,
  row: AuditedRow,
  stored: {
    readonly request: StoredRequest
    readonly given: readonly StoredSignature[]
    readonly keys: ReadonlyMap<bigint, RowOf<typeof listAllKeys>>
  },
): Promise<boolean> {
  const { request, given, keys } = stored
  if (request.kind !== row.kind || request.proposedBy !== row.staffId || request.reason !== row.reason) return false
  if (canonicalJson(request.args) !== canonicalJson(row.args)) return false
  const wanted = needsOfRequest(request).signatures === 2 ? (['propose', 'approve'] as const) : (['propose'] as const)
  for (const part of wanted) {
    const staffId = part === 'propose' ? row.staffId : row.approverId
    const signature = given.find((one) => one.part === part && one.staffId === staffId)
    const key = signature === undefined ? undefined : keys.get(signature.keyId)
    if (signature === undefined || key?.staffId !== staffId) return false
    if (!(await holds({ relying }, request, signature, key))) return false
  }
  return true
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
