import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES, type Currency } from '@fairball/domain/fiat'
import { utcOffsetSeconds } from '@fairball/domain/time-zone'
import { emailProblem, usernameProblem } from '@fairball/domain/validation'
import { type Tx, violatedConstraint } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { timezoneById, zoneOf } from '../content/service.ts'
import {
  isFree,
  isSameEmail,
  type LockedPlayer,
  lockSignedIn,
  mailEmailChanged,
  mailVerification,
  noticeRecipients,
  type ProofInput,
  rememberFormerEmail,
  requireProof,
  revokeKeys,
  secondStepsOf,
  updateDetails,
} from '../identity/service.ts'
import { countUnread } from '../messages/service.ts'
import { changeLimitsCurrency } from '../safer-play/service.ts'
import type { PlayersContext } from './context.ts'

// A player's profile for the pages, and what the player can change about it.

/** A player's own details of the account. */
interface PersonalDetails {
  readonly username: string
  readonly email: string
  readonly timezone_id: number
  readonly currency_id: number
}

/** The currency with an id. @throws LotteryError INVALID_PAYLOAD for one that is not in the list */
function currencyById(id: number): Currency {
  const currency = CURRENCIES.find((one) => one.id === id)
  if (currency === undefined) throw badField('currency_id', 'Must be one of the currencies.')
  return currency
}

/** The profile the pages show. */
export async function profileOf(ctx: PlayersContext, player: SignedIn) {
  const [{ hasTwofa, hasQuestion }, unread] = await Promise.all([
    ctx.db.one(secondStepsOf, [player.id]),
    countUnread(ctx, player.id),
  ])
  return {
    username: player.username,
    email: player.email ?? '',
    currency_code: currencyById(player.currencyId).code,
    is_email_verified: player.emailVerifiedAt !== null,
    is_social_account: player.isSocial,
    is_two_fa_enabled: hasTwofa,
    is_security_question_enabled: hasQuestion,
    time_zone: zoneOf(player.timezoneId),
    timezone_utc_offset: utcOffsetSeconds(zoneOf(player.timezoneId), ctx.runtime.clock.now()),
    unread_messages: unread,
  }
}

/** The details a player can change. */
export function detailsOf(player: SignedIn): PersonalDetails {
  const { username, email, timezoneId, currencyId } = player
  return { username, email: email ?? '', timezone_id: timezoneId, currency_id: currencyId }
}

/**
 * Saves a player's details. An email address that differs in more than ASCII case needs a proof, has to be verified
 * again, and the old one is notified.
 *
 * @throws LotteryError INVALID_USERNAME, INVALID_EMAIL, INVALID_PAYLOAD for an unknown time zone or currency or a
 *   missing proof, INVALID_CREDENTIALS, INVALID_2FA_CODE, ACCESS_DENIED, USERNAME_OCCUPIED, EMAIL_OCCUPIED,
 *   TOO_MANY_REQUESTS
 * @throws Unauthorized if the session ended meanwhile
 */
export async function saveDetails(
  ctx: PlayersContext,
  player: SignedIn,
  input: PersonalDetails & ProofInput,
): Promise<PersonalDetails> {
  const details = { ...input, email: input.email.trim() }
  if (usernameProblem(details.username) !== null) throw new LotteryError('INVALID_USERNAME')
  if (timezoneById(details.timezone_id) === null) throw badField('timezone_id', 'Must be one of the time zones.')
  currencyById(details.currency_id)
  const allowed = isSameEmail(details.email, player.email ?? '')
    ? NO_EMAIL_CHANGE
    : await allowEmailChange(ctx, player, details.email, input)
  await ctx.db.transaction((tx) => saveProfile(ctx, tx, player, details, allowed)).catch(refuseOccupied)
  return {
    username: details.username,
    email: details.email,
    timezone_id: details.timezone_id,
    currency_id: details.currency_id,
  }
}

/** Requires what a new address needs before anything is locked. */
async function allowEmailChange(
  ctx: PlayersContext,
  player: SignedIn,
  email: string,
  proof: ProofInput,
): Promise<AllowedChange> {
  if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
  await ctx.rateLimits.take(LIMITS.emailChangesOfPlayer, String(player.id))
  // A player from a social network without an address gives the first one: nothing is at stake yet.
  if (player.email !== null) await requireProof(ctx, player, proof)
  return {
    isProven: player.email !== null,
    isFirstAllowed: player.email === null,
  }
}

/** Compares with the locked row to find what is new: the request may have been on its way for long. */
async function saveProfile(
  ctx: PlayersContext,
  tx: Tx,
  player: SignedIn,
  details: PersonalDetails,
  allowed: AllowedChange,
): Promise<void> {
  const before = await lockSignedIn(tx, player)
  const { username, email, timezone_id: timezoneId, currency_id: currencyId } = details
  const isEmailNew = !isSameEmail(email, before.email ?? '')
  if (isEmailNew && !(before.email === null ? allowed.isFirstAllowed : allowed.isProven))
    throw badField('password', 'The password or an authenticator code is required.')
  const verifiedAt = isEmailNew ? null : before.emailVerifiedAt
  await tx.execute(updateDetails, {
    playerId: before.id,
    username,
    email: email === '' ? null : email,
    emailVerifiedAt: verifiedAt,
    timezoneId,
    currencyId,
  })
  if (before.currencyId !== currencyId)
    await changeLimitsCurrency(ctx, tx, before.id, currencyById(before.currencyId), currencyById(currencyId))
  if (isEmailNew) await leaveEmail(ctx, tx, before, { username, email })
}

async function leaveEmail(
  ctx: PlayersContext,
  tx: Tx,
  before: LockedPlayer,
  after: { username: string; email: string },
): Promise<void> {
  const { id } = before
  // Links to the old address end with it: it can no longer be verified or reset a password.
  await revokeKeys(tx, id, 'verify_email')
  await revokeKeys(tx, id, 'reset_password')
  await mailVerification(ctx, tx, { id, ...after, emailVerifiedAt: null })
  for (const to of await noticeRecipients(tx, { ...before, username: after.username }, ctx.runtime.clock.now()))
    if (!isSameEmail(to.email, after.email)) await mailEmailChanged(ctx, tx, to, after.email)
  if (before.email !== null && before.emailVerifiedAt !== null)
    await rememberFormerEmail(tx, id, before.email, ctx.runtime.clock.now())
}

/** Whether a player could take a username: well formed and free. @throws LotteryError TOO_MANY_REQUESTS */
export async function isUsernameAvailable(ctx: PlayersContext, player: SignedIn, username: string): Promise<boolean> {
  await ctx.rateLimits.take(LIMITS.usernameChecksOfPlayer, String(player.id))
  return usernameProblem(username) === null && (await isFree(ctx.db, 'username', username, player.id))
}

/** Whether a player could take an email address. @throws LotteryError TOO_MANY_REQUESTS */
export async function isEmailAvailable(ctx: PlayersContext, player: SignedIn, email: string): Promise<boolean> {
  await ctx.rateLimits.take(LIMITS.emailChecksOfPlayer, String(player.id))
  const trimmed = email.trim()
  return emailProblem(trimmed) === null && (await isFree(ctx.db, 'email', trimmed, player.id))
}

/** What a request may do about the email address, as far as its proof allows. */
interface AllowedChange {
  /** a proof was shown: the address may be changed */
  readonly isProven: boolean
  /** there was no address when the request came: it may give the first one */
  readonly isFirstAllowed: boolean
}

const NO_EMAIL_CHANGE: AllowedChange = { isProven: false, isFirstAllowed: false }

/** The unique keys decide which request was first; their error becomes the player's. */
function refuseOccupied(error: unknown): never {
  const constraint = violatedConstraint(error)
  if (constraint === 'players_username_key_key') throw new LotteryError('USERNAME_OCCUPIED')
  if (constraint === 'players_email_key_key') throw new LotteryError('EMAIL_OCCUPIED')
  throw error
}

function badField(name: string, message: string): LotteryError {
  return new LotteryError('INVALID_PAYLOAD', undefined, { fields: { [name]: message } })
}
