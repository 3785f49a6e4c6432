import { LotteryError } from '@fairball/domain/errors'
import type { Db } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import { Unauthorized } from '../../http/errors.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { Passwords } from './passwords.ts'
import { findPlayer } from './queries.ts'
import { secondStepsOf } from './security-queries.ts'
import type { Sessions } from './sessions.ts'
import type { TwoFactor } from './two-factor.ts'

/** What shows that it is the player who asks, and not somebody at an open browser. */
export interface ProofInput {
  readonly password?: string | null | undefined
  readonly twofa_code?: string | null | undefined
}

export type Proofs = ReturnType<typeof createProofs>

/** Checks passwords and codes of players who are signed in already, with a limit on failures. */
export function createProofs(deps: {
  db: Db
  passwords: Passwords
  twoFactor: TwoFactor
  rateLimits: RateLimits
  sessions: Sessions
}) {
  const { db, passwords, twoFactor, rateLimits, sessions } = deps

  /**
   * Lets pass who shows the account's password or a code of its two-factor; where both come, both have to be right.
   *
   * @throws LotteryError INVALID_PAYLOAD when neither came; INVALID_CREDENTIALS, INVALID_2FA_CODE; ACCESS_DENIED for a
   *   social account without two-factor, which has nothing to show; TOO_MANY_REQUESTS
   */
  async function require(player: SignedIn, proof: ProofInput): Promise<void> {
    const { password, twofa_code: code } = proof
    const { has_twofa: hasTwofa } = await db.one(secondStepsOf, [player.id])
    if (player.isSocial && !hasTwofa)
      throw new LotteryError('ACCESS_DENIED', 'Please switch on two-factor authentication first.')
    if (password == null && code == null)
      throw new LotteryError('INVALID_PAYLOAD', undefined, {
        fields: { password: 'The password or an authenticator code is required.' },
      })
    if (password != null) await requirePassword(player.id, password)
    if (code != null) await requireCode(player.id, code)
  }

  /**
   * As `require`, for where the money goes: where the account has a password nothing but the password will do (spec
   * section 5), and a code may only come beside it.
   *
   * @throws LotteryError INVALID_PAYLOAD when the password did not come, and what `require` throws
   */
  async function requireOfOwner(player: SignedIn, proof: ProofInput): Promise<void> {
    if (!player.isSocial && proof.password == null)
      throw new LotteryError('INVALID_PAYLOAD', undefined, { fields: { password: 'The password is required.' } })
    await require(player, proof)
  }

  /** Checks the password before a guarded step; the session counts as freshly authenticated then. @throws as `requirePassword` */
  async function verifyPassword(player: SignedIn, password: string): Promise<void> {
    await requirePassword(player.id, password)
    await sessions.markAuthenticated(player)
  }

  /**
   * @throws LotteryError INVALID_CREDENTIALS also for a social account, which has no password; TOO_MANY_REQUESTS
   * @throws Unauthorized when the account was closed meanwhile
   */
  async function requirePassword(playerId: bigint, password: string): Promise<void> {
    const row = await db.maybeOne(findPlayer, [playerId])
    if (row === null) throw new Unauthorized()
    const { password_hash: stored } = row
    const subject = String(playerId)
    const check = (): Promise<void> => rateLimits.check(LIMITS.failedChecksOfPlayer, subject)
    await check()
    if (await passwords.isRight(stored, password, check)) return
    await rateLimits.count(LIMITS.failedChecksOfPlayer, subject)
    throw new LotteryError('INVALID_CREDENTIALS', 'The password is not right.')
  }

  /** @throws LotteryError INVALID_2FA_CODE, also while two-factor is off; TOO_MANY_REQUESTS */
  async function requireCode(playerId: bigint, code: string): Promise<void> {
    const subject = String(playerId)
    await rateLimits.check(LIMITS.failedChecksOfPlayer, subject)
    if (await twoFactor.accepts(db, playerId, code)) return
    await rateLimits.count(LIMITS.failedChecksOfPlayer, subject)
    throw new LotteryError('INVALID_2FA_CODE')
  }

  return { require, requireOfOwner, requirePassword, verifyPassword }
}
