import { LotteryError } from '@fairball/domain/errors'
import type { SignedIn } from '../../kernel/caller.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import { type Counted, LIMITS } from '../../kernel/limits.ts'
import type { IdentityContext } from './context.ts'
import { findPlayer } from './queries.ts'
import { secondStepsOf } from './security-queries.ts'
import { markAuthenticated } from './sessions.ts'
import { acceptsCode } from './two-factor.ts'

// Checks passwords and codes of logged-in players, with a limit on failures.

/** Proof that the player is asking, and not someone at an open browser. */
export interface ProofInput {
  readonly password?: string | null | undefined
  readonly twofa_code?: string | null | undefined
}

/**
 * Checks the account's password or a code of its two-factor; if both are given, both have to be right.
 *
 * @throws LotteryError INVALID_PAYLOAD if neither is given; INVALID_CREDENTIALS, INVALID_2FA_CODE; ACCESS_DENIED for a
 *   social account without two-factor, which has nothing to show; TOO_MANY_REQUESTS
 */
export async function requireProof(ctx: IdentityContext, player: SignedIn, proof: ProofInput): Promise<void> {
  const { password, twofa_code: code } = proof
  const { hasTwofa } = await ctx.db.one(secondStepsOf, [player.id])
  if (player.isSocial && !hasTwofa)
    throw new LotteryError('ACCESS_DENIED', 'Please switch on two-factor authentication first.')
  if (password == null && code == null)
    throw new LotteryError('INVALID_PAYLOAD', undefined, {
      fields: { password: 'The password or an authenticator code is required.' },
    })
  if (password != null) await requirePassword(ctx, player.id, password)
  if (code != null) await requireCode(ctx, player.id, code)
}

/**
 * Like `require`, for the payout address: if the account has a password, only the password is accepted (spec section
 * 5), and a code may only accompany it.
 *
 * @throws LotteryError INVALID_PAYLOAD if the password is missing, and what `require` throws
 */
export async function requireProofOfOwner(ctx: IdentityContext, player: SignedIn, proof: ProofInput): Promise<void> {
  if (!player.isSocial && proof.password == null)
    throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { password: 'The password is required.' } })
  await requireProof(ctx, player, proof)
}

/**
 * Checks the password before a guarded step; the session then counts as freshly authenticated. @throws as
 * `requirePassword`
 */
export async function verifyPassword(ctx: IdentityContext, player: SignedIn, password: string): Promise<void> {
  await requirePassword(ctx, player.id, password)
  await markAuthenticated(ctx, player)
}

/**
 * @throws LotteryError INVALID_CREDENTIALS also for a social account, which has no password; TOO_MANY_REQUESTS
 * @throws Unauthorized if the account was closed meanwhile
 */
export async function requirePassword(ctx: IdentityContext, playerId: bigint, password: string): Promise<void> {
  const row = await ctx.db.maybeOne(findPlayer, [playerId])
  if (row === null) throw new Unauthorized()
  const { passwordHash: stored } = row
  const subject = String(playerId)
  const check = (): Promise<Counted> => ctx.rateLimits.check(LIMITS.failedChecksOfPlayer, subject)
  await check()
  const counted = await ctx.rateLimits.take(LIMITS.checksOfPlayer, subject)
  if (await ctx.passwords.isRight(counted, stored, password, check)) return
  await ctx.rateLimits.count(LIMITS.failedChecksOfPlayer, subject)
  throw new LotteryError('INVALID_CREDENTIALS')
}

/** @throws LotteryError INVALID_2FA_CODE, also while two-factor is off; TOO_MANY_REQUESTS */
async function requireCode(ctx: IdentityContext, playerId: bigint, code: string): Promise<void> {
  const subject = String(playerId)
  await ctx.rateLimits.check(LIMITS.failedChecksOfPlayer, subject)
  if (await acceptsCode(ctx, ctx.db, playerId, code)) return
  await ctx.rateLimits.count(LIMITS.failedChecksOfPlayer, subject)
  throw new LotteryError('INVALID_2FA_CODE')
}
