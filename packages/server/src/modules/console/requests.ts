import { actionText, type Part } from '@fairball/contract/console/action-text'
import { canonicalJson } from '@fairball/contract/console/canonical-json'
import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import { kindOf, needsOf } from '@fairball/contract/console/kinds'
import type { requestCalls, RequestState } from '@fairball/contract/console/requests'
import type { Assertion } from '@fairball/contract/console/staff'
import { LotteryError } from '@fairball/domain/errors'
import { violatedConstraint } from '../../db/pool.ts'
import type { ConsoleContext } from './context.ts'
import { checkedArgs, factsOf, isKind, LIGHT_KINDS } from './kinds.ts'
import { assertionOptions, challengeOf, sha256, verifyAssertion } from './passkeys.ts'
import { refusal } from './refusal.ts'
import {
  findRequest,
  insertRequest,
  insertSignature,
  type JsonObject,
  listSignatures,
  type StoredRequest,
} from './request-queries.ts'
import { isAlone, isEnrolled, KEYS_NEEDED, mayPropose, maySecond, needsOfRequest } from './rules.ts'
import { findChallenge, keepChallenge } from './session-queries.ts'
import { isReplayed, type SignedInStaff } from './sessions.ts'
import { findAlone, findKey, findPerson, listKeys, listPeople, noteKeyUsed } from './staff-queries.ts'
import { awaitOutcome, DRAFT_SECONDS, noteRequest, type Outcome } from './waiting-request.ts'

// What people ask for, and sign. Nothing is done here: the console checks what it can so that refusals come early, and a
// worker checks all of it again.

type Made = ConsoleAnswerOf<typeof requestCalls.makeRequest>

/**
 * Writes a draft, and the text that its maker signs. A light kind is carried out at once.
 *
 * @throws LotteryError INVALID_PAYLOAD, NOT_FOUND; CodedRefusal ACCESS_DENIED, or the worker's
 */
export async function makeRequest(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  wanted: { readonly kind: string; readonly args: unknown; readonly reason: string },
): Promise<Made> {
  const kind = kindOf(wanted.kind)
  if (kind === null || !isKind(wanted.kind))
    throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { kind: 'There is no such kind.' } })
  if (!mayPropose(kind, staff.roles, null)) throw refusal('ACCESS_DENIED')
  const args = checkedArgs(wanted.kind, wanted.args)
  if (!mayPropose(kind, staff.roles, args)) throw refusal('ACCESS_DENIED')
  if (kind.isLight === true)
    return await makeLightRequest(ctx, staff, { kind: wanted.kind, args, reason: wanted.reason })
  await requireBothKeys(ctx, staff)
  const now = ctx.runtime.clock.now()
  const facts = await factsOf(ctx.db, wanted.kind, { args, now })
  const request: NewRequest = {
    id: ctx.runtime.random.uuid(),
    kind: wanted.kind,
    args,
    reason: wanted.reason.trim(),
    facts,
    expiresAt: now + DRAFT_SECONDS,
  }
  await ctx.db.transaction((tx) => tx.execute(insertRequest, { ...request, proposedBy: staff.id, now }))
  const { text, options } = await textToSign(ctx, staff, request, { part: 'propose', exceptKey: null })
  return { id: request.id, state: 'draft', facts, text, options, needs: answerNeeds(needsOf(kind, { args, facts })) }
}

/**
 * Refuses somebody who may not ask for a kind, whatever else was sent: the role is checked before the arguments.
 *
 * @param body what was sent, unchecked; a kind that there is not is for `makeRequest` to refuse
 * @throws CodedRefusal ACCESS_DENIED
 */
export function requireProposer({ roles }: Pick<SignedInStaff, 'roles'>, body: unknown): void {
  const name = typeof body === 'object' && body !== null && 'kind' in body ? body.kind : null
  const kind = typeof name === 'string' ? kindOf(name) : null
  if (kind !== null && !mayPropose(kind, roles, null)) throw refusal('ACCESS_DENIED')
}

type NewRequest = Pick<StoredRequest, 'id' | 'kind' | 'args' | 'reason' | 'facts' | 'expiresAt'>

async function makeLightRequest(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  wanted: Pick<NewRequest, 'kind' | 'args' | 'reason'>,
): Promise<Made> {
  const now = ctx.runtime.clock.now()
  const id = ctx.runtime.random.uuid()
  await ctx.db.transaction(async (tx) => {
    const row = { id, ...wanted, facts: {}, proposedBy: staff.id, now, expiresAt: now + DRAFT_SECONDS }
    await tx.execute(insertRequest, row)
    await noteRequest(tx, id)
  })
  return { id, ...(await awaitOutcome(ctx, id, ['draft'])) }
}

/** The proposer's signature. @throws LotteryError NOT_FOUND; CodedRefusal SIGNATURE_REFUSED, REQUEST_CLOSED, the worker's */
export async function signRequest(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  id: string,
  response: Assertion,
): Promise<Outcome> {
  const request = await requestFor(ctx, id, ['draft'])
  if (request.proposedBy !== staff.id) throw new LotteryError('NOT_FOUND')
  await keepSignature(ctx, staff, request, 'propose', response)
  const outcome = await awaitOutcome(ctx, id, ['draft'])
  if (outcome.state !== 'draft') return outcome
  return { ...outcome, state: needsOfRequest(request).signatures === 2 ? 'proposed' : 'approved' }
}

/**
 * What the second person signs.
 *
 * @throws LotteryError NOT_FOUND; CodedRefusal REQUEST_CLOSED, SECOND_PERSON_NEEDED, ACCESS_DENIED
 */
export async function approvalOptions(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  id: string,
): Promise<ConsoleAnswerOf<typeof requestCalls.approvalOptions>> {
  const request = await requestFor(ctx, id, ['proposed'])
  const exceptKey = await requireSecond(ctx, staff, request)
  const { text, options } = await textToSign(ctx, staff, request, { part: 'approve', exceptKey })
  return { facts: request.facts, is_changed: await isChanged(ctx, request), text, options }
}

/** The second person's signature. @throws as `approvalOptions` and `signRequest` */
export async function approveRequest(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  id: string,
  response: Assertion,
): Promise<Outcome> {
  const request = await requestFor(ctx, id, ['proposed'])
  const exceptKey = await requireSecond(ctx, staff, request)
  await keepSignature(ctx, staff, request, 'approve', response, exceptKey)
  const outcome = await awaitOutcome(ctx, id, ['proposed'])
  return outcome.state === 'proposed' ? { ...outcome, state: 'approved' } : outcome
}

/** Whether what a request is about has changed since. */
export async function isChanged(
  { db, runtime }: ConsoleContext,
  { kind, args, facts }: StoredRequest,
): Promise<boolean> {
  if (!isKind(kind)) return false
  try {
    return (
      canonicalJson(await factsOf(db, kind, { args: checkedArgs(kind, args), now: runtime.clock.now() })) !==
      canonicalJson(facts)
    )
  } catch (error) {
    if (error instanceof LotteryError) return true // what it was about is gone
    throw error
  }
}

async function requestFor(ctx: ConsoleContext, id: string, states: readonly RequestState[]): Promise<StoredRequest> {
  const request = await ctx.db.maybeOne(findRequest, [id])
  if (request === null || !isKind(request.kind) || LIGHT_KINDS.includes(request.kind))
    throw new LotteryError('NOT_FOUND')
  if (!states.includes(request.state) || request.expiresAt <= ctx.runtime.clock.now()) throw refusal('REQUEST_CLOSED')
  return request
}

/** @throws CodedRefusal ACCESS_DENIED */
async function requireBothKeys({ db }: ConsoleContext, staff: SignedInStaff): Promise<void> {
  const person = await db.maybeOne(findPerson, [staff.id])
  if (person !== null && isEnrolled(person)) return
  throw refusal('ACCESS_DENIED', `Register ${KEYS_NEEDED} passkeys first: until then no signature of yours counts.`)
}

/**
 * Whether somebody may give the second signature.
 *
 * @returns the passkey that gave the first, where one person gives both
 * @throws CodedRefusal SECOND_PERSON_NEEDED, ACCESS_DENIED
 */
async function requireSecond(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  request: StoredRequest,
): Promise<bigint | null> {
  await requireBothKeys(ctx, staff)
  if (request.proposedBy === staff.id) {
    const decided = (await ctx.db.maybeOne(findAlone, []))?.value ?? null
    if (!isAlone(await ctx.db.run(listPeople, []), decided)) throw refusal('SECOND_PERSON_NEEDED')
    const first = (await ctx.db.run(listSignatures, [[request.id]])).find(({ part }) => part === 'propose')
    return first?.keyId ?? null
  }
  if (!maySecond(needsOfRequest(request), staff.roles)) throw refusal('ACCESS_DENIED')
  return null
}

/** Makes a text that no other is like, keeps it, and has the person's passkeys asked for it. */
async function textToSign(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  request: NewRequest,
  how: { readonly part: Part; readonly exceptKey: bigint | null },
): Promise<{ text: string; options: Record<string, unknown> }> {
  const text = actionText({
    console: ctx.relying.origin,
    request: request.id,
    part: how.part,
    staff: String(staff.id),
    kind: request.kind,
    args: request.args,
    facts: Buffer.from(sha256(canonicalJson(request.facts))).toString('hex'),
    reason: request.reason,
    nonce: Buffer.from(ctx.runtime.random.bytes(16)).toString('hex'),
    expires: request.expiresAt,
  })
  const challenge = sha256(text)
  await keepChallenge(ctx.db, {
    challenge,
    purpose: how.part,
    requestId: request.id,
    staffId: staff.id,
    text,
    expiresAt: request.expiresAt,
  })
  const keys = (await ctx.db.run(listKeys, [staff.id])).filter(({ id }) => id !== how.exceptKey)
  return { text, options: await assertionOptions(ctx.relying, challenge, keys) }
}

/** Checks a signature and hands it to the workers. @throws CodedRefusal SIGNATURE_REFUSED, REQUEST_CLOSED */
async function keepSignature(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  request: StoredRequest,
  part: Part,
  response: Assertion,
  exceptKey: bigint | null = null,
): Promise<void> {
  const now = ctx.runtime.clock.now()
  const challenge = challengeOf(response.response)
  const asked = challenge === null ? null : await ctx.db.maybeOne(findChallenge, [challenge])
  const isOurs = asked?.purpose === part && asked.requestId === request.id && asked.staffId === staff.id
  if (challenge === null || asked === null || !isOurs || asked.text === null) throw refusal('SIGNATURE_REFUSED')
  if (asked.expiresAt <= now) throw refusal('REQUEST_CLOSED')
  const key = await ctx.db.maybeOne(findKey, [response.id])
  if (key === null || key.staffId !== staff.id || key.id === exceptKey) throw refusal('SIGNATURE_REFUSED')
  const signCount = await verifyAssertion(ctx.relying, challenge, key, response)
  if (signCount === null || isReplayed(signCount, key.signCount)) throw refusal('SIGNATURE_REFUSED')
  const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))
  const { authenticatorData, clientDataJSON, signature } = response.response
  const row = {
    requestId: request.id,
    part,
    staffId: staff.id,
    keyId: key.id,
    text: asked.text,
    challenge,
    authenticatorData: bytes(authenticatorData),
    clientDataJson: bytes(clientDataJSON),
    signature: bytes(signature),
    now,
  }
  await ctx.db
    .transaction(async (tx) => {
      await tx.execute(insertSignature, row)
      await tx.execute(noteKeyUsed, [key.id, signCount, now])
      await noteRequest(tx, request.id)
    })
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'operator_signatures_challenge_key') throw refusal('REQUEST_CLOSED')
      throw error
    })
}

function answerNeeds({ signatures, roles }: ReturnType<typeof needsOf>) {
  return { signatures, roles: [...roles] }
}

/** Rejects or withdraws a request, as a light request of its own. @throws CodedRefusal ACCESS_DENIED, REQUEST_CLOSED */
export async function endRequest(
  ctx: ConsoleContext,
  staff: SignedInStaff,
  how: { readonly kind: 'requests.reject' | 'requests.cancel'; readonly id: string; readonly reason: string },
): Promise<Outcome> {
  if ((await ctx.db.maybeOne(findRequest, [how.id])) === null) throw new LotteryError('NOT_FOUND')
  const { state, result = null } = await makeRequest(ctx, staff, {
    kind: how.kind,
    args: { request: how.id },
    reason: how.reason,
  })
  if (state !== 'done') return { state, result: result as JsonObject | null }
  return { state: how.kind === 'requests.reject' ? 'rejected' : 'cancelled', result: result as JsonObject | null }
}
