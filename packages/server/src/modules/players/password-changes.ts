import { LotteryError } from '@fairball/domain/errors'
import { emailProblem, newPasswordProblem } from '@fairball/domain/validation'
import type { Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { LIMITS } from '../../kernel/limits.ts'
import {
  acceptsCode,
  acceptsRecoveryCode,
  assertGoodPassword,
  type Caller,
  countKeyFailure,
  endOtherSessions,
  findPlayer,
  findPlayerByEmail,
  forgetAttemptsOf,
  forgetTwofaOf,
  isSameEmail,
  issueKey,
  type LockedPlayer,
  lockPlayer,
  lockSignedIn,
  lookUpKey,
  mailNoPasswordToReset,
  mailPasswordChanged,
  mailPasswordReset,
  mailRecoveryCodeUsed,
  noticeRecipients,
  recipientOf,
  removeIdentities,
  removeRecentSecurityAnswer,
  removeSecurityAnswer,
  requirePassword,
  restartAttempts,
  revokeKeys,
  secondStepsOf,
  updatePassword,
  useKey,
} from '../identity/service.ts'
import type { PlayersContext } from './context.ts'
import { forgetAddresses } from './payout-address.ts'
import { forgetDestinations } from './payout-destination.ts'

// Changes a known password, and resets a forgotten one.

/** The kind of the job that mails a link to reset a password. */
export const MAIL_RESET_LINK = 'accounts.mail-reset-link'

/** A security question that is younger than this may belong to the person whom the reset is to keep out. */
const YOUNG_QUESTION_SECONDS = 30 * 86_400

/** What a reset contains if two-factor is on: either one. */
interface ResetCodes {
  readonly twofa_code?: string | null | undefined
  readonly recovery_code?: string | null | undefined
}

/**
 * Changes the password and ends the player's other sessions.
 *
 * @throws LotteryError ACCESS_DENIED for a social account; MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD, INVALID_PASSWORD,
 *   INVALID_CREDENTIALS for a wrong current one, TOO_MANY_REQUESTS
 * @throws Unauthorized if the session ended meanwhile
 */
export async function changePassword(
  ctx: PlayersContext,
  player: SignedIn,
  input: { current_password: string; new_password: string; confirm_password: string },
): Promise<void> {
  if (player.isSocial) throw new LotteryError('ACCESS_DENIED', 'This account has no password.')
  if (input.new_password !== input.confirm_password) throw new LotteryError('MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD')
  if (newPasswordProblem(input.new_password, input.current_password) !== null)
    throw new LotteryError('INVALID_PASSWORD')
  assertGoodPassword(input.new_password, player)
  const subject = String(player.id)
  await ctx.rateLimits.check(LIMITS.passwordChangesOfPlayer, subject)
  await requirePassword(ctx, player.id, input.current_password)

  const counted = await ctx.rateLimits.take(LIMITS.passwordChangesOfPlayer, subject) // a wrong password is no change
  const passwordHash = await ctx.passwords.hashOf(counted, input.new_password)
  await ctx.db.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, player)
    await tx.execute(updatePassword, [player.id, passwordHash])
    await endOtherSessions(ctx, tx, player.id, player.sessionId)
    await revokeKeys(tx, player.id, 'reset_password')
    await revokeKeys(tx, player.id, 'login_secure') // bound to the password step with the old one
    for (const to of await noticeRecipients(tx, locked, ctx.runtime.clock.now())) await mailPasswordChanged(ctx, tx, to)
  })
}

/**
 * Schedules the mail with a link that resets the password. The work here is the same whether or not the address is
 * known, so neither the answer nor its time reveals it; the job looks the address up.
 *
 * @throws LotteryError REQUIRE_EMAIL, INVALID_EMAIL, TOO_MANY_REQUESTS by the caller's address alone
 */
export async function requestPasswordReset(
  ctx: PlayersContext,
  rawEmail: string | undefined,
  caller: Caller,
): Promise<void> {
  const email = rawEmail?.trim() ?? ''
  if (email === '') throw new LotteryError('REQUIRE_EMAIL')
  if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
  await ctx.rateLimits.take(LIMITS.resetMailsOfAddress, caller.address)
  if (!(await ctx.rateLimits.allows(LIMITS.resetMailsOfEmail, email))) return
  const key = `reset:${ctx.runtime.random.uuid()}`
  await ctx.db.transaction((tx) => ctx.jobs.add(tx, MAIL_RESET_LINK, { email }, { key }))
}

/** Mails the link to the account with an address, if there is one. */
export async function mailResetLink(ctx: PlayersContext, tx: Tx, email: string): Promise<void> {
  const found = await tx.maybeOne(findPlayerByEmail, [email])
  const player = found === null ? null : await tx.maybeOne(lockPlayer, [found.id])
  if (player === null || !isSameEmail(player.email, email)) return // closed, or moved away, a moment ago
  const recipient = recipientOf(player)
  if (recipient === null) return
  if (hasNothingToReset(player)) await mailNoPasswordToReset(ctx, tx, recipient)
  else await mailPasswordReset(ctx, tx, recipient, await issueKey(ctx, tx, 'reset_password', player.id, player.email))
}

/** Whether resetting with a key needs a code. @throws LotteryError INVALID_KEY, TOO_MANY_REQUESTS */
export async function checkResetKey(
  ctx: PlayersContext,
  key: string,
  caller: Caller,
): Promise<{ is_two_fa_enabled: boolean }> {
  await ctx.rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
  const { playerId } = await lookCounting(ctx, key, caller)
  const player = await ctx.db.maybeOne(findPlayer, [playerId])
  return { is_two_fa_enabled: player !== null && (await needsCode(ctx, player)) }
}

/** In a never-verified account, two-factor may have been switched on by someone who does not own the mailbox. */
async function needsCode(ctx: PlayersContext, player: LockedPlayer): Promise<boolean> {
  return player.firstVerifiedAt !== null && (await ctx.db.one(secondStepsOf, [player.id])).hasTwofa
}

async function lookCounting(ctx: PlayersContext, key: string, caller: Caller) {
  try {
    return await lookUpKey(ctx, ctx.db, 'reset_password', key)
  } catch (error) {
    await ctx.rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
    throw error
  }
}

/**
 * Sets a new password with the key from a mail, and ends every session. With two-factor on it needs a code of the
 * authenticator or a recovery code as well: someone who reads the mail is not yet the player.
 *
 * A security question of the last 30 days is removed with the old password: a thief may have set it. A never-verified
 * account may belong to a stranger who does not own the mailbox: it asks for no code, and everything that could let the
 * stranger in again or lead money away is removed.
 *
 * @throws LotteryError MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD, INVALID_PASSWORD, INVALID_KEY, INVALID_2FA_CODE,
 *   TOO_MANY_REQUESTS
 */
export async function resetPassword(
  ctx: PlayersContext,
  input: { key: string; password: string; password_confirm: string } & ResetCodes,
  caller: Caller,
): Promise<void> {
  await ctx.rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
  const { playerId } = await lookCounting(ctx, input.key, caller)
  if (input.password !== input.password_confirm) throw new LotteryError('MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD')
  const player = await ctx.db.maybeOne(findPlayer, [playerId])
  if (player === null || hasNothingToReset(player)) throw new LotteryError('INVALID_KEY')
  assertGoodPassword(input.password, player)
  await ctx.rateLimits.check(LIMITS.passwordResetsOfPlayer, String(playerId)) // before a recovery code is used up
  const isRecoveryCodeUsed = await requireResetCode(ctx, player, input)

  const counted = await ctx.rateLimits.take(LIMITS.passwordResetsOfPlayer, String(playerId))
  const passwordHash = await ctx.passwords.hashOf(counted, input.password)
  await ctx.db.transaction(async (tx) => {
    const locked = await tx.maybeOne(lockPlayer, [playerId])
    // Checked again under the lock: the same link, a change of the password, or closing may have come first.
    const { email } = await useKey(ctx, tx, 'reset_password', input.key)
    // A link to an address the player has left since proves nothing.
    if (locked === null || locked.email === null || !isSameEmail(locked.email, email))
      throw new LotteryError('INVALID_KEY')
    // An address verified meanwhile makes two-factor count: the next try with this link asks for the code.
    if (locked.firstVerifiedAt !== player.firstVerifiedAt) throw new LotteryError('INVALID_KEY')
    await tx.execute(updatePassword, [playerId, passwordHash])
    await endOtherSessions(ctx, tx, playerId, null)
    await revokeKeys(tx, playerId, 'reset_password')
    await revokeKeys(tx, playerId, 'login_secure')
    const consequences = await removeLeftovers(ctx, tx, locked)
    await restartAttempts(ctx, tx, playerId, caller)
    for (const to of await noticeRecipients(tx, locked, ctx.runtime.clock.now())) {
      if (isRecoveryCodeUsed) await mailRecoveryCodeUsed(ctx, tx, to)
      await mailPasswordChanged(ctx, tx, to, consequences)
    }
  })
}

/** @returns a sentence for the mail about what was removed, if anything was */
async function removeLeftovers(ctx: PlayersContext, tx: Tx, player: LockedPlayer): Promise<string[]> {
  if (player.firstVerifiedAt === null) return await removeStrangers(ctx, tx, player.id)
  const youngSince = ctx.runtime.clock.now() - YOUNG_QUESTION_SECONDS
  if ((await tx.execute(removeRecentSecurityAnswer, [player.id, youngSince])) === 0) return []
  return ['The security question was less than 30 days old, so it was removed.']
}

/** Removes what the person who opened an account may have left, who need not be the one who reads its mail. */
async function removeStrangers(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<string[]> {
  await forgetAttemptsOf(tx, playerId)
  const removed = [
    (await forgetTwofaOf(tx, playerId)) && 'two-factor authentication',
    (await tx.execute(removeSecurityAnswer, [playerId])) > 0 && 'the security question',
    (await tx.execute(removeIdentities, [playerId])) > 0 && 'the login by a social network',
    (await ctx.forgetSavedNumbers(tx, playerId)) > 0 && 'the saved numbers',
    (await forgetAddresses(tx, playerId)) > 0 && 'the bitcoin address',
    (await forgetDestinations(tx, playerId)) > 0 && 'the Lightning address',
  ].filter((one) => one !== false)
  if (removed.length === 0) return []
  const list = new Intl.ListFormat('en', { style: 'long' }).format(removed)
  return [`The email address of this account was never verified, so what was set before was removed: ${list}.`]
}

/** @returns whether a recovery code authorised the reset */
async function requireResetCode(
  ctx: PlayersContext,
  player: LockedPlayer,
  input: { key: string } & ResetCodes,
): Promise<boolean> {
  if (!(await needsCode(ctx, player))) return false
  const { id: playerId } = player
  const { twofa_code: code, recovery_code: recoveryCode } = input
  await ctx.rateLimits.check(LIMITS.failedSecondStepsOfPlayer, String(playerId))
  if (code == null && recoveryCode == null) throw new LotteryError('INVALID_2FA_CODE')
  // The first thing it contains is the one that counts, as at the login.
  if (code != null && (await acceptsCode(ctx, ctx.db, playerId, code))) return false
  if (code == null && recoveryCode != null && (await acceptsRecoveryCode(ctx, ctx.db, playerId, recoveryCode)))
    return true
  await countKeyFailure(ctx, ctx.db, input.key)
  await ctx.rateLimits.count(LIMITS.failedSecondStepsOfPlayer, String(playerId))
  throw new LotteryError('INVALID_2FA_CODE', code == null ? 'Invalid or already used recovery code.' : undefined)
}

/** A social account whose address was verified logs in only by its network. */
function hasNothingToReset(player: LockedPlayer): boolean {
  return player.passwordHash === null && player.firstVerifiedAt !== null
}
