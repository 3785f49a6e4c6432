import type { Queries } from '../../../db/pool.ts'
import { noteAction } from '../../operator/service.ts'
import { refusal } from '../refusal.ts'
import { findRequest, type JsonObject, lockRequest, moveRequest, type StoredRequest } from '../request-queries.ts'
import { maySecond, needsOfRequest } from '../rules.ts'
import { findPerson } from '../staff-queries.ts'
import type { Desk, RequestKind } from './kind.ts'

// A request ends without its effect: by a person who could approve it, or by the one who made it.

export const rejectRequest: RequestKind<'requests.reject'> = {
  facts: (from, { request }) => requestFacts(from, request),
  async carryOut(desk, { request }) {
    const found = await openRequest(desk, request)
    const person = desk.proposer === null ? null : await desk.tx.maybeOne(findPerson, [desk.proposer.id])
    const may = person !== null && found.proposedBy !== person.id && maySecond(needsOfRequest(found), person.roles)
    if (!may) throw refusal('ACCESS_DENIED')
    return await end(desk, found, 'rejected')
  },
}

export const cancelRequest: RequestKind<'requests.cancel'> = {
  facts: (from, { request }) => requestFacts(from, request),
  async carryOut(desk, { request }) {
    const found = await openRequest(desk, request)
    if (desk.proposer === null || found.proposedBy !== desk.proposer.id) throw refusal('ACCESS_DENIED')
    return await end(desk, found, 'cancelled')
  },
}

async function requestFacts(from: Queries, id: string): Promise<JsonObject> {
  const found = await from.maybeOne(findRequest, [id])
  return found === null ? {} : { kind: found.kind, args: found.args }
}

async function openRequest({ ctx, tx }: Desk, id: string): Promise<StoredRequest> {
  const found = await tx.maybeOne(lockRequest, [id])
  const isOpen = found !== null && ['draft', 'proposed'].includes(found.state)
  if (found === null || !isOpen || found.expiresAt <= ctx.runtime.clock.now()) throw refusal('REQUEST_CLOSED')
  return found
}

async function end(
  { ctx, tx, operator }: Desk,
  { id, kind, expiresAt }: StoredRequest,
  state: 'rejected' | 'cancelled',
): Promise<JsonObject> {
  await tx.execute(moveRequest, { id, state, result: null, expiresAt, endedAt: ctx.runtime.clock.now() })
  const text = `The request ${id} (${kind}) is ${state}.`
  await noteAction(operator, tx, { action: `request-${state}`, subject: id, detail: text })
  return { text }
}
