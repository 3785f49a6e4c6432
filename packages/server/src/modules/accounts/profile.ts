import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES, type Currency } from '@fairball/domain/fiat'
import { emailProblem, usernameProblem } from '@fairball/domain/validation'
import type { Db, Tx } from '../../db/pool.ts'
import { violatedConstraint } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { timezoneById, utcOffsetSeconds } from '../content/timezones.ts'
import { isSameEmail } from './email-key.ts'
import type { Exclusions } from './exclusions.ts'
import type { Keys } from './keys.ts'
import type { AccountMails } from './mails.ts'
import { noticeRecipients, rememberFormerEmail } from './notice-recipients.ts'
import type { ProofInput, Proofs } from './proof.ts'
import * as queries from './queries.ts'
import type { Registration } from './registration.ts'
import type { ResponsiblePlay } from './responsible-play.ts'
import { secondStepsOf } from './security-queries.ts'
import { lockSignedIn, type LockedPlayer } from './signed-in-player.ts'

/** What a player says about the account. */
export interface PersonalDetails {
  readonly username: string
  readonly email: string
  readonly timezone_id: number
  readonly currency_id: number
}

export interface ProfileDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly rateLimits: RateLimits
  readonly keys: Keys
  readonly mails: AccountMails
  readonly proofs: Proofs
  readonly registration: Registration
  readonly responsiblePlay: ResponsiblePlay
  readonly exclusions: Exclusions
}

export type Profile = ReturnType<typeof createProfile>

/** The currency with an id. @throws LotteryError INVALID_PAYLOAD for one that is not in the list */
function currencyById(id: number): Currency {
  const currency = CURRENCIES.find((one) => one.id === id)
  if (currency === undefined) throw badField('currency_id', 'Must be one of the currencies.')
  return currency
}

/** Who a player is to the pages, and what the player can change about it. */
export function createProfile(deps: ProfileDeps) {
  const { db, runtime, rateLimits, keys, mails, proofs, registration, responsiblePlay, exclusions } = deps

  /** The profile the pages show. */
  async function profileOf(player: SignedIn) {
    const { has_twofa: hasTwofa, has_question: hasQuestion } = await db.one(secondStepsOf, [player.id])
    return {
      username: player.username,
      email: player.email ?? '',
      currency_code: currencyById(player.currencyId).code,
      is_email_verified: player.emailVerifiedAt !== null,
      is_social_account: player.isSocial,
      is_two_fa_enabled: hasTwofa,
      is_security_question_enabled: hasQuestion,
      timezone_utc_offset: utcOffsetSeconds(player.timezoneId, runtime.clock.nowMs()),
    }
  }

  /** The details a player can change. */
  function detailsOf(player: SignedIn): PersonalDetails {
    const { username, email, timezoneId, currencyId } = player
    return { username, email: email ?? '', timezone_id: timezoneId, currency_id: currencyId }
  }

  /**
   * Saves a player's details. An e-mail address that differs in more than ASCII case needs a proof, has to be verified
   * again, and the old one is told.
   *
   * @throws LotteryError INVALID_USERNAME, INVALID_EMAIL, INVALID_PAYLOAD for an unknown time zone or currency or a
   *   missing proof, INVALID_CREDENTIALS, INVALID_2FA_CODE, ACCESS_DENIED, USERNAME_OCCUPIED, EMAIL_OCCUPIED,
   *   TOO_MANY_REQUESTS
   * @throws Unauthorized when the session ended meanwhile
   */
  async function saveDetails(player: SignedIn, input: PersonalDetails & ProofInput): Promise<PersonalDetails> {
    const details = { ...input, email: input.email.trim() }
    if (usernameProblem(details.username) !== null) throw new LotteryError('INVALID_USERNAME')
    if (timezoneById(details.timezone_id) === null) throw badField('timezone_id', 'Must be one of the time zones.')
    currencyById(details.currency_id)
    const allowed = isSameEmail(details.email, player.email ?? '')
      ? NO_EMAIL_CHANGE
      : await allowEmailChange(player, details.email, input)
    await db.transaction((tx) => save(tx, player, details, allowed)).catch(refuseOccupied)
    return {
      username: details.username,
      email: details.email,
      timezone_id: details.timezone_id,
      currency_id: details.currency_id,
    }
  }

  /** Asks for what a new address needs, and counts the mails it sends, before anything is locked. */
  async function allowEmailChange(player: SignedIn, email: string, proof: ProofInput): Promise<AllowedChange> {
    if (emailProblem(email) !== null) throw new LotteryError('INVALID_EMAIL')
    await rateLimits.take(LIMITS.emailChangesOfPlayer, String(player.id))
    // Somebody who came by a social network without an address gives the first one: nothing is at stake yet.
    if (player.email !== null) await proofs.require(player, proof)
    return {
      isProven: player.email !== null,
      isFirstAllowed: player.email === null,
      mayMailNew: await registration.mayMailVerification(email, player.id),
      mayMailOld: player.email === null || (await rateLimits.allows(LIMITS.changeMailsOfEmail, player.email)),
    }
  }

  /** What is new is decided against the row under the lock: the request may have been on its way for long. */
  async function save(tx: Tx, player: SignedIn, details: PersonalDetails, allowed: AllowedChange): Promise<void> {
    const before = await lockSignedIn(tx, player)
    const { username, email, timezone_id: timezoneId, currency_id: currencyId } = details
    const isEmailNew = !isSameEmail(email, before.email ?? '')
    if (isEmailNew && !(before.email === null ? allowed.isFirstAllowed : allowed.isProven))
      throw badField('password', 'The password or an authenticator code is required.')
    const verifiedAt = isEmailNew ? null : before.email_verified_at
    await tx.execute(queries.updateDetails, [
      before.id,
      username,
      email === '' ? null : email,
      verifiedAt,
      timezoneId,
      currencyId,
    ])
    if (before.currency_id !== currencyId)
      await responsiblePlay.changeCurrency(tx, before.id, currencyById(before.currency_id), currencyById(currencyId))
    if (isEmailNew) await leaveEmail(tx, before, { username, email }, allowed)
  }

  async function leaveEmail(
    tx: Tx,
    before: LockedPlayer,
    after: { username: string; email: string },
    allowed: AllowedChange,
  ): Promise<void> {
    const { id } = before
    // Links to the old address end with it: neither may it be verified nor reset a password any more.
    await keys.revoke(tx, id, 'verify_email')
    await keys.revoke(tx, id, 'reset_password')
    if (allowed.mayMailNew) await registration.mailVerification(tx, { id, ...after })
    for (const to of await noticeRecipients(tx, { ...before, username: after.username }, runtime.clock.now()))
      if (!isSameEmail(to.email, after.email) && (to.isFormer === true || allowed.mayMailOld))
        await mails.emailChanged(tx, to, after.email)
    if (before.email !== null && before.email_verified_at !== null)
      await rememberFormerEmail(tx, id, before.email, runtime.clock.now())
    const excludedUntil = await responsiblePlay.excludedUntil(tx, id)
    if (excludedUntil === null) return
    for (const email of [before.email, after.email]) await exclusions.keep(tx, { id, email }, excludedUntil)
  }

  /** Whether a player could take a username: well formed and nobody else's. @throws LotteryError TOO_MANY_REQUESTS */
  async function isUsernameAvailable(player: SignedIn, username: string): Promise<boolean> {
    await rateLimits.take(LIMITS.usernameChecksOfPlayer, String(player.id))
    return usernameProblem(username) === null && (await registration.isFree(db, 'username', username, player.id))
  }

  /** Whether a player could take an e-mail address. @throws LotteryError TOO_MANY_REQUESTS */
  async function isEmailAvailable(player: SignedIn, email: string): Promise<boolean> {
    await rateLimits.take(LIMITS.emailChecksOfPlayer, String(player.id))
    const trimmed = email.trim()
    return emailProblem(trimmed) === null && (await registration.isFree(db, 'email', trimmed, player.id))
  }

  return { profileOf, detailsOf, saveDetails, isUsernameAvailable, isEmailAvailable }
}

/** What a request may do about the e-mail address, as far as its proof goes. */
interface AllowedChange {
  /** a proof was shown: the address may be changed */
  readonly isProven: boolean
  /** there was no address when the request came: it may give the first one */
  readonly isFirstAllowed: boolean
  readonly mayMailNew: boolean
  readonly mayMailOld: boolean
}

const NO_EMAIL_CHANGE: AllowedChange = { isProven: false, isFirstAllowed: false, mayMailNew: false, mayMailOld: false }

/** The unique keys decide who came first; what they say becomes the player's word. */
function refuseOccupied(error: unknown): never {
  const constraint = violatedConstraint(error)
  if (constraint === 'players_username_key_key') throw new LotteryError('USERNAME_OCCUPIED')
  if (constraint === 'players_email_key_key') throw new LotteryError('EMAIL_OCCUPIED')
  throw error
}

function badField(name: string, message: string): LotteryError {
  return new LotteryError('INVALID_PAYLOAD', undefined, { fields: { [name]: message } })
}
