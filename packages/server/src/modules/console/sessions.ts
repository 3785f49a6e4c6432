import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { Role } from '@fairball/contract/console/roles'
import type { Assertion, staffCalls } from '@fairball/contract/console/staff'
import { violatedConstraint } from '../../db/pool.ts'
import { deviceName } from '../identity/service.ts'
import type { ConsoleContext } from './context.ts'
import { assertionOptions, challengeOf, sha256, verifyAssertion } from './passkeys.ts'
import { refusal } from './refusal.ts'
import { endSession, findChallenge, findSession, keepChallenge, insertSession, noteSeen } from './session-queries.ts'
import { findKey, findPerson, noteKeyUsed } from './staff-queries.ts'

// Sessions of the staff, in a cookie. They end after twelve hours, and after 15 minutes without a call.

const SESSION_SECONDS = 12 * 3600
/** How often a session's last call is written down, in seconds. */
const NOTED_EVERY_SECONDS = 60
const CHALLENGE_SECONDS = 300

/** Who makes a call of the console. */
export interface SignedInStaff {
  readonly sessionId: bigint
  readonly id: bigint
  readonly name: string
  readonly roles: readonly Role[]
  /** epoch seconds */
  readonly expiresAt: number
}

type SessionAnswer = ConsoleAnswerOf<typeof staffCalls.me>

/** Options for a sign-in: any discoverable passkey. @throws LotteryError TOO_MANY_REQUESTS */
export async function signInOptions(
  ctx: ConsoleContext,
  address: string,
): Promise<{ options: Record<string, unknown> }> {
  ctx.failures.begin(address)
  const challenge = new Uint8Array(ctx.runtime.random.bytes(32))
  await keepChallenge(ctx.db, {
    challenge,
    purpose: 'sign-in',
    requestId: null,
    staffId: null,
    text: null,
    expiresAt: ctx.runtime.clock.now() + CHALLENGE_SECONDS,
  })
  return { options: await assertionOptions(ctx.relying, challenge, []) }
}

/**
 * Signs a person in.
 *
 * @returns the session, and the value of its cookie
 * @throws CodedRefusal SIGNATURE_REFUSED; LotteryError TOO_MANY_REQUESTS
 */
export async function signIn(
  ctx: ConsoleContext,
  response: Assertion,
  caller: { readonly address: string; readonly userAgent: string },
): Promise<{ session: SessionAnswer; cookie: string }> {
  ctx.failures.check(caller.address)
  const key = await keyThatSigned(ctx, response)
  const person = key === null ? null : await ctx.db.maybeOne(findPerson, [key.staffId])
  if (key === null || person === null) {
    ctx.failures.count(caller.address)
    throw refusal('SIGNATURE_REFUSED')
  }
  const cookie = Buffer.from(ctx.runtime.random.bytes(32)).toString('base64url')
  const now = ctx.runtime.clock.now()
  await ctx.db
    .transaction(async (tx) => {
      await tx.execute(noteKeyUsed, [key.id, key.signCount, now])
      await tx.execute(insertSession, {
        hash: sha256(cookie),
        challenge: key.challenge,
        staffId: person.id,
        keyId: key.id,
        device: deviceName(caller.userAgent),
        now,
        expiresAt: now + SESSION_SECONDS,
      })
    })
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'staff_sessions_challenge_key') throw error
      ctx.failures.count(caller.address) // a challenge begins one session
      throw refusal('SIGNATURE_REFUSED')
    })
  return { session: answerOf({ ...person, expiresAt: now + SESSION_SECONDS }), cookie }
}

/** The passkey of a sign-in's answer with its new count of signatures and the challenge; null if the answer does not hold. */
async function keyThatSigned(ctx: ConsoleContext, response: Assertion) {
  const challenge = challengeOf(response.response)
  const asked = challenge === null ? null : await ctx.db.maybeOne(findChallenge, [challenge])
  if (challenge === null || asked?.purpose !== 'sign-in' || asked.expiresAt <= ctx.runtime.clock.now()) return null
  const key = await ctx.db.maybeOne(findKey, [response.id])
  if (key === null) return null
  const signCount = await verifyAssertion(ctx.relying, challenge, key, response)
  if (signCount === null || isReplayed(signCount, key.signCount)) return null
  return { ...key, signCount, challenge }
}

/** Whether an authenticator counted no further: then it is another with the same key (WebAuthn, section 6.1.1). */
export function isReplayed(signCount: number, known: number): boolean {
  return (signCount > 0 || known > 0) && signCount <= known
}

/** The person of a cookie's value; null if its session is over. */
export async function staffOf(ctx: ConsoleContext, cookie: string): Promise<SignedInStaff | null> {
  const now = ctx.runtime.clock.now()
  const session = await ctx.db.maybeOne(findSession, [cookie, now])
  if (session === null) return null
  if (session.seenAt <= now - NOTED_EVERY_SECONDS)
    await ctx.db.transaction((tx) => tx.execute(noteSeen, [session.id, now]))
  const { id, staffId, name, roles, expiresAt } = session
  return { sessionId: id, id: staffId, name, roles, expiresAt }
}

/** The session as its person sees it. */
export function answerOf({
  id,
  name,
  roles,
  expiresAt,
}: Pick<SignedInStaff, 'id' | 'name' | 'roles' | 'expiresAt'>): SessionAnswer {
  return { staff: { id: String(id), name, roles: [...roles] }, expires_at: expiresAt }
}

/** Ends a session. */
export async function signOut(ctx: ConsoleContext, { sessionId }: SignedInStaff): Promise<{ ok: true }> {
  await ctx.db.transaction((tx) => tx.execute(endSession, [sessionId, ctx.runtime.clock.now()]))
  return { ok: true }
}
