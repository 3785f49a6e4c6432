import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import { registrationSchema, type Registration, type staffCalls } from '@fairball/contract/console/staff'
import { filledText } from '@fairball/contract/schemas/text'
import { LotteryError } from '@fairball/domain/errors'
import * as z from 'zod/mini'
import type { Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import { appendAction } from '../operator/service.ts'
import type { CarryOutContext, ConsoleContext } from './context.ts'
import { challengeOf, registrationOptions, sha256, verifyRegistration } from './passkeys.ts'
import { refusal } from './refusal.ts'
import { insertRequest, type JsonObject, replaceArgs, type StoredRequest } from './request-queries.ts'
import { isEnrolled, KEYS_NEEDED } from './rules.ts'
import { keepChallenge, takeChallenge } from './session-queries.ts'
import {
  countInviteKey,
  findAlone,
  findInvited,
  findPerson,
  insertKey,
  listKeys,
  listPeople,
  lockInvite,
  lockPeople,
  type Person,
  saveAlone,
} from './staff-queries.ts'
import { awaitOutcome, DRAFT_SECONDS, noteRequest } from './waiting-request.ts'

// A person registers two passkeys over one link. The console only passes a registration on: a worker verifies the link
// and the registration, and writes the key.

/** The kind of a request that brings an invite in place of a signature. */
export const ENROL = 'staff.enrol'
const CHALLENGE_SECONDS = 300

/** What such a request holds. */
const enrolArgs = z.object({ token: z.string(), response: registrationSchema, label: filledText(100) })

/** Whom a link is for, and how many passkeys it is still for. @throws LotteryError NOT_FOUND for one that is no longer open */
export async function invitedPerson(
  ctx: ConsoleContext,
  token: string,
): Promise<ConsoleAnswerOf<typeof staffCalls.getInvite>> {
  const { person, keys } = await openInvite(ctx, token)
  return { name: person.name, roles: [...person.roles], ...countsOf(keys) }
}

/** Options for the next passkey of a link. @throws LotteryError NOT_FOUND */
export async function enrolmentOptions(
  ctx: ConsoleContext,
  token: string,
): Promise<{ options: Record<string, unknown> }> {
  const { person } = await openInvite(ctx, token)
  const challenge = new Uint8Array(ctx.runtime.random.bytes(32))
  await keepChallenge(ctx.db, {
    challenge,
    purpose: 'enrol',
    requestId: null,
    staffId: person.id,
    text: null,
    expiresAt: ctx.runtime.clock.now() + CHALLENGE_SECONDS,
  })
  const passkeys = await ctx.db.run(listKeys, [person.id])
  const about = { siteName: await ctx.siteName(), staffId: person.id, name: person.name, passkeys }
  return { options: await registrationOptions(ctx.relying, challenge, about) }
}

/**
 * Passes a new passkey on to a worker, and waits for it.
 *
 * @throws LotteryError NOT_FOUND; CodedRefusal SIGNATURE_REFUSED
 */
export async function enrol(
  ctx: ConsoleContext,
  token: string,
  { response, label }: { readonly response: Registration; readonly label: string },
): Promise<ConsoleAnswerOf<typeof staffCalls.enrol>> {
  const { person, keys } = await openInvite(ctx, token)
  const challenge = challengeOf(response.response)
  if (challenge === null || (await verifyRegistration(ctx.relying, challenge, response)) === null)
    throw refusal('SIGNATURE_REFUSED')
  const id = ctx.runtime.random.uuid()
  const now = ctx.runtime.clock.now()
  await ctx.db.transaction(async (tx) => {
    await tx.execute(insertRequest, {
      id,
      kind: ENROL,
      args: { token, response: json(response), label },
      reason: 'Registers a passkey over a link.',
      facts: { staff: String(person.id) },
      proposedBy: null,
      now,
      expiresAt: now + DRAFT_SECONDS,
    })
    await noteRequest(tx, id)
  })
  const { state } = await awaitOutcome(ctx, id, ['draft'])
  return countsOf(state === 'done' ? keys + 1 : keys)
}

/** Writes a passkey, in the worker's transaction. @throws CodedRefusal SIGNATURE_REFUSED; Refused */
export async function carryOutEnrolment(ctx: CarryOutContext, tx: Tx, request: StoredRequest): Promise<JsonObject> {
  const read = z.safeParse(enrolArgs, request.args)
  if (!read.success) throw refusal('SIGNATURE_REFUSED')
  const { token, response, label } = read.data
  await tx.one(lockPeople, [])
  const now = ctx.runtime.clock.now()
  const hash = sha256(token)
  const invite = await tx.maybeOne(lockInvite, [hash, now])
  const person = invite === null ? null : await tx.maybeOne(findPerson, [invite.staffId])
  if (invite === null || person === null || person.disabledAt !== null)
    throw new Refused('The link is used up, or its time is over.')
  const challenge = challengeOf(response.response)
  const asked = challenge === null ? null : await tx.maybeOne(takeChallenge, [challenge])
  if (challenge === null || asked?.purpose !== 'enrol' || asked.staffId !== person.id || asked.expiresAt <= now)
    throw refusal('SIGNATURE_REFUSED')
  const passkey = await verifyRegistration(ctx.relying, challenge, response)
  if (passkey === null) throw refusal('SIGNATURE_REFUSED')
  const written = await tx.maybeOne(insertKey, { staffId: person.id, label, now, ...passkey })
  if (written === null) throw new Refused('This passkey is registered already. Use another one.')
  const keys = invite.keys + 1
  await tx.execute(countInviteKey, [hash, keys < KEYS_NEEDED ? null : now])
  await endAlone(tx)
  const args = { invite: Buffer.from(hash).toString('hex'), label, key: String(written.id) }
  await tx.execute(replaceArgs, [request.id, args])
  await appendAction(tx, {
    at: now,
    actor: person.name,
    action: ENROL,
    subject: String(person.id),
    detail: `${person.name} registered passkey ${keys} of ${KEYS_NEEDED}: ${label}.`,
    people: {
      staffId: person.id,
      approverId: null,
      reason: request.reason,
      request: { id: request.id, kind: ENROL, args },
    },
  })
  return { keys, keys_needed: Math.max(0, KEYS_NEEDED - keys) }
}

/** With the second enrolled person nobody signs for two any more. */
async function endAlone(tx: Tx): Promise<void> {
  const people = await tx.run(listPeople, [])
  if (people.filter(isEnrolled).length < 2 || (await tx.maybeOne(findAlone, []))?.value === 'ended') return
  await tx.execute(saveAlone, ['ended'])
}

async function openInvite(ctx: ConsoleContext, token: string): Promise<{ person: Person; keys: number }> {
  const invited = await ctx.db.maybeOne(findInvited, [token, ctx.runtime.clock.now()])
  const person = invited === null ? null : await ctx.db.maybeOne(findPerson, [invited.staffId])
  if (invited === null || person === null)
    throw new LotteryError('NOT_FOUND', 'The link is used up, or its time is over.')
  return { person, keys: invited.keys }
}

/** What came as JSON, without what it left out. */
function json(response: Registration): JsonObject {
  return JSON.parse(JSON.stringify(response)) as JsonObject
}

function countsOf(keys: number): { keys: number; keys_needed: number } {
  return { keys, keys_needed: Math.max(0, KEYS_NEEDED - keys) }
}
