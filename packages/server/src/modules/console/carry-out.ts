import { actionText, endOfActionText } from '@fairball/contract/console/action-text'
import { canonicalJson } from '@fairball/contract/console/canonical-json'
import { checkValue } from '@fairball/contract/check-input'
import { kindOf } from '@fairball/contract/console/kinds'
import { reasonText } from '@fairball/contract/console/requests'
import { LotteryError } from '@fairball/domain/errors'
import type { Tx } from '../../db/pool.ts'
import type { Job } from '../../jobs/job.ts'
import { CodedRefusal, PeriodLocked, Refused } from '../../kernel/errors.ts'
import { boundTo } from './bound-db.ts'
import type { CarryOutContext } from './context.ts'
import { carryOutEnrolment, ENROL } from './enrolment.ts'
import { carryOut, checkedArgs, factsOf, isKind } from './kinds.ts'
import { lookAfter } from './look.ts'
import { sha256, verifyAssertion } from './passkeys.ts'
import { refusal } from './refusal.ts'
import {
  type JsonObject,
  listSignatures,
  lockRequest,
  moveRequest,
  replaceArgs,
  type StoredRequest,
  type StoredSignature,
} from './request-queries.ts'
import { isAlone, isEnrolled, mayPropose, maySecond, needsOfRequest } from './rules.ts'
import { isReplayed } from './sessions.ts'
import { DRAFT_SECONDS, SECOND_PERSON_SECONDS, SKEW_SECONDS } from './waiting-request.ts'
import { findAlone, findKeyById, listPeople, lockPeople, noteSigned, type Person } from './staff-queries.ts'

// A worker carries out what people signed. It believes nothing that the console wrote: in one transaction it verifies
// text, signatures, roles, time and facts again, calls the desk, writes the audit log and ends the request. So whatever
// crashes, it is done once or not at all.

const NO_KIND = 'There is no such kind of request.'
/** Runs of a request that ended in an error of ours, after which it has failed. */
const TRIES = 5

/** The people of a request that may be done. */
interface Signed {
  readonly proposer: Person
  readonly approver: Person | null
}

/**
 * Looks at a request: does it if everything is signed, and otherwise notes what it waits for.
 *
 * @param job its run, whose last failure ends the request
 */
export async function lookAtRequest(ctx: CarryOutContext, id: string, job: Pick<Job, 'attempts'>): Promise<void> {
  try {
    await ctx.db.transaction((tx) => lookIn(ctx, tx, id))
  } catch (error) {
    const refused = refusedAs(error)
    if (refused === null && job.attempts + 1 < TRIES) throw error
    if (refused === null) ctx.runtime.log.error({ err: error, request: id }, 'a request of the console failed')
    await ctx.db.transaction(async (tx) => {
      const request = await tx.maybeOne(lockRequest, [id])
      if (request === null || !isOpen(request)) return
      if (refused === null)
        await end(ctx, tx, request, 'failed', { message: 'An error of the program: its log says more.' })
      else await end(ctx, tx, request, 'refused', refused)
      if (request.kind === ENROL) await tx.execute(replaceArgs, [request.id, {}]) // its link may still be open
    })
  }
}

async function lookIn(ctx: CarryOutContext, tx: Tx, id: string): Promise<void> {
  const request = await tx.maybeOne(lockRequest, [id])
  if (request === null || !isOpen(request) || request.expiresAt <= ctx.runtime.clock.now()) return
  if (!checkValue(reasonText, request.reason, 'reason').ok) throw new Refused('Its reason is no line of text.')
  if (request.kind === ENROL) {
    await finish(ctx, tx, request, await carryOutEnrolment(ctx, tx, request))
    return
  }
  const signed =
    kindOf(request.kind)?.isLight === true ? await lightPeople(tx, request) : await signedPeople(ctx, tx, request)
  if (signed === 'proposed') {
    if (request.state === 'draft') await propose(ctx, tx, request)
    return
  }
  if (signed !== null) await finish(ctx, tx, request, await carryOutIn(ctx, tx, request, signed))
}

/** What changed may put a check right, or wrong: nobody waits for the next look at everything. */
async function finish(ctx: CarryOutContext, tx: Tx, request: StoredRequest, result: JsonObject): Promise<void> {
  await end(ctx, tx, request, 'done', result)
  await lookAfter(ctx.jobs, tx, request.kind, request.id)
}

function isOpen({ state }: StoredRequest): boolean {
  return state === 'draft' || state === 'proposed' || state === 'approved'
}

async function end(
  { runtime }: CarryOutContext,
  tx: Tx,
  { id, expiresAt }: StoredRequest,
  state: 'done' | 'refused' | 'failed',
  result: JsonObject,
): Promise<void> {
  await tx.execute(moveRequest, { id, state, result, expiresAt, endedAt: runtime.clock.now() })
}

/** Waits for the second person from now on. */
async function propose(ctx: CarryOutContext, tx: Tx, request: StoredRequest): Promise<void> {
  await requireFacts(ctx, tx, request)
  const expiresAt = ctx.runtime.clock.now() + SECOND_PERSON_SECONDS
  await tx.execute(moveRequest, { id: request.id, state: 'proposed', result: null, expiresAt, endedAt: null })
}

async function carryOutIn(
  ctx: CarryOutContext,
  tx: Tx,
  request: StoredRequest,
  { proposer, approver }: Signed,
): Promise<JsonObject> {
  const { kind, reason } = request
  if (!isKind(kind)) throw new Refused(NO_KIND)
  const args = checkedArgs(kind, request.args)
  if (kindOf(kind)?.isLight !== true) await requireFacts(ctx, tx, request)
  const people = {
    staffId: proposer.id,
    approverId: approver?.id ?? null,
    reason,
    request: { id: request.id, kind, args: request.args },
  }
  const signers = approver === null ? [proposer.id] : [proposer.id, approver.id]
  const operator = {
    db: boundTo(tx),
    runtime: ctx.runtime,
    jobs: ctx.jobs,
    actor: proposer.name,
    people,
  }
  return await carryOut({ ctx, tx, operator, requestId: request.id, reason, proposer, signers }, kind, args)
}

/** @throws CodedRefusal STALE if the screen showed something else than there is now */
async function requireFacts({ runtime }: CarryOutContext, tx: Tx, { kind, args, facts }: StoredRequest): Promise<void> {
  if (!isKind(kind)) throw new Refused(NO_KIND)
  const of = { args: checkedArgs(kind, args), now: runtime.clock.now() }
  const now = await factsOf(tx, kind, of).catch((error: unknown) => {
    if (error instanceof LotteryError) throw refusal('STALE')
    throw error
  })
  if (canonicalJson(now) !== canonicalJson(facts)) throw refusal('STALE')
}

/** The person of a request without a signature. @throws CodedRefusal ACCESS_DENIED */
async function lightPeople(tx: Tx, request: StoredRequest): Promise<Signed> {
  const proposer = (await tx.run(listPeople, [])).find(({ id }) => id === request.proposedBy)
  const kind = kindOf(request.kind)
  if (
    proposer === undefined ||
    kind === null ||
    proposer.disabledAt !== null ||
    !mayPropose(kind, proposer.roles, request.args)
  )
    throw refusal('ACCESS_DENIED')
  return { proposer, approver: null }
}

/**
 * The people who signed a request, if they are enough: `proposed` if the second one is missing, null if the first is.
 *
 * @throws CodedRefusal ACCESS_DENIED, SIGNATURE_REFUSED
 */
async function signedPeople(ctx: CarryOutContext, tx: Tx, request: StoredRequest): Promise<Signed | 'proposed' | null> {
  await tx.one(lockPeople, [])
  const people = await tx.run(listPeople, [])
  const signatures = await tx.run(listSignatures, [[request.id]])
  const kind = kindOf(request.kind)
  if (kind === null) throw new Refused(NO_KIND)
  const first = signatures.find(({ part, staffId }) => part === 'propose' && staffId === request.proposedBy)
  if (first === undefined) {
    if (signatures.length > 0) throw refusal('SIGNATURE_REFUSED')
    return null
  }
  const proposer = await signer(ctx, tx, request, { signature: first, people })
  if (!mayPropose(kind, proposer.roles, request.args)) throw refusal('ACCESS_DENIED')
  const needs = needsOfRequest(request)
  if (needs.signatures === 1) return { proposer, approver: null }
  const second = signatures.find(({ part }) => part === 'approve')
  if (second === undefined) return 'proposed'
  const approver = await signer(ctx, tx, request, { signature: second, people })
  if (approver.id !== proposer.id) {
    if (!maySecond(needs, approver.roles)) throw refusal('ACCESS_DENIED')
  } else if (second.keyId === first.keyId || !isAlone(people, (await tx.maybeOne(findAlone, []))?.value ?? null))
    throw refusal('SECOND_PERSON_NEEDED')
  return { proposer, approver }
}

/** The person who gave a signature, if it is valid. @throws CodedRefusal SIGNATURE_REFUSED, ACCESS_DENIED */
async function signer(
  ctx: CarryOutContext,
  tx: Tx,
  request: StoredRequest,
  { signature, people }: { readonly signature: StoredSignature; readonly people: readonly Person[] },
): Promise<Person> {
  const isAccepted = request.state !== 'draft' && signature.part === 'propose'
  const key = await tx.maybeOne(findKeyById, [signature.keyId])
  const isTheirs = key !== null && key.revokedAt === null && key.staffId === signature.staffId
  if (!isTheirs || !(await holds(ctx, request, signature, key))) throw refusal('SIGNATURE_REFUSED')
  if (!isAccepted) {
    if (!isInTime(request, signature, ctx.runtime.clock.now())) throw refusal('REQUEST_CLOSED')
    const count = Buffer.from(signature.authenticatorData).readUInt32BE(33) // WebAuthn, section 6.1
    // Requests are carried out in any order: counts grow in that in which signatures were given.
    const isLater = signature.id > key.signedId
    if (isLater ? isReplayed(count, key.signedCount) : isReplayed(key.signedCount, count))
      throw refusal('SIGNATURE_REFUSED')
    if (isLater) await tx.execute(noteSigned, [key.id, count, signature.id])
  }
  const person = people.find(({ id }) => id === signature.staffId)
  if (person === undefined || !isEnrolled(person)) throw refusal('ACCESS_DENIED')
  return person
}

/**
 * Whether the time of a signed text has not passed, by the worker's own clock: the console says when a signature was given
 * and when a request was made, and could keep a signature for later.
 */
function isInTime({ expiresAt }: StoredRequest, { part, text }: StoredSignature, now: number): boolean {
  const expires = endOfActionText(text)?.expires ?? 0
  return now < expires && expires <= (part === 'propose' ? now + DRAFT_SECONDS + SKEW_SECONDS : expiresAt)
}

/** Whether a stored signature is one over exactly this request, by this passkey, given in time. */
export async function holds(
  { relying }: Pick<CarryOutContext, 'relying'>,
  request: Pick<StoredRequest, 'id' | 'kind' | 'args' | 'facts' | 'reason'>,
  signature: StoredSignature,
  key: { readonly credentialId: string; readonly publicKey: Uint8Array },
): Promise<boolean> {
  const rest = endOfActionText(signature.text)
  if (rest === null || signature.signedAt >= rest.expires) return false
  const text = actionText({
    console: relying.origin,
    request: request.id,
    part: signature.part,
    staff: String(signature.staffId),
    kind: request.kind,
    args: request.args,
    facts: Buffer.from(sha256(canonicalJson(request.facts))).toString('hex'),
    reason: request.reason,
    ...rest,
  })
  const challenge = sha256(text)
  if (text !== signature.text || Buffer.compare(challenge, signature.challenge) !== 0) return false
  const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const response = {
    clientDataJSON: encoded(signature.clientDataJson),
    authenticatorData: encoded(signature.authenticatorData),
    signature: encoded(signature.signature),
  }
  const { credentialId } = key
  const answer = { id: credentialId, rawId: credentialId, type: 'public-key' as const, response }
  return (await verifyAssertion(relying, challenge, key, answer)) !== null
}

/** How a refusal is kept as a request's result; null for an error of ours. */
function refusedAs(error: unknown): JsonObject | null {
  if (error instanceof CodedRefusal) return { code: error.code, message: error.message }
  if (error instanceof PeriodLocked) return { code: 'PERIOD_LOCKED', message: error.message }
  if (error instanceof Refused) return { code: 'REFUSED', message: error.message }
  if (error instanceof LotteryError) return { code: 'REFUSED', message: error.message }
  return null
}
