import { LotteryError } from '@fairball/domain/errors'
import { emailConfirmProblem, emailProblem } from '@fairball/domain/validation'
import type { Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Caller } from './caller.ts'
import type { IdentityContext } from './context.ts'
import { isSameEmail } from './email-key.ts'
import { isEmailExcluded } from './exclusion-queries.ts'
import { issueKey, lookUpKey, revokeKeys, useKey } from './keys.ts'
import { rememberCaller } from './login-attempts.ts'
import { mailVerificationLink } from './mails.ts'
import { assertGoodPassword } from './password-rules.ts'
import * as queries from './queries.ts'
import { recipientOf } from './recipient.ts'
import { type OpenedSession, openSession, type Tokens, tokensOf } from './sessions.ts'
import { lockSignedIn } from './signed-in-player.ts'

// Opening accounts, and verifying their addresses.

/** Attempts at a free username: with 2^31 of them even a second one is rare. */
const MAX_USERNAME_TRIES = 20
const USERNAME_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * Opens an account, logs in and mails the link that verifies the address.
 *
 * @throws LotteryError INVALID_EMAIL, MISMATCH_EMAIL_AND_CONFIRM_EMAIL, INVALID_PASSWORD, EMAIL_OCCUPIED,
 *   SELF_EXCLUDED, TOO_MANY_REQUESTS
 */
export async function register(
  ctx: IdentityContext,
  input: { email: string; email_confirm: string; password: string },
  caller: Caller,
): Promise<Tokens> {
  const email = input.email.trim()
  if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
  if (emailConfirmProblem(email, input.email_confirm.trim()) !== null)
    throw new LotteryError('MISMATCH_EMAIL_AND_CONFIRM_EMAIL')
  assertGoodPassword(input.password, { email })
  // Counted before the address is looked up: a registration reveals whether it is known.
  const counted = await ctx.rateLimits.take(LIMITS.registrationsOfAddress, caller.address)

  const passwordHash = await ctx.passwords.hashOf(counted, input.password)
  const opened = await ctx.db.transaction(async (tx) => {
    const player = await insertPlayer(ctx, tx, { email, emailVerifiedAt: null, passwordHash })
    await mailVerification(ctx, tx, player)
    return await openFirstSession(ctx, tx, player.id, caller)
  })
  return tokensOf(ctx, opened)
}

/**
 * Makes a player with a random username.
 *
 * @throws LotteryError EMAIL_OCCUPIED, SELF_EXCLUDED for an address whose owner verified it and has excluded himself
 */
export async function insertPlayer(
  ctx: IdentityContext,
  tx: Tx,
  account: { email: string | null; emailVerifiedAt: number | null; passwordHash: string | null },
): Promise<Parameters<typeof recipientOf>[0]> {
  const { email, emailVerifiedAt, passwordHash } = account
  // First, so that no one learns that the owner of an open account's address is excluded.
  if (email !== null && (await tx.maybeOne(queries.findPlayerByEmail, [email])) !== null)
    throw new LotteryError('EMAIL_OCCUPIED')
  await assertNotExcluded(ctx, tx, email)
  for (let tries = 0; tries < MAX_USERNAME_TRIES; tries++) {
    const username = randomUsername(ctx)
    const row = await tx.maybeOne(queries.insertPlayer, {
      createdAt: ctx.runtime.clock.now(),
      username,
      email,
      verifiedAt: emailVerifiedAt,
      passwordHash,
    })
    if (row !== null) return { id: row.id, username, email, emailVerifiedAt }
    if (email !== null && (await tx.one(queries.isEmailTaken, [email, 0n])).taken)
      throw new LotteryError('EMAIL_OCCUPIED')
  }
  throw new Error(`no free username in ${MAX_USERNAME_TRIES} tries`)
}

async function assertNotExcluded(ctx: IdentityContext, tx: Tx, email: string | null): Promise<void> {
  if (email === null) return
  const { excluded } = await tx.one(isEmailExcluded, [ctx.secrets.emailDigest(email), ctx.runtime.clock.now()])
  if (excluded) throw new LotteryError('SELF_EXCLUDED')
}

/** `player-` and six letters or digits (decisions section 6). */
function randomUsername(ctx: IdentityContext): string {
  // 32 characters: five bits of a byte choose one without a bias.
  const characters = [...ctx.runtime.random.bytes(6)].map((byte) => USERNAME_CHARACTERS[byte & 31])
  return `player-${characters.join('')}`
}

/** Mails a link that verifies the player's address; nothing for a player without one. */
export async function mailVerification(
  ctx: IdentityContext,
  tx: Tx,
  player: Parameters<typeof recipientOf>[0],
): Promise<void> {
  const recipient = recipientOf(player)
  if (recipient === null) return
  await mailVerificationLink(ctx, tx, recipient, await issueKey(ctx, tx, 'verify_email', player.id, recipient.email))
}

/**
 * Mails another link to a player who is not verified; does nothing for one who is.
 *
 * @throws LotteryError TOO_MANY_REQUESTS
 * @throws Unauthorized if the session ended meanwhile
 */
export async function resendVerification(ctx: IdentityContext, player: SignedIn): Promise<void> {
  await ctx.rateLimits.take(LIMITS.verificationMailsOfPlayer, String(player.id))
  if (player.email === null || player.emailVerifiedAt !== null) return
  await ctx.db.transaction(async (tx) => {
    const row = await lockSignedIn(tx, player)
    // An address that was changed since then was mailed its own link.
    if (row.emailVerifiedAt === null && isSameEmail(row.email, player.email)) await mailVerification(ctx, tx, row)
  })
}

/**
 * Marks an address as verified with the key that was sent to it, and to no other.
 * @throws LotteryError INVALID_KEY, TOO_MANY_REQUESTS
 */
export async function verifyEmail(ctx: IdentityContext, key: string, caller: Caller): Promise<void> {
  await ctx.rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
  const isDone = await ctx.db
    .transaction((tx) => verifyWith(ctx, tx, key))
    .catch(async (error: unknown) => {
      if (error instanceof LotteryError && error.code === 'INVALID_KEY')
        await ctx.rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
      throw error
    })
  if (!isDone) throw new LotteryError('INVALID_KEY')
}

/** False if the player has another address by now; the key is still used up. */
async function verifyWith(ctx: IdentityContext, tx: Tx, key: string): Promise<boolean> {
  const { playerId } = await lookUpKey(ctx, tx, 'verify_email', key)
  await tx.maybeOne(queries.lockPlayer, [playerId])
  const owner = await useKey(ctx, tx, 'verify_email', key) // checked again under the lock
  const email = owner.email ?? ''
  if ((await tx.execute(queries.markEmailVerified, [owner.playerId, email, ctx.runtime.clock.now()])) === 0)
    return false
  await revokeKeys(tx, owner.playerId, 'verify_email')
  await ctx.facts.record(tx, 'email.verified', { playerId: owner.playerId })
  return true
}

/** Opens the first session of a new account. Its browser and address are known from then on. */
export async function openFirstSession(
  ctx: IdentityContext,
  tx: Tx,
  playerId: bigint,
  caller: Caller,
): Promise<OpenedSession> {
  const session = await openSession(ctx, tx, playerId, caller)
  await rememberCaller(ctx, tx, playerId, caller)
  return session
}

/** Whether a player could take a name or an address: it is well formed and free. */
export async function isFree(
  from: Queries,
  what: 'username' | 'email',
  value: string,
  playerId: bigint,
): Promise<boolean> {
  const statement = what === 'email' ? queries.isEmailTaken : queries.isUsernameTaken
  return !(await from.one(statement, [value, playerId])).taken
}
