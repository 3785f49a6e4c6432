import { accountBlocked, LotteryError } from '@fairball/domain/errors'
import { securityAnswerKey, securityAnswerProblem } from '@fairball/domain/validation'
import type { Tx } from '../../db/pool.ts'
import { type Counted, LIMITS } from '../../kernel/limits.ts'
import { SocialNetworkUnreachable, type SocialProvider } from '../../ports/social-login/social-login.ts'
import { isSecurityQuestion } from '../content/service.ts'
import type { Caller } from './caller.ts'
import type { IdentityContext } from './context.ts'
import { isEmailExcluded } from './exclusion-queries.ts'
import { countKeyFailure, findKey, issueKey, type KeyOwner, useKey } from './keys.ts'
import {
  type Account,
  attemptSubjectOf,
  checkAttempts,
  forgetAttempts,
  type LoginStep,
  makeAttempt,
  rememberCaller,
  reserveAttempt,
  type Subject,
} from './login-attempts.ts'
import { mailNewDevice, mailRecoveryCodeUsed } from './mails.ts'
import { noticeRecipients } from './notice-recipients.ts'
import * as queries from './queries.ts'
import { identityName, recipientOf } from './recipient.ts'
import { insertPlayer, mailVerification, openFirstSession } from './registration.ts'
import { findSecurityAnswer, secondStepsOf } from './security-queries.ts'
import { type OpenedSession, openSession, type Tokens, tokensOf } from './sessions.ts'
import { acceptsCode, acceptsRecoveryCode } from './two-factor.ts'

// Logging in: by password or by a social network, and the second step of either.

/** The result of a login: a session, or the key of its second step. */
type LoginResult = Tokens | { readonly key: string }

/** The second step in a request: a code, a recovery code, or the security question with its answer. */
interface SecondStep {
  readonly key: string
  readonly twofa_code?: string | null | undefined
  readonly recovery_code?: string | null | undefined
  readonly security_question_id?: number | null | undefined
  readonly security_answer?: string | null | undefined
}

/**
 * Logs in with an email address or a username. An unknown account and a wrong password get the same answer, in words
 * and in time.
 *
 * @throws LotteryError REQUIRE_EMAIL_AND_PASSWORD, INVALID_CREDENTIALS, TOO_MANY_REQUESTS
 */
export async function logIn(
  ctx: IdentityContext,
  input: { email_or_username?: string | undefined; password?: string | undefined },
  caller: Caller,
): Promise<LoginResult> {
  const name = input.email_or_username?.trim() ?? ''
  const password = input.password ?? ''
  if (name === '' || password === '') throw new LotteryError('REQUIRE_EMAIL_AND_PASSWORD')
  // A known device has places of its own, whatever its address has; recognising it takes a query.
  if (caller.device === null) ctx.passwords.assertRoomFor(caller.address)

  const statement = name.includes('@') ? queries.findPlayerByEmail : queries.findPlayerByUsername
  const player = await ctx.db.maybeOne(statement, [name])
  const account = player === null ? { unknownName: name } : { playerId: player.id }
  const stored = player?.passwordHash ?? null
  const counted = await passedPassword(ctx, account, stored, password, caller)
  if (counted === null || player === null || stored === null) throw new LotteryError('INVALID_CREDENTIALS')
  return await finishFirstStep(ctx, player.id, await renewedHash(ctx, counted, player.id, stored, password), caller)
}

/** The hash a right password is stored under, at today's cost. @throws LotteryError INVALID_CREDENTIALS */
async function renewedHash(
  ctx: IdentityContext,
  counted: Counted,
  playerId: bigint,
  stored: string,
  password: string,
): Promise<string> {
  if (!ctx.passwords.isOutdated(stored)) return stored
  const fresh = await ctx.passwords.hashOf(counted, password)
  if ((await ctx.db.execute(queries.replaceOutdatedHash, [playerId, stored, fresh])) > 0) return fresh
  // Another login has renewed it meanwhile, or the password was changed: only the present hash decides.
  const present = (await ctx.db.maybeOne(queries.findPlayer, [playerId]))?.passwordHash ?? null
  if (present === null || !(await ctx.passwords.isRight(counted, present, password)))
    throw new LotteryError('INVALID_CREDENTIALS')
  return present
}

/**
 * The subject whose counter admitted the right password; null for a wrong one, which is counted.
 *
 * @throws LotteryError TOO_MANY_REQUESTS before anything is hashed
 */
async function passedPassword(
  ctx: IdentityContext,
  account: Account,
  stored: string | null,
  password: string,
  caller: Caller,
) {
  const subject = await attemptSubjectOf(ctx, 'password', account, caller)
  const check = async (): Promise<Counted> => {
    const counted = await checkPlace(ctx, subject, caller)
    await checkAttempts(ctx, subject)
    return counted
  }
  try {
    const counted = await check()
    const isPassed = await ctx.passwords.inTurn(counted, async (isRight) => {
      await check() // others had their turn meanwhile
      return await makeAttempt(ctx, subject, () => isRight(stored, password))
    })
    if (isPassed) return counted
    await countFailure(ctx, 'password', account, subject, caller)
    return null
  } catch (error) {
    // Not at the level of a failure: refusals come as fast as requests are sent.
    if (error instanceof LotteryError)
      ctx.runtime.log.debug(whoTried(ctx, 'password', account, caller), 'a login was refused for too many failures')
    throw error
  }
}

/** Failures count for the known device, or for the address. @throws LotteryError TOO_MANY_REQUESTS */
async function checkPlace(ctx: IdentityContext, { device }: Subject, { address }: Caller): Promise<Counted> {
  if (device !== null) return await ctx.rateLimits.check(LIMITS.failedLoginsOfDevice, device)
  return await ctx.rateLimits.check(LIMITS.failedLoginsOfAddress, address)
}

async function countFailure(
  ctx: IdentityContext,
  step: LoginStep,
  account: Account,
  { device }: Subject,
  caller: Caller,
): Promise<void> {
  if (device !== null) await ctx.rateLimits.count(LIMITS.failedLoginsOfDevice, device)
  else await ctx.rateLimits.count(LIMITS.failedLoginsOfAddress, caller.address)
  ctx.runtime.log.info(whoTried(ctx, step, account, caller), 'a login failed')
}

/** The log entry of a try: hashes that identify one attack and no person. */
function whoTried(ctx: IdentityContext, step: LoginStep, account: Account, caller: Caller) {
  const shortHash = (text: string): string =>
    Buffer.from(ctx.secrets.callerDigest(text)).toString('base64url').slice(0, 16)
  const whom = 'playerId' in account ? `player:${account.playerId}` : `name:${account.unknownName}`
  return { step, account: shortHash(whom), address: shortHash(caller.address) }
}

/**
 * A session, or the key of the second step if the player has one.
 *
 * The player's row is locked, and the password compared once more. One that was changed during its check opens nothing;
 * otherwise its session would outlive the change that ends all others.
 *
 * @param passwordHash the hash that the password matched; null after a social login
 * @throws LotteryError ACCOUNT_BLOCKED; INVALID_CREDENTIALS also for an account closed meanwhile; SOCIAL_LOGIN_FAILED for a closed one
 */
async function finishFirstStep(
  ctx: IdentityContext,
  playerId: bigint,
  passwordHash: string | null,
  caller: Caller,
): Promise<LoginResult> {
  const done = await ctx.db.transaction(async (tx) => {
    const player = await tx.maybeOne(queries.lockPlayer, [playerId])
    if (player === null && passwordHash === null)
      throw new LotteryError('SOCIAL_LOGIN_FAILED', 'This account was closed.')
    if (player === null || (passwordHash !== null && player.passwordHash !== passwordHash))
      throw new LotteryError('INVALID_CREDENTIALS')
    await assertMaySignIn(ctx, tx, playerId)
    const { hasTwofa, hasQuestion } = await tx.one(secondStepsOf, [playerId])
    if (hasTwofa || hasQuestion) return { key: await issueKey(ctx, tx, 'login_secure', playerId) }
    return await letIn(ctx, tx, playerId, caller)
  })
  return 'key' in done ? done : tokensOf(ctx, done)
}

/** Called with the player's row locked, as blocking a player does. @throws LotteryError ACCOUNT_BLOCKED */
async function assertMaySignIn({ runtime }: IdentityContext, tx: Tx, playerId: bigint): Promise<void> {
  if ((await tx.one(queries.isBlocked, [playerId, runtime.clock.now()])).isBlocked) throw accountBlocked()
}

async function letIn(ctx: IdentityContext, tx: Tx, playerId: bigint, caller: Caller): Promise<OpenedSession> {
  const opened = await openSession(ctx, tx, playerId, caller)
  await rememberCaller(ctx, tx, playerId, caller)
  const recipient = opened.isNewDevice ? recipientOf(await tx.one(queries.findPlayer, [playerId])) : null
  if (recipient !== null) await mailNewDevice(ctx, tx, recipient, opened.device)
  return opened
}

/** How a second step can be made, and for how long. @throws LotteryError INVALID_KEY, TOO_MANY_REQUESTS */
export async function secondStepOf(ctx: IdentityContext, key: string, caller: Caller) {
  const { owner } = await ownerOf(ctx, key, caller)
  const { hasTwofa, hasQuestion } = await ctx.db.one(secondStepsOf, [owner.playerId])
  return {
    expires_in: owner.expiresAt - ctx.runtime.clock.now(),
    is_two_fa_enabled: hasTwofa,
    is_security_question_enabled: hasQuestion,
  }
}

/**
 * The player whose second step a key is for. Wrong keys count for their address, which does not affect a known device
 * with a valid one.
 *
 * @throws LotteryError INVALID_KEY, TOO_MANY_REQUESTS
 */
async function ownerOf(
  ctx: IdentityContext,
  key: string,
  caller: Caller,
): Promise<{ owner: KeyOwner; subject: Subject }> {
  const owner = await findKey(ctx, ctx.db, 'login_secure', key)
  const subject = await attemptSubjectOf(ctx, 'second-step', { playerId: owner?.playerId ?? 0n }, caller)
  if (subject.device === null) await ctx.rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
  if (owner !== null) return { owner, subject }
  await ctx.rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
  throw new LotteryError('INVALID_KEY')
}

/**
 * Makes the second step. The key is bound to the password step before it, works once and for five minutes, and five
 * wrong codes or answers burn it.
 *
 * @throws LotteryError INVALID_KEY, INVALID_2FA_CODE, INVALID_SECURITY_QUESTION, INVALID_SECURITY_ANSWER,
 *   INVALID_SECURITY_QUESTION_OR_ANSWER, TOO_MANY_REQUESTS
 */
export async function secondStep(ctx: IdentityContext, step: SecondStep, caller: Caller): Promise<Tokens> {
  const { owner, subject } = await ownerOf(ctx, step.key, caller)
  const { playerId } = owner
  const counted = await checkPlace(ctx, subject, caller)
  // Counted before it is checked: many concurrent requests soon guess six digits.
  await reserveAttempt(ctx, subject)
  const failure = await failureOf(ctx, step, playerId, counted)
  if (failure !== null) {
    await countKeyFailure(ctx, ctx.db, step.key)
    await countFailure(ctx, 'second-step', { playerId }, subject, caller)
    throw failure
  }
  const opened = await ctx.db.transaction(async (tx) => {
    await tx.maybeOne(queries.lockPlayer, [playerId]) // a password change at the same time ends this session too
    await assertMaySignIn(ctx, tx, playerId)
    await useKey(ctx, tx, 'login_secure', step.key) // of two with the same key, one gets it
    const session = await letIn(ctx, tx, playerId, caller)
    if (step.recovery_code != null) await tellOfRecoveryCode(ctx, tx, playerId)
    await forgetAttempts(tx, subject)
    return session
  })
  return tokensOf(ctx, opened)
}

async function tellOfRecoveryCode(ctx: IdentityContext, tx: Tx, playerId: bigint): Promise<void> {
  const player = await tx.one(queries.findPlayer, [playerId])
  for (const to of await noticeRecipients(tx, player, ctx.runtime.clock.now())) await mailRecoveryCodeUsed(ctx, tx, to)
}

/** What is wrong with a second step; the first thing it contains is the one that counts. */
async function failureOf(
  ctx: IdentityContext,
  step: SecondStep,
  playerId: bigint,
  counted: Counted,
): Promise<LotteryError | null> {
  if (step.twofa_code != null) {
    const isGood = await acceptsCode(ctx, ctx.db, playerId, step.twofa_code)
    return isGood ? null : new LotteryError('INVALID_2FA_CODE')
  }
  if (step.recovery_code != null) {
    const isGood = await acceptsRecoveryCode(ctx, ctx.db, playerId, step.recovery_code)
    return isGood ? null : new LotteryError('INVALID_2FA_CODE', 'Invalid or already used recovery code.')
  }
  return await answerFailureOf(ctx, step, playerId, counted)
}

async function answerFailureOf(ctx: IdentityContext, step: SecondStep, playerId: bigint, counted: Counted) {
  const questionId = step.security_question_id ?? 0
  const answer = step.security_answer ?? ''
  if (!isSecurityQuestion(questionId)) return new LotteryError('INVALID_SECURITY_QUESTION')
  if (securityAnswerProblem(answer) !== null) return new LotteryError('INVALID_SECURITY_ANSWER')
  const stored = await ctx.db.maybeOne(findSecurityAnswer, [playerId])
  const isAnswer = await ctx.passwords.isRight(counted, stored?.answerHash ?? null, securityAnswerKey(answer))
  const isGood = isAnswer && stored?.questionId === questionId
  return isGood ? null : new LotteryError('INVALID_SECURITY_QUESTION_OR_ANSWER')
}

/**
 * Logs in with a token of a social network, or opens an account. The provider verifies the token and names the person;
 * its id is the identity. An address it reports never leads to another account.
 *
 * @throws LotteryError SOCIAL_LOGIN_FAILED, TOO_MANY_REQUESTS
 */
export async function socialLogin(
  ctx: IdentityContext,
  provider: SocialProvider,
  accessToken: string,
  caller: Caller,
): Promise<LoginResult> {
  await ctx.rateLimits.check(LIMITS.failedSocialLoginsOfAddress, caller.address)
  const identity = await identify(ctx, provider, accessToken)
  if (identity === null) {
    await ctx.rateLimits.count(LIMITS.failedSocialLoginsOfAddress, caller.address)
    throw new LotteryError('SOCIAL_LOGIN_FAILED')
  }
  const known = await ctx.db.maybeOne(queries.findIdentity, [provider, identity.subject])
  // Kept until everything is paid, so that the same person does not get another account by logging in.
  if (known?.isClosed === true) throw new LotteryError('SOCIAL_LOGIN_FAILED', 'This account is being closed.')
  if (known !== null) return await finishFirstStep(ctx, known.playerId, null, caller)

  await ctx.rateLimits.take(LIMITS.registrationsOfAddress, caller.address)
  try {
    const opened = await ctx.db.transaction((tx) => openSocialAccount(ctx, tx, provider, identity, caller))
    return tokensOf(ctx, opened)
  } catch (error) {
    if (!(error instanceof LotteryError)) throw error
    // Two concurrent first logins of one person: the other one opened the account, and this one logs in to it.
    const opened = await ctx.db.maybeOne(queries.findIdentity, [provider, identity.subject])
    if (opened !== null) return await finishFirstStep(ctx, opened.playerId, null, caller)
    if (error.code !== 'EMAIL_OCCUPIED') throw error
    throw new LotteryError(
      'SOCIAL_LOGIN_FAILED',
      'There is an account with this email address already. Please log in with its password, or the way you opened it.',
    )
  }
}

/** Null for a token that is refused. @throws LotteryError SOCIAL_LOGIN_FAILED if the network could not be asked */
async function identify(ctx: IdentityContext, provider: SocialProvider, accessToken: string) {
  try {
    return await ctx.social.identify(provider, accessToken)
  } catch (error) {
    if (!(error instanceof SocialNetworkUnreachable)) throw error
    // No guess has failed, so nothing is counted.
    const message = 'The social network could not be reached. Please try again later.'
    throw new LotteryError('SOCIAL_LOGIN_FAILED', message, { cause: error })
  }
}

async function openSocialAccount(
  ctx: IdentityContext,
  tx: Tx,
  provider: SocialProvider,
  identity: { subject: string; email: string | null; isEmailVerified: boolean },
  caller: Caller,
): Promise<OpenedSession> {
  const { subject, email, isEmailVerified } = identity
  const person = ctx.secrets.emailDigest(identityName(provider, subject))
  if ((await tx.one(isEmailExcluded, [person, ctx.runtime.clock.now()])).excluded)
    throw new LotteryError('SELF_EXCLUDED')
  const emailVerifiedAt = email !== null && isEmailVerified ? ctx.runtime.clock.now() : null
  const player = await insertPlayer(ctx, tx, { email, emailVerifiedAt, passwordHash: null })
  if ((await tx.execute(queries.insertIdentity, [player.id, ctx.runtime.clock.now(), provider, subject])) === 0)
    throw new LotteryError('SOCIAL_LOGIN_FAILED') // the same person a moment ago: this account is rolled back
  if (!isEmailVerified) await mailVerification(ctx, tx, player)
  return await openFirstSession(ctx, tx, player.id, caller)
}
