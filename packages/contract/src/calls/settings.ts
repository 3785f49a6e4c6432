/** The account's settings, messages and history. */
import { TEXT_MAX, VALIDATION_TEXTS } from '@fairball/domain/validation'
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import {
  availabilitySchema,
  balanceSchema,
  cryptoAccountDetailsSchema,
  emailPreferencesSchema,
  messageSchema,
  payFirstSchema,
  personalDetailsSchema,
  responsiblePlaySchema,
  securityQuestionSettingSchema,
  transactionRowSchema,
  winnerConsentSchema,
} from '../schemas/account.ts'
import { okSchema, pageOf } from '../schemas/answers.ts'
import { myGameSchema } from '../schemas/game.ts'
import { pagedQuery } from '../schemas/paging.ts'
import { drawNumber, gameKey, rowId } from '../schemas/params.ts'
import { catalogueId, EPOCH_MAX, INTEGER_MAX, passwordText, textUpTo, twofaCode, wholeNumber } from '../schemas/text.ts'
import { ticketSchema } from '../schemas/ticket.ts'

/** Maximum weekly limit, in units of the player's currency. */
const WEEKLY_LIMIT_MAX = 1_000_000_000
/** Maximum time between two reminders, in minutes: a day. */
const REMINDER_MINUTES_MAX = 1440

/** Longest destination over Lightning: an offer with several paths. */
const DESTINATION_MAX = 2000

/** Proof that the player asks: the password, or an authenticator code. */
const proof = { password: z.nullish(passwordText), twofa_code: z.nullish(twofaCode) }

/** Refuses a body with neither password nor code. */
function proofRequired() {
  return z.refine<{ password?: string | null | undefined; twofa_code?: string | null | undefined }>(
    (body) => body.password != null || body.twofa_code != null,
    { path: ['password'], error: 'The password or an authenticator code is required.' },
  )
}

const WEEKLY_LIMIT_MESSAGE = 'Must be an amount of money from 0, with at most two decimals.'

const weeklyLimit = z.number(WEEKLY_LIMIT_MESSAGE).check(
  z.gte(0, WEEKLY_LIMIT_MESSAGE),
  z.lte(WEEKLY_LIMIT_MAX, WEEKLY_LIMIT_MESSAGE),
  z.refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, WEEKLY_LIMIT_MESSAGE),
)

export const settingsCalls = {
  getMyGames: defineCall(ADDRESSES.getMyGames, {
    tag: 'Settings',
    summary: 'Lists the games the player has played.',
    answer: z.array(myGameSchema),
    errors: ['RATE_UNAVAILABLE'],
  }),
  getMessages: defineCall(ADDRESSES.getMessages, {
    tag: 'Settings',
    summary: 'Lists the messages of the player, newest first.',
    query: pagedQuery,
    answer: pageOf(messageSchema),
    errors: [],
  }),
  getUnreadMessages: defineCall(ADDRESSES.getUnreadMessages, {
    tag: 'Settings',
    summary: 'Counts the messages that the player has not read.',
    answer: z.object({ count: z.int() }),
    errors: [],
  }),
  markAllMessages: defineCall(ADDRESSES.markAllMessages, {
    tag: 'Settings',
    summary: 'Marks all messages of the player as read.',
    body: z.strictObject({ is_read: z.literal(true) }),
    answer: okSchema,
    errors: [],
  }),
  markMessage: defineCall(ADDRESSES.markMessage, {
    tag: 'Settings',
    summary: 'Marks a message of the player as read or unread.',
    params: z.object({ id: rowId }),
    body: z.strictObject({ is_read: z.boolean() }),
    answer: okSchema,
    errors: ['NOT_FOUND'],
  }),
  getPersonalDetails: defineCall(ADDRESSES.getPersonalDetails, {
    tag: 'Settings',
    summary: 'Shows username, email address, time zone and currency.',
    answer: personalDetailsSchema,
    errors: [],
  }),
  savePersonalDetails: defineCall(ADDRESSES.savePersonalDetails, {
    tag: 'Settings',
    summary: 'Saves username, email address, time zone and currency. A new address needs the password or a code.',
    body: z.strictObject({
      username: textUpTo(TEXT_MAX),
      email: textUpTo(TEXT_MAX),
      timezone_id: catalogueId,
      currency_id: catalogueId,
      ...proof,
    }),
    answer: personalDetailsSchema,
    errors: [
      'INVALID_USERNAME',
      'INVALID_EMAIL',
      'USERNAME_OCCUPIED',
      'EMAIL_OCCUPIED',
      'INVALID_CREDENTIALS',
      'INVALID_2FA_CODE',
      'ACCESS_DENIED',
      'RATE_UNAVAILABLE',
      'TOO_MANY_REQUESTS',
    ],
  }),
  getUsernameAvailability: defineCall(ADDRESSES.getUsernameAvailability, {
    tag: 'Settings',
    summary: 'Shows whether a username is available: a list of one.',
    params: z.object({ value: textUpTo(TEXT_MAX) }),
    answer: availabilitySchema,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  getEmailAvailability: defineCall(ADDRESSES.getEmailAvailability, {
    tag: 'Settings',
    summary: 'Shows whether an email address is available: a list of one.',
    params: z.object({ value: textUpTo(TEXT_MAX) }),
    answer: availabilitySchema,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  changePassword: defineCall(ADDRESSES.changePassword, {
    tag: 'Settings',
    summary: 'Changes the password, and mails a notice of it.',
    body: z.strictObject({
      current_password: passwordText,
      new_password: passwordText,
      confirm_password: passwordText,
    }),
    answer: okSchema,
    errors: [
      'INVALID_CREDENTIALS',
      'INVALID_PASSWORD',
      'MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD',
      'ACCESS_DENIED',
      'TOO_MANY_REQUESTS',
    ],
  }),
  getTwofaQr: defineCall(ADDRESSES.getTwofaQr, {
    tag: 'Settings',
    summary: 'Creates a new two-factor secret and returns it as an otpauth address for the QR code.',
    answer: z.object({ qr_code_uri: z.string() }),
    errors: ['ACCESS_DENIED'],
  }),
  verifyTwofa: defineCall(ADDRESSES.verifyTwofa, {
    tag: 'Settings',
    summary: 'Switches two-factor on with the first code, and returns the recovery codes once.',
    body: z.strictObject({ code: twofaCode }),
    answer: z.object({ ok: z.literal(true), recovery_codes: z.array(z.string()) }),
    errors: ['INVALID_2FA_CODE', 'ACCESS_DENIED', 'TOO_MANY_REQUESTS'],
  }),
  disableTwofa: defineCall(ADDRESSES.disableTwofa, {
    tag: 'Settings',
    summary: 'Switches two-factor off, and mails a notice of it.',
    body: z.strictObject(proof).check(proofRequired()),
    answer: okSchema,
    errors: ['INVALID_CREDENTIALS', 'INVALID_2FA_CODE', 'ACCESS_DENIED', 'TOO_MANY_REQUESTS'],
  }),
  getSecurityQuestionSetting: defineCall(ADDRESSES.getSecurityQuestionSetting, {
    tag: 'Settings',
    summary: 'Shows the security question. The answer is never returned.',
    answer: securityQuestionSettingSchema,
    errors: [],
  }),
  saveSecurityQuestionSetting: defineCall(ADDRESSES.saveSecurityQuestionSetting, {
    tag: 'Settings',
    summary: 'Sets or switches off the security question. Question and answer only count if it is active.',
    body: z.strictObject({
      is_active: z.boolean(),
      security_question_id: z.nullish(wholeNumber({ min: 0, max: INTEGER_MAX })),
      answer: z.nullish(
        z.string().check(
          z.maxLength(TEXT_MAX, VALIDATION_TEXTS.securityAnswer),
          z.refine((text) => !text.includes('\0'), 'Must not contain a NUL character.'),
        ),
      ),
    }),
    answer: securityQuestionSettingSchema,
    errors: ['INVALID_SECURITY_QUESTION', 'INVALID_SECURITY_ANSWER', 'ACCESS_DENIED', 'TOO_MANY_REQUESTS'],
  }),
  getEmailPreferences: defineCall(ADDRESSES.getEmailPreferences, {
    tag: 'Settings',
    summary: 'Shows which mails the player wants.',
    answer: emailPreferencesSchema,
    errors: [],
  }),
  saveEmailPreferences: defineCall(ADDRESSES.saveEmailPreferences, {
    tag: 'Settings',
    summary: 'Saves which mails the player wants. Account, payment and win mails are always sent.',
    body: z.strictObject({ is_lottery_games_active: z.boolean(), is_winners_and_good_causes_active: z.boolean() }),
    answer: okSchema,
    errors: [],
  }),
  getWinnerConsent: defineCall(ADDRESSES.getWinnerConsent, {
    tag: 'Settings',
    summary: "Shows whether the player's wins may be shown publicly under a masked name.",
    answer: winnerConsentSchema,
    errors: [],
  }),
  saveWinnerConsent: defineCall(ADDRESSES.saveWinnerConsent, {
    tag: 'Settings',
    summary: "Allows the player's wins to be shown publicly under a masked name, or revokes that.",
    body: z.strictObject({ is_shown: z.boolean() }),
    answer: winnerConsentSchema,
    errors: [],
  }),
  getTransactions: defineCall(ADDRESSES.getTransactions, {
    tag: 'Settings',
    summary: 'Lists payments, refunds and prizes of the player, newest first.',
    query: pagedQuery,
    answer: pageOf(transactionRowSchema),
    errors: [],
  }),
  getTickets: defineCall(ADDRESSES.getTickets, {
    tag: 'Settings',
    summary:
      'Lists the lines that the player holds, by order and draw: the draws to come, soonest first, then those drawn, newest first.',
    query: z.extend(pagedQuery, { game: z.optional(gameKey), draw: z.optional(drawNumber) }),
    answer: pageOf(ticketSchema),
    errors: ['NOT_FOUND'],
  }),
  getBalance: defineCall(ADDRESSES.getBalance, {
    tag: 'Settings',
    summary: 'Shows what waits for the player, what is on its way, what was paid, and the free tickets.',
    answer: balanceSchema,
    errors: [],
  }),
  getCryptoAccountDetails: defineCall(ADDRESSES.getCryptoAccountDetails, {
    tag: 'Settings',
    summary:
      'Shows where winnings are paid: the bitcoin address, the destination over Lightning, and which comes first.',
    answer: cryptoAccountDetailsSchema,
    errors: [],
  }),
  saveCryptoAccountDetails: defineCall(ADDRESSES.saveCryptoAccountDetails, {
    tag: 'Settings',
    summary:
      'Saves where winnings are paid; what is omitted stays. What is changed applies after 24 hours. `lightning`: null removes the destination at once; a new one is checked first, which may take ten seconds.',
    body: z
      .strictObject({
        btc_address: z.nullish(textUpTo(TEXT_MAX)),
        lightning: z.nullish(textUpTo(DESTINATION_MAX)),
        pay_first: z.nullish(payFirstSchema),
        ...proof,
      })
      .check(proofRequired()),
    answer: okSchema,
    errors: [
      'INVALID_BTC_ADDRESS',
      'INVALID_LIGHTNING_DESTINATION',
      'INVALID_CREDENTIALS',
      'INVALID_2FA_CODE',
      'ACCESS_DENIED',
      'TOO_MANY_REQUESTS',
    ],
  }),
  getResponsiblePlay: defineCall(ADDRESSES.getResponsiblePlay, {
    tag: 'Settings',
    summary: 'Shows the limits the player has set.',
    answer: responsiblePlaySchema,
    errors: [],
  }),
  saveResponsiblePlay: defineCall(ADDRESSES.saveResponsiblePlay, {
    tag: 'Settings',
    summary: 'Sets limits; an omitted limit stays. A lower limit applies immediately, a higher one after 24 hours.',
    body: z.strictObject({
      weekly_limit: z.nullish(weeklyLimit),
      // Read-only: accepted so that the answer of GET can be sent back whole, and ignored.
      weekly_left: z.nullish(weeklyLimit),
      weekly_limit_next: z.nullish(weeklyLimit),
      weekly_limit_next_at: z.nullish(wholeNumber({ min: 0, max: EPOCH_MAX })),
      time_out_until: z.nullish(wholeNumber({ min: 0, max: EPOCH_MAX })),
      excluded_until: z.nullish(wholeNumber({ min: 0, max: EPOCH_MAX })),
      reminder_minutes: z.nullish(wholeNumber({ min: 1, max: REMINDER_MINUTES_MAX })),
    }),
    answer: responsiblePlaySchema,
    errors: ['SELF_EXCLUDED'],
  }),
  getPersonalData: defineCall(ADDRESSES.getPersonalData, {
    tag: 'Settings',
    summary: 'Returns all data kept about the player.',
    answer: z.record(z.string(), z.unknown()),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  closeAccount: defineCall(ADDRESSES.closeAccount, {
    tag: 'Settings',
    summary: 'Closes the account of the player. Debts to the player and pending wins are paid out first.',
    body: z.strictObject(proof).check(proofRequired()),
    answer: okSchema,
    errors: ['INVALID_CREDENTIALS', 'INVALID_2FA_CODE', 'ACCESS_DENIED', 'TOO_MANY_REQUESTS'],
  }),
}
