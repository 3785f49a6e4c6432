import { LotteryError } from '@fairball/domain/errors'
import { securityAnswerKey, securityAnswerProblem } from '@fairball/domain/validation'
import type { Db, Tx } from '../../db/pool.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import {
  SocialNetworkUnreachable,
  type SocialLogin,
  type SocialProvider,
} from '../../ports/social-login/social-login.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { isSecurityQuestion } from '../content/security-questions.ts'
import type { Caller } from './caller.ts'
import type { Keys } from './keys.ts'
import type { Account, LoginAttempts, LoginStep } from './login-attempts.ts'
import type { AccountMails } from './mails.ts'
import { noticeRecipients } from './notice-recipients.ts'
import type { Passwords } from './passwords.ts'
import * as queries from './queries.ts'
import { identityName, recipientOf } from './recipient.ts'
import type { Registration } from './registration.ts'
import { findSecurityAnswer, secondStepsOf } from './security-queries.ts'
import type { Secrets } from './secrets.ts'
import type { OpenedSession, Sessions, Tokens } from './sessions.ts'
import type { TwoFactor } from './two-factor.ts'

/** What a login gives: a session, or the key of its second step. */
export type LoginResult = Tokens | { readonly key: string }

/** The second step as it is sent: a code, a recovery code, or the security question with its answer. */
export interface SecondStep {
  readonly key: string
  readonly twofa_code?: string | null | undefined
  readonly recovery_code?: string | null | undefined
  readonly security_question_id?: number | null | undefined
  readonly security_answer?: string | null | undefined
}

export interface LoginDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly rateLimits: RateLimits
  readonly loginAttempts: LoginAttempts
  readonly passwords: Passwords
  readonly secrets: Secrets
  readonly keys: Keys
  readonly sessions: Sessions
  readonly mails: AccountMails
  readonly twoFactor: TwoFactor
  readonly registration: Registration
  readonly social: SocialLogin
}

export type Login = ReturnType<typeof createLogin>

/** Logging in: by password or by a social network, and the second step of either. */
export function createLogin(deps: LoginDeps) {
  const { db, runtime, rateLimits, loginAttempts, passwords, keys, sessions, mails, twoFactor } = deps
  const { registration, social, secrets } = deps

  /**
   * Logs in with an e-mail address or a username. An unknown account and a wrong password are answered alike, in words
   * and in time.
   *
   * @throws LotteryError REQUIRE_EMAIL_AND_PASSWORD, INVALID_CREDENTIALS, TOO_MANY_REQUESTS
   */
  async function login(
    input: { email_or_username?: string | undefined; password?: string | undefined },
    caller: Caller,
  ): Promise<LoginResult> {
    const name = input.email_or_username?.trim() ?? ''
    const password = input.password ?? ''
    if (name === '' || password === '') throw new LotteryError('REQUIRE_EMAIL_AND_PASSWORD')
    passwords.assertRoom()

    const statement = name.includes('@') ? queries.findPlayerByEmail : queries.findPlayerByUsername
    const player = await db.maybeOne(statement, [name])
    const account = player === null ? { unknownName: name } : { playerId: player.id }
    const stored = player?.password_hash ?? null
    if (!(await isRightPassword(account, stored, password, caller)) || player === null || stored === null) {
      await rateLimits.count(LIMITS.failedLoginsOfAddress, caller.address)
      runtime.log.info(whoTried('password', account, caller), 'a login failed')
      throw new LotteryError('INVALID_CREDENTIALS')
    }
    return await finishFirstStep(player.id, await renewedHash(player.id, stored, password), caller)
  }

  /** The hash a right password is stored under, at today's cost. @throws LotteryError INVALID_CREDENTIALS */
  async function renewedHash(playerId: bigint, stored: string, password: string): Promise<string> {
    if (!passwords.isOutdated(stored)) return stored
    const fresh = await passwords.hashOf(password)
    if ((await db.execute(queries.replaceOutdatedHash, [playerId, stored, fresh])) > 0) return fresh
    // Another login has renewed it meanwhile, or the password was changed: only the hash that is there now tells.
    const present = (await db.maybeOne(queries.findPlayer, [playerId]))?.password_hash ?? null
    if (present === null || !(await passwords.isRight(present, password))) throw new LotteryError('INVALID_CREDENTIALS')
    return present
  }

  /** @throws LotteryError TOO_MANY_REQUESTS before anything is hashed */
  async function isRightPassword(account: Account, stored: string | null, password: string, caller: Caller) {
    const subject = await loginAttempts.subjectOf('password', account, caller.address)
    const check = async (): Promise<void> => {
      await rateLimits.check(LIMITS.failedLoginsOfAddress, caller.address)
      await loginAttempts.check(subject)
    }
    try {
      await check()
      return await passwords.inTurn(async (isRight) => {
        await check() // others had their turn meanwhile
        return await loginAttempts.make(subject, () => isRight(stored, password))
      })
    } catch (error) {
      // Not at the level of a failure: refusals come as fast as somebody sends.
      if (error instanceof LotteryError)
        runtime.log.debug(whoTried('password', account, caller), 'a login was refused for too many failures')
      throw error
    }
  }

  /** What the log tells of a try: hashes, by which one attack is recognised and nobody named. */
  function whoTried(step: LoginStep, account: Account, caller: Caller) {
    const shortHash = (text: string): string =>
      Buffer.from(secrets.callerDigest(text)).toString('base64url').slice(0, 16)
    const whom = 'playerId' in account ? `player:${account.playerId}` : `name:${account.unknownName}`
    return { step, account: shortHash(whom), address: shortHash(caller.address) }
  }

  /**
   * A session, or the key of the second step where the player has one.
   *
   * The player's row is locked, and the password looked at once more: one that was changed while it was being checked
   * opens nothing, or its session would outlive the change that ends all others.
   *
   * @param passwordHash what the password was right for; null after a social login
   * @throws LotteryError INVALID_CREDENTIALS also for an account closed meanwhile; SOCIAL_LOGIN_FAILED for a closed one
   */
  async function finishFirstStep(playerId: bigint, passwordHash: string | null, caller: Caller): Promise<LoginResult> {
    const done = await db.transaction(async (tx) => {
      const player = await tx.maybeOne(queries.lockPlayer, [playerId])
      if (player === null && passwordHash === null)
        throw new LotteryError('SOCIAL_LOGIN_FAILED', 'This account was closed.')
      if (player === null || (passwordHash !== null && player.password_hash !== passwordHash))
        throw new LotteryError('INVALID_CREDENTIALS')
      const { has_twofa: hasTwofa, has_question: hasQuestion } = await tx.one(secondStepsOf, [playerId])
      if (hasTwofa || hasQuestion) return { key: await keys.issue(tx, 'login_secure', playerId) }
      return await openSession(tx, playerId, caller)
    })
    return 'key' in done ? done : sessions.tokensOf(done)
  }

  async function openSession(tx: Tx, playerId: bigint, caller: Caller): Promise<OpenedSession> {
    const opened = await sessions.open(tx, playerId, caller)
    const recipient = opened.isNewDevice ? recipientOf(await tx.one(queries.findPlayer, [playerId])) : null
    if (recipient !== null) await mails.newDevice(tx, recipient, opened.device)
    return opened
  }

  /** How a second step can be made, and for how long. @throws LotteryError INVALID_KEY, TOO_MANY_REQUESTS */
  async function secondStepOf(key: string, caller: Caller) {
    await rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
    const owner = await lookCounting(key, caller)
    const { has_twofa: hasTwofa, has_question: hasQuestion } = await db.one(secondStepsOf, [owner.playerId])
    return {
      expires_in: owner.expiresAt - runtime.clock.now(),
      is_two_fa_enabled: hasTwofa,
      is_security_question_enabled: hasQuestion,
    }
  }

  async function lookCounting(key: string, caller: Caller) {
    try {
      return await keys.look(db, 'login_secure', key)
    } catch (error) {
      await rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
      throw error
    }
  }

  /**
   * Makes the second step. The key is bound to the password step before it, works once and for five minutes, and five
   * wrong codes or answers burn it.
   *
   * @throws LotteryError INVALID_KEY, INVALID_2FA_CODE, INVALID_SECURITY_QUESTION, INVALID_SECURITY_ANSWER,
   *   INVALID_SECURITY_QUESTION_OR_ANSWER, TOO_MANY_REQUESTS
   */
  async function secondStep(step: SecondStep, caller: Caller): Promise<Tokens> {
    await rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
    await rateLimits.check(LIMITS.failedLoginsOfAddress, caller.address)
    const { playerId } = await lookCounting(step.key, caller)
    // Counted before it is looked at: six digits are soon guessed by many requests at once.
    const subject = await loginAttempts.subjectOf('second-step', { playerId }, caller.address)
    await loginAttempts.reserve(subject)
    const failure = await failureOf(step, playerId)
    if (failure !== null) {
      await keys.countFailure(db, step.key)
      await rateLimits.count(LIMITS.failedLoginsOfAddress, caller.address)
      runtime.log.info(whoTried('second-step', { playerId }, caller), 'a login failed')
      throw failure
    }
    const opened = await db.transaction(async (tx) => {
      await tx.maybeOne(queries.lockPlayer, [playerId]) // a password change at the same time ends this session too
      await keys.use(tx, 'login_secure', step.key) // of two with the same key, one gets it
      const session = await openSession(tx, playerId, caller)
      if (step.recovery_code != null) await mailRecoveryCodeUsed(tx, playerId)
      await loginAttempts.forget(tx, subject)
      return session
    })
    return sessions.tokensOf(opened)
  }

  async function mailRecoveryCodeUsed(tx: Tx, playerId: bigint): Promise<void> {
    const player = await tx.one(queries.findPlayer, [playerId])
    for (const to of await noticeRecipients(tx, player, runtime.clock.now())) await mails.recoveryCodeUsed(tx, to)
  }

  /** What is wrong with a second step; the first thing it carries is the one that counts. */
  async function failureOf(step: SecondStep, playerId: bigint): Promise<LotteryError | null> {
    if (step.twofa_code != null) {
      const isGood = await twoFactor.accepts(db, playerId, step.twofa_code)
      return isGood ? null : new LotteryError('INVALID_2FA_CODE')
    }
    if (step.recovery_code != null) {
      const isGood = await twoFactor.acceptsRecoveryCode(db, playerId, step.recovery_code)
      return isGood ? null : new LotteryError('INVALID_2FA_CODE', 'Invalid or already used recovery code.')
    }
    return await answerFailureOf(step, playerId)
  }

  async function answerFailureOf(step: SecondStep, playerId: bigint) {
    const questionId = step.security_question_id ?? 0
    const answer = step.security_answer ?? ''
    if (!isSecurityQuestion(questionId)) return new LotteryError('INVALID_SECURITY_QUESTION')
    if (securityAnswerProblem(answer) !== null) return new LotteryError('INVALID_SECURITY_ANSWER')
    const stored = await db.maybeOne(findSecurityAnswer, [playerId])
    const isAnswer = await passwords.isRight(stored?.answer_hash ?? null, securityAnswerKey(answer))
    const isGood = isAnswer && stored?.question_id === questionId
    return isGood ? null : new LotteryError('INVALID_SECURITY_QUESTION_OR_ANSWER')
  }

  /**
   * Logs in with a token of a social network, or opens an account. The provider verifies the token and names the
   * person; its id is the identity. An address it tells never leads to another account.
   *
   * @throws LotteryError SOCIAL_LOGIN_FAILED, TOO_MANY_REQUESTS
   */
  async function socialLogin(provider: SocialProvider, accessToken: string, caller: Caller): Promise<LoginResult> {
    await rateLimits.check(LIMITS.failedSocialLoginsOfAddress, caller.address)
    const identity = await identify(provider, accessToken)
    if (identity === null) {
      await rateLimits.count(LIMITS.failedSocialLoginsOfAddress, caller.address)
      throw new LotteryError('SOCIAL_LOGIN_FAILED')
    }
    const known = await db.maybeOne(queries.findIdentity, [provider, identity.subject])
    // Kept until everything is paid, so that the same person does not get another account by logging in.
    if (known?.is_closed === true) throw new LotteryError('SOCIAL_LOGIN_FAILED', 'This account is being closed.')
    if (known !== null) return await finishFirstStep(known.player_id, null, caller)

    await rateLimits.take(LIMITS.registrationsOfAddress, caller.address)
    const { email, isEmailVerified } = identity
    const mayMail = email !== null && !isEmailVerified && (await registration.mayMailVerification(email, 0n))
    try {
      const opened = await db.transaction((tx) => openSocialAccount(tx, provider, { ...identity, mayMail }, caller))
      return sessions.tokensOf(opened)
    } catch (error) {
      if (!(error instanceof LotteryError)) throw error
      // Two first logins of one person at once: the other one opened the account, and this one is into it as well.
      const opened = await db.maybeOne(queries.findIdentity, [provider, identity.subject])
      if (opened !== null) return await finishFirstStep(opened.player_id, null, caller)
      if (error.code !== 'EMAIL_OCCUPIED') throw error
      throw new LotteryError(
        'SOCIAL_LOGIN_FAILED',
        'There is an account with this e-mail address already. Please log in with its password, or the way you opened it.',
      )
    }
  }

  /** Null for a token that is refused. @throws LotteryError SOCIAL_LOGIN_FAILED when the network could not be asked */
  async function identify(provider: SocialProvider, accessToken: string) {
    try {
      return await social.identify(provider, accessToken)
    } catch (error) {
      if (!(error instanceof SocialNetworkUnreachable)) throw error
      // Nobody's guess has failed, so nothing is counted.
      const message = 'The social network could not be reached. Please try again later.'
      throw new LotteryError('SOCIAL_LOGIN_FAILED', message, { cause: error })
    }
  }

  async function openSocialAccount(
    tx: Tx,
    provider: SocialProvider,
    identity: { subject: string; email: string | null; isEmailVerified: boolean; mayMail: boolean },
    caller: Caller,
  ): Promise<OpenedSession> {
    const { subject, email, isEmailVerified } = identity
    const person = secrets.emailDigest(identityName(provider, subject))
    if ((await tx.one(queries.isEmailExcluded, [person, runtime.clock.now()])).excluded)
      throw new LotteryError('SELF_EXCLUDED')
    const emailVerifiedAt = email !== null && isEmailVerified ? runtime.clock.now() : null
    const player = await registration.insertPlayer(tx, { email, emailVerifiedAt, passwordHash: null })
    if ((await tx.execute(queries.insertIdentity, [player.id, runtime.clock.now(), provider, subject])) === 0)
      throw new LotteryError('SOCIAL_LOGIN_FAILED') // the same person a moment ago: this account is rolled back
    if (identity.mayMail) await registration.mailVerification(tx, player)
    return await sessions.open(tx, player.id, caller)
  }

  return { login, secondStepOf, secondStep, socialLogin }
}
