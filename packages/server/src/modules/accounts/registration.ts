import { LotteryError } from '@fairball/domain/errors'
import { emailConfirmProblem, emailProblem } from '@fairball/domain/validation'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Caller } from './caller.ts'
import { isSameEmail } from './email-key.ts'
import type { Keys } from './keys.ts'
import type { AccountMails } from './mails.ts'
import { assertGoodPassword } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import * as queries from './queries.ts'
import { recipientOf } from './recipient.ts'
import type { Secrets } from './secrets.ts'
import type { Sessions, Tokens } from './sessions.ts'
import { lockSignedIn } from './signed-in-player.ts'

/** Tries at a free username: with 2^31 of them the second is already rare. */
const MOST_USERNAME_TRIES = 20
const USERNAME_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz234567'

export interface RegistrationDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly rateLimits: RateLimits
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly keys: Keys
  readonly sessions: Sessions
  readonly mails: AccountMails
  /** Called in the transaction in which an address became verified: money may wait for it. */
  readonly onPayoutReady: (tx: Tx, playerId: bigint) => Promise<void>
}

export type Registration = ReturnType<typeof createRegistration>

/** Opening accounts, and verifying their addresses. */
export function createRegistration(deps: RegistrationDeps) {
  const { db, runtime, rateLimits, secrets, passwords, keys, sessions, mails } = deps
  const now = (): number => runtime.clock.now()

  /**
   * Opens an account, signs in and mails the link that verifies the address.
   *
   * @throws LotteryError INVALID_EMAIL, MISMATCH_EMAIL_AND_CONFIRM_EMAIL, INVALID_PASSWORD, EMAIL_OCCUPIED,
   *   SELF_EXCLUDED, TOO_MANY_REQUESTS
   */
  async function register(
    input: { email: string; email_confirm: string; password: string },
    caller: Caller,
  ): Promise<Tokens> {
    const email = input.email.trim()
    if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
    if (emailConfirmProblem(email, input.email_confirm.trim()) !== null)
      throw new LotteryError('MISMATCH_EMAIL_AND_CONFIRM_EMAIL')
    assertGoodPassword(input.password, { email })
    // Counted before the address is looked up: registering tells whether one is known.
    await rateLimits.take(LIMITS.registrationsOfAddress, caller.address)

    const passwordHash = await passwords.hashOf(input.password)
    const mayMail = await mayMailVerification(email, 0n)
    const opened = await db.transaction(async (tx) => {
      const player = await insertPlayer(tx, { email, emailVerifiedAt: null, passwordHash })
      if (mayMail) await mailVerification(tx, player)
      return await sessions.open(tx, player.id, caller)
    })
    return sessions.tokensOf(opened)
  }

  /**
   * Makes a player with a random username.
   * @throws LotteryError EMAIL_OCCUPIED, SELF_EXCLUDED for an address that its owner had when an exclusion began or
   *   during it
   */
  async function insertPlayer(
    tx: Tx,
    account: { email: string | null; emailVerifiedAt: number | null; passwordHash: string | null },
  ): Promise<{ id: bigint; username: string; email: string | null }> {
    const { email, emailVerifiedAt, passwordHash } = account
    // First: of an address of an open account, nobody is to learn that its owner stays away.
    if (email !== null && (await tx.maybeOne(queries.findPlayerByEmail, [email])) !== null)
      throw new LotteryError('EMAIL_OCCUPIED')
    await assertNotExcluded(tx, email)
    for (let tries = 0; tries < MOST_USERNAME_TRIES; tries++) {
      const username = randomUsername()
      const row = await tx.maybeOne(queries.insertPlayer, [now(), username, email, emailVerifiedAt, passwordHash])
      if (row !== null) return { id: row.id, username, email }
      if (email !== null && (await tx.one(queries.isEmailTaken, [email, 0n])).taken)
        throw new LotteryError('EMAIL_OCCUPIED')
    }
    throw new Error(`no free username in ${MOST_USERNAME_TRIES} tries`)
  }

  async function assertNotExcluded(tx: Tx, email: string | null): Promise<void> {
    if (email === null) return
    const { excluded } = await tx.one(queries.isEmailExcluded, [secrets.emailDigest(email), now()])
    if (excluded) throw new LotteryError('SELF_EXCLUDED')
  }

  /** `player-` and six letters or digits (decisions section 6). */
  function randomUsername(): string {
    // 32 characters: five bits of a byte choose one without a bias.
    const characters = [...runtime.random.bytes(6)].map((byte) => USERNAME_CHARACTERS[byte & 31])
    return `player-${characters.join('')}`
  }

  /**
   * Whether one more link may be mailed to an address, whoever asks for it; counts it. Asked before the transaction that
   * writes the mail, and silent: the call succeeds without the mail. What an address of somebody else is asked for is
   * not counted, as it is refused.
   *
   * @param playerId whose address it may be already; 0 for nobody yet
   */
  async function mayMailVerification(email: string, playerId: bigint): Promise<boolean> {
    if (!(await isFree(db, 'email', email, playerId))) return false
    return await rateLimits.allows(LIMITS.verificationMailsOfEmail, email)
  }

  /** Mails a link that verifies the player's address; nothing for a player without one. */
  async function mailVerification(
    tx: Tx,
    player: { id: bigint; username: string; email: string | null },
  ): Promise<void> {
    const recipient = recipientOf(player)
    if (recipient === null) return
    await mails.verification(tx, recipient, await keys.issue(tx, 'verify_email', player.id, recipient.email))
  }

  /**
   * Mails another link to a player who is not verified; for one who is there is nothing to do.
   * @throws LotteryError TOO_MANY_REQUESTS
   * @throws Unauthorized when the session ended meanwhile
   */
  async function resendVerification(player: SignedIn): Promise<void> {
    await rateLimits.take(LIMITS.verificationMailsOfPlayer, String(player.id))
    if (player.email === null || player.emailVerifiedAt !== null) return
    const mayMail = await mayMailVerification(player.email, player.id)
    await db.transaction(async (tx) => {
      const row = await lockSignedIn(tx, player)
      // An address that is a new one since then was mailed its own link.
      if (mayMail && row.email_verified_at === null && isSameEmail(row.email, player.email))
        await mailVerification(tx, row)
    })
  }

  /**
   * Marks an address as verified with the key that was sent to it, and to no other.
   * @throws LotteryError INVALID_KEY, TOO_MANY_REQUESTS
   */
  async function verifyEmail(key: string, caller: Caller): Promise<void> {
    await rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
    const isDone = await db
      .transaction((tx) => verifyWith(tx, key))
      .catch(async (error: unknown) => {
        if (error instanceof LotteryError && error.code === 'INVALID_KEY')
          await rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
        throw error
      })
    if (!isDone) throw new LotteryError('INVALID_KEY')
  }

  /** False when the player has another address by now; the key is used up all the same. */
  async function verifyWith(tx: Tx, key: string): Promise<boolean> {
    const { playerId } = await keys.look(tx, 'verify_email', key)
    await tx.maybeOne(queries.lockPlayer, [playerId])
    const owner = await keys.use(tx, 'verify_email', key) // looked at again under the lock
    const email = owner.email ?? ''
    if ((await tx.execute(queries.markEmailVerified, [owner.playerId, email, now()])) === 0) return false
    await keys.revoke(tx, owner.playerId, 'verify_email')
    await deps.onPayoutReady(tx, owner.playerId)
    return true
  }

  /** Whether a player could take a name or an address: it is well formed, and nobody else's. */
  async function isFree(from: Queries, what: 'username' | 'email', value: string, playerId: bigint): Promise<boolean> {
    const statement = what === 'email' ? queries.isEmailTaken : queries.isUsernameTaken
    return !(await from.one(statement, [value, playerId])).taken
  }

  return { register, insertPlayer, mayMailVerification, mailVerification, resendVerification, verifyEmail, isFree }
}
