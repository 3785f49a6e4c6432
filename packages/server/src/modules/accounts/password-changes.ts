import { LotteryError } from '@fairball/domain/errors'
import { emailProblem, newPasswordProblem } from '@fairball/domain/validation'
import type { Db, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Caller } from './caller.ts'
import { isSameEmail } from './email-key.ts'
import type { Keys } from './keys.ts'
import type { LoginAttempts } from './login-attempts.ts'
import type { AccountMails } from './mails.ts'
import { assertGoodPassword } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { noticeRecipients } from './notice-recipients.ts'
import type { PayoutAddress } from './payout-address.ts'
import type { Proofs } from './proof.ts'
import * as queries from './queries.ts'
import { recipientOf } from './recipient.ts'
import { removeRecentSecurityAnswer, secondStepsOf } from './security-queries.ts'
import type { Sessions } from './sessions.ts'
import { lockSignedIn, type LockedPlayer } from './signed-in-player.ts'
import type { TwoFactor } from './two-factor.ts'

/** The kind of the job that mails a link to reset a password. */
export const MAIL_RESET_LINK = 'accounts.mail-reset-link'

/** A security question that is younger than this may be that of who the reset is to keep out. */
const YOUNG_QUESTION_SECONDS = 7 * 86_400

/** What a reset carries where two-factor is on: either one. */
interface ResetCodes {
  readonly twofa_code?: string | null | undefined
  readonly recovery_code?: string | null | undefined
}

export interface PasswordChangesDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly rateLimits: RateLimits
  readonly loginAttempts: LoginAttempts
  readonly passwords: Passwords
  readonly keys: Keys
  readonly sessions: Sessions
  readonly mails: AccountMails
  readonly twoFactor: TwoFactor
  readonly proofs: Proofs
  readonly payoutAddress: PayoutAddress
}

export type PasswordChanges = ReturnType<typeof createPasswordChanges>

/** Changing a password one knows, and resetting one that was forgotten. */
export function createPasswordChanges(deps: PasswordChangesDeps) {
  const { db, runtime, jobs, rateLimits, loginAttempts, passwords, keys, sessions, mails, twoFactor, proofs } = deps
  const { payoutAddress } = deps

  /**
   * Changes the password and ends the player's other sessions.
   *
   * @throws LotteryError ACCESS_DENIED for a social account; MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD, INVALID_PASSWORD,
   *   INVALID_CREDENTIALS for a wrong current one, TOO_MANY_REQUESTS
   * @throws Unauthorized when the session ended meanwhile
   */
  async function change(
    player: SignedIn,
    input: { current_password: string; new_password: string; confirm_password: string },
  ): Promise<void> {
    if (player.isSocial) throw new LotteryError('ACCESS_DENIED', 'This account has no password.')
    if (input.new_password !== input.confirm_password) throw new LotteryError('MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD')
    if (newPasswordProblem(input.new_password, input.current_password) !== null)
      throw new LotteryError('INVALID_PASSWORD')
    assertGoodPassword(input.new_password, player)
    await proofs.requirePassword(player.id, input.current_password)

    const passwordHash = await passwords.hashOf(input.new_password)
    await db.transaction(async (tx) => {
      const locked = await lockSignedIn(tx, player)
      await tx.execute(queries.updatePassword, [player.id, passwordHash])
      await sessions.endOthers(tx, player.id, player.sessionId)
      await keys.revoke(tx, player.id, 'reset_password')
      await keys.revoke(tx, player.id, 'login_secure') // bound to the password step with the old one
      for (const to of await noticeRecipients(tx, locked, runtime.clock.now())) await mails.passwordChanged(tx, to)
    })
  }

  /**
   * Has a link mailed that resets the password. What is done here is the same whether or not the address is known, so
   * neither the answer nor its time tells; the job looks the address up.
   *
   * @throws LotteryError REQUIRE_EMAIL, INVALID_EMAIL, TOO_MANY_REQUESTS by the caller's address alone
   */
  async function requestReset(rawEmail: string | undefined, caller: Caller): Promise<void> {
    const email = rawEmail?.trim() ?? ''
    if (email === '') throw new LotteryError('REQUIRE_EMAIL')
    if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
    await rateLimits.take(LIMITS.resetMailsOfAddress, caller.address)
    if (!(await rateLimits.allows(LIMITS.resetMailsOfEmail, email))) return
    const key = `reset:${runtime.random.uuid()}`
    await db.transaction((tx) => jobs.add(tx, MAIL_RESET_LINK, { email }, { key }))
  }

  /** Mails the link to the account with an address, where there is one. */
  async function mailResetLink(tx: Tx, email: string): Promise<void> {
    const found = await tx.maybeOne(queries.findPlayerByEmail, [email])
    const player = found === null ? null : await tx.maybeOne(queries.lockPlayer, [found.id])
    if (player === null || !isSameEmail(player.email, email)) return // closed, or moved away, a moment ago
    const recipient = recipientOf(player)
    if (recipient === null) return
    if (player.password_hash === null) await mails.noPasswordToReset(tx, recipient)
    else await mails.passwordReset(tx, recipient, await keys.issue(tx, 'reset_password', player.id, player.email))
  }

  /** Whether resetting with a key needs a code. @throws LotteryError INVALID_KEY, TOO_MANY_REQUESTS */
  async function checkResetKey(key: string, caller: Caller): Promise<{ is_two_fa_enabled: boolean }> {
    await rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
    const { playerId } = await lookCounting(key, caller)
    return { is_two_fa_enabled: (await db.one(secondStepsOf, [playerId])).has_twofa }
  }

  async function lookCounting(key: string, caller: Caller) {
    try {
      return await keys.look(db, 'reset_password', key)
    } catch (error) {
      await rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
      throw error
    }
  }

  /**
   * Sets a new password with the key out of a mail, and ends every session. With two-factor on it needs a code of the
   * authenticator or a recovery code as well: who reads the mail is not yet the player.
   *
   * What somebody may have left behind who had the password goes with it: a security question of the last seven days,
   * and the bitcoin addresses of an account no address of which was ever verified.
   *
   * @throws LotteryError MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD, INVALID_PASSWORD, INVALID_KEY, INVALID_2FA_CODE,
   *   TOO_MANY_REQUESTS
   */
  async function reset(
    input: { key: string; password: string; password_confirm: string } & ResetCodes,
    caller: Caller,
  ): Promise<void> {
    await rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
    const { playerId } = await lookCounting(input.key, caller)
    if (input.password !== input.password_confirm) throw new LotteryError('MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD')
    const player = await db.maybeOne(queries.findPlayer, [playerId])
    if (player === null || player.password_hash === null) throw new LotteryError('INVALID_KEY')
    assertGoodPassword(input.password, player)
    const isRecoveryCodeUsed = await requireResetCode(playerId, input)

    const passwordHash = await passwords.hashOf(input.password)
    await db.transaction(async (tx) => {
      const locked = await tx.maybeOne(queries.lockPlayer, [playerId])
      // Looked at again under the lock: the same link, a change of the password, or closing may have come first.
      const { email } = await keys.use(tx, 'reset_password', input.key)
      // A link to an address the player has left since proves nothing.
      if (locked === null || locked.email === null || !isSameEmail(locked.email, email))
        throw new LotteryError('INVALID_KEY')
      await tx.execute(queries.updatePassword, [playerId, passwordHash])
      await sessions.endOthers(tx, playerId, null)
      await keys.revoke(tx, playerId, 'reset_password')
      await keys.revoke(tx, playerId, 'login_secure')
      await loginAttempts.beginAnew(tx, playerId, caller.address)
      const consequences = await removeLeftovers(tx, locked)
      for (const to of await noticeRecipients(tx, locked, runtime.clock.now())) {
        if (isRecoveryCodeUsed) await mails.recoveryCodeUsed(tx, to)
        await mails.passwordChanged(tx, to, consequences)
      }
    })
  }

  /** @returns a sentence for the mail about each thing that was removed */
  async function removeLeftovers(tx: Tx, player: LockedPlayer): Promise<string[]> {
    const consequences: string[] = []
    const youngSince = runtime.clock.now() - YOUNG_QUESTION_SECONDS
    if ((await tx.execute(removeRecentSecurityAnswer, [player.id, youngSince])) > 0)
      consequences.push('The security question had been set only lately, so it was removed.')
    if (player.first_verified_at !== null) return consequences
    // Whoever opened the account may not be who reads its mail.
    if ((await payoutAddress.forgetAll(tx, player.id)) > 0)
      consequences.push(
        'The bitcoin address was removed: it had been saved before the e-mail address of the account was verified.',
      )
    return consequences
  }

  /** @returns whether it was a recovery code that let the reset pass */
  async function requireResetCode(playerId: bigint, input: { key: string } & ResetCodes): Promise<boolean> {
    if (!(await db.one(secondStepsOf, [playerId])).has_twofa) return false
    const { twofa_code: code, recovery_code: recoveryCode } = input
    await rateLimits.check(LIMITS.failedSecondStepsOfPlayer, String(playerId))
    if (code == null && recoveryCode == null) throw new LotteryError('INVALID_2FA_CODE')
    // The first thing it carries is the one that counts, as at the login.
    if (code != null && (await twoFactor.accepts(db, playerId, code))) return false
    if (code == null && recoveryCode != null && (await twoFactor.acceptsRecoveryCode(db, playerId, recoveryCode)))
      return true
    await keys.countFailure(db, input.key)
    await rateLimits.count(LIMITS.failedSecondStepsOfPlayer, String(playerId))
    throw new LotteryError('INVALID_2FA_CODE', code == null ? 'Invalid or already used recovery code.' : undefined)
  }

  return { change, requestReset, mailResetLink, checkResetKey, reset }
}
