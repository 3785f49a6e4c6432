import { PAGE_SIZE } from '@fairball/contract/schemas/paging'
import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { requestCalls, RequestState } from '@fairball/contract/console/requests'
import { LotteryError } from '@fairball/domain/errors'
import { totalPages } from '../../kernel/paging.ts'
import type { ConsoleContext } from './context.ts'
import { ENROL } from './enrolment.ts'
import { LIGHT_KINDS } from './kinds.ts'
import {
  countRequests,
  findRequest,
  listRequests,
  listSignatures,
  type StoredRequest,
  type StoredSignature,
} from './request-queries.ts'
import { isChanged } from './requests.ts'
import { needsOfRequest } from './rules.ts'
import type { SignedInStaff } from './sessions.ts'
import { listPeople } from './staff-queries.ts'

type RequestAnswer = ConsoleAnswerOf<typeof requestCalls.getRequest>

/** Kinds that lists leave out: they end with the call that made them. */
const HIDDEN_KINDS = [...LIGHT_KINDS, ENROL]
const OPEN: readonly RequestState[] = ['draft', 'proposed', 'approved']

/** A page of the requests, newest first. */
export async function requestsPage(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  { state, page }: { readonly state: RequestState | null; readonly page: number },
): Promise<ConsoleAnswerOf<typeof requestCalls.listRequests>> {
  const now = ctx.runtime.clock.now()
  const about = { now, hidden: HIDDEN_KINDS, state, reader: staff.id }
  const [requests, { rows }] = await Promise.all([
    ctx.db.run(listRequests, { ...about, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }),
    ctx.db.one(countRequests, [now, HIDDEN_KINDS, state, staff.id]),
  ])
  return { results: await answersOf(ctx, requests), total_pages: totalPages(rows) }
}

/** One request, also of a kind that lists leave out: the audit log names it. @throws LotteryError NOT_FOUND */
export async function requestOf(ctx: ConsoleContext, staff: SignedInStaff, id: string): Promise<RequestAnswer> {
  const request = await ctx.db.maybeOne(findRequest, [id])
  // A registration that nobody has looked at has its link in it, which may be open: it is a draft of nobody.
  if (request === null || (request.state === 'draft' && request.proposedBy !== staff.id))
    throw new LotteryError('NOT_FOUND')
  const [answer] = await answersOf(ctx, [request])
  if (answer === undefined) throw new LotteryError('NOT_FOUND')
  return answer
}

async function answersOf(ctx: ConsoleContext, requests: readonly StoredRequest[]): Promise<RequestAnswer[]> {
  const now = ctx.runtime.clock.now()
  const [signatures, people] = await Promise.all([
    ctx.db.run(listSignatures, [requests.map(({ id }) => id)]),
    ctx.db.run(listPeople, []),
  ])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return await Promise.all(
    requests.map(async (request) => {
      const own = signatures.filter(({ requestId }) => requestId === request.id)
      const { proposedBy } = request
      const state = visibleState(request, own, now)
      const { signatures: count, roles } = HIDDEN_KINDS.includes(request.kind)
        ? { signatures: 0, roles: [] }
        : needsOfRequest(request)
      return {
        id: request.id,
        kind: request.kind,
        args: { ...request.args },
        reason: request.reason,
        state,
        facts: { ...request.facts },
        is_changed: OPEN.includes(state) ? await isChanged(ctx, request) : null,
        proposed_by: proposedBy === null ? null : { id: String(proposedBy), name: names.get(proposedBy) ?? '' },
        created_at: request.createdAt,
        expires_at: request.expiresAt,
        needs: { signatures: count, roles: [...roles] },
        signatures: own.map(({ part, staffId, name, signedAt }) => ({
          part,
          staff: { id: String(staffId), name },
          signed_at: signedAt,
        })),
        result: request.result === null ? null : { ...request.result },
      }
    }),
  )
}

/** The state that readers see: signed by all is approved, until a worker has done it; past its time it has expired. */
function visibleState(request: StoredRequest, signatures: readonly StoredSignature[], now: number): RequestState {
  const { state, expiresAt } = request
  if (!OPEN.includes(state)) return state
  if (expiresAt <= now) return 'expired'
  return new Set(signatures.map(({ part }) => part)).size === needsOfRequest(request).signatures ? 'approved' : state
}
