/** A player's account in answers: sessions, profile, settings. */
import * as z from 'zod/mini'
import { drawRefSchema } from './game.ts'
import { amountSchema } from './money.ts'

/** A session: the access token is valid for 10 minutes, the refresh token is rotated at every use. */
export const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string() })

/** A login that needs a second step: its key. */
const loginKeySchema = z.object({ key: z.string() })

/** The answer of a login: a session, or the key of its second step. */
export const loginAnswerSchema = z.union([tokensSchema, loginKeySchema])
export type LoginAnswer = z.output<typeof loginAnswerSchema>

/** The options for the second step of a login, and the seconds left. */
export const loginSecureStateSchema = z.object({
  expires_in: z.int(),
  is_two_fa_enabled: z.boolean(),
  is_security_question_enabled: z.boolean(),
})

/** A session in the list; `access_token` is a handle for revoking it, not a credential. */
export const sessionSchema = z.object({
  created_at: z.int(),
  fingerprint: z.string(),
  is_current_session: z.boolean(),
  access_token: z.string(),
})
export type Session = z.output<typeof sessionSchema>

/** The facts that pages need of the signed-in player. */
export const profileSchema = z.object({
  username: z.string(),
  email: z.string(),
  currency_code: z.string(),
  is_email_verified: z.boolean(),
  is_social_account: z.boolean(),
  is_two_fa_enabled: z.boolean(),
  is_security_question_enabled: z.boolean(),
  /** The IANA name, such as `Europe/London`, for the offset at any moment. */
  time_zone: z.string(),
  /** The offset now, in seconds. */
  timezone_utc_offset: z.int(),
  unread_messages: z.int(),
})

/** A message to the player; `content` is sanitised HTML, and `action` the page of this site that it leads to. */
export const messageSchema = z.object({
  id: z.string(),
  created_at: z.int(),
  title: z.string(),
  content: z.string(),
  action: z.nullable(z.object({ label: z.string(), path: z.string() })),
  is_read: z.boolean(),
})
export type Message = z.output<typeof messageSchema>

export const personalDetailsSchema = z.object({
  username: z.string(),
  email: z.string(),
  timezone_id: z.int(),
  currency_id: z.int(),
})
export type PersonalDetails = z.output<typeof personalDetailsSchema>

/** A list of one: whether the name can be taken. */
export const availabilitySchema = z.array(z.boolean()).check(z.length(1))

/** The security question; `answer` is always empty in answers. */
export const securityQuestionSettingSchema = z.object({
  is_active: z.boolean(),
  security_question_id: z.nullable(z.int()),
  answer: z.string(),
})
export type SecurityQuestionSetting = z.output<typeof securityQuestionSettingSchema>

export const emailPreferencesSchema = z.object({
  is_lottery_games_active: z.boolean(),
  is_winners_and_good_causes_active: z.boolean(),
})
export type EmailPreferences = z.output<typeof emailPreferencesSchema>

/** Whether the player's wins may be shown publicly, under a masked name. */
export const winnerConsentSchema = z.object({ is_shown: z.boolean() })
export type WinnerConsent = z.output<typeof winnerConsentSchema>

/** What proves a payment over Lightning: the preimage is known only once the payee has been paid. */
const receiptSchema = z.object({ payment_hash: z.string(), preimage: z.string(), invoice: z.string() })

/**
 * A row of the transaction history: a payment, a refund or a prize. `transaction_id` is the order's, `play_id` names the
 * ticket; each is null where the row is about several, or none. `draws` are numbers within the game.
 */
export const transactionRowSchema = z.object({
  id: z.string(),
  game_key: z.nullable(z.string()),
  draws: z.array(z.int()),
  play_id: z.nullable(z.string()),
  transaction_id: z.nullable(z.string()),
  datetime: z.int(),
  type: z.enum(['PAYMENT', 'REFUND', 'PRIZE']),
  network: z.enum(['BITCOIN', 'LIGHTNING', 'ONCHAIN']),
  /**
   * The bitcoin transactions behind the row; the link is null if the network has no explorer. A payment over Lightning
   * has the label `Lightning` and no link.
   */
  transactions: z.array(z.object({ tnx_link: z.nullable(z.string()), tnx_label: z.string() })),
  status: z.enum(['UNDERPAID', 'PROCESSING', 'REFUNDED', 'PAID', 'EXPIRED']),
  amount: amountSchema,
  /** Of a payout over Lightning that has arrived. */
  receipt: z.nullable(receiptSchema),
})
export type TransactionRow = z.output<typeof transactionRowSchema>

/**
 * The way of a sum to the player. WAITING says why and until when, if that is known; SCHEDULED leaves by a
 * time, which is null once that has passed; SENT is in a transaction; CONFIRMED is in a block, or was paid over
 * Lightning, with a receipt. `confirmations` is 0, 1 or 6: as many at least; over Lightning 0. `address` is where it
 * goes: a bitcoin address, or over Lightning the destination as it was saved.
 */
export const payoutSchema = z.object({
  status: z.enum(['WAITING', 'SCHEDULED', 'SENT', 'CONFIRMED']),
  reason: z.nullable(
    z.enum(['NO_ADDRESS', 'EMAIL_UNVERIFIED', 'ADDRESS_CHANGED', 'BELOW_MINIMUM', 'ON_HOLD', 'NO_ANSWER', 'TOO_LARGE']),
  ),
  amount: amountSchema,
  leaves_by: z.nullable(z.int()),
  sent_at: z.nullable(z.int()),
  available_from: z.nullable(z.int()),
  address: z.nullable(z.string()),
  txid: z.nullable(z.string()),
  link: z.nullable(z.string()),
  confirmations: z.int(),
  network: z.enum(['LIGHTNING', 'ONCHAIN']),
  receipt: z.nullable(receiptSchema),
})
export type Payout = z.output<typeof payoutSchema>

/** A sum owed to the player that has not left. Amounts are before its share of the network's fee. */
const balanceItemSchema = z.object({
  kind: z.enum(['PRIZE', 'REFUND', 'EXCESS']),
  game_key: z.nullable(z.string()),
  draw: z.nullable(drawRefSchema),
  play_id: z.nullable(z.string()),
  amount: amountSchema,
  payout: payoutSchema,
})
const balancePartSchema = z.object({ total: amountSchema, items: z.array(balanceItemSchema) })

/**
 * The player's money: what waits, what is in a payout that has not left, and what was paid in all; and the free tickets
 * that no order holds. The first two equal the ledger's winnings of the player and the payouts in flight.
 */
export const balanceSchema = z.object({
  waiting: balancePartSchema,
  on_its_way: balancePartSchema,
  paid: z.object({ total: amountSchema, last_at: z.nullable(z.int()) }),
  free_tickets: z.array(z.object({ game_key: z.string(), count: z.int() })),
})
export type Balance = z.output<typeof balanceSchema>

/** Which way winnings are paid first. */
export const payFirstSchema = z.enum(['LIGHTNING', 'ONCHAIN'])
export type PayFirst = z.output<typeof payFirstSchema>

/** The kinds of destinations over Lightning: a Lightning address, a BOLT 12 offer. */
const destinationKindSchema = z.enum(['ADDRESS', 'OFFER'])

/** Where winnings are paid, as last saved; null before. A change waits until its time, in epoch seconds. */
export const cryptoAccountDetailsSchema = z.object({
  btc_address: z.nullable(z.string()),
  lightning: z.nullable(z.object({ kind: destinationKindSchema, value: z.string(), usable_from: z.int() })),
  pay_first: z.nullable(payFirstSchema),
  /** From when `pay_first` counts; null while nothing is chosen. */
  pay_first_from: z.nullable(z.int()),
  /** What can be saved as `lightning` here: nothing if payouts leave on the chain alone. */
  lightning_kinds: z.array(destinationKindSchema),
})
export type CryptoAccountDetails = z.output<typeof cryptoAccountDetailsSchema>

/** The player's limits. `weekly_limit` is in the player's currency. */
export const responsiblePlaySchema = z.object({
  weekly_limit: z.nullable(z.number()),
  /** What is left of it for an order made now; null without a limit, or while there is no rate to tell it by. */
  weekly_left: z.nullable(z.number()),
  /** The next limit, from `weekly_limit_next_at` on; meaningless while that is null. */
  weekly_limit_next: z.nullable(z.number()),
  weekly_limit_next_at: z.nullable(z.int()),
  time_out_until: z.nullable(z.int()),
  excluded_until: z.nullable(z.int()),
  reminder_minutes: z.nullable(z.int()),
})
export type ResponsiblePlay = z.output<typeof responsiblePlaySchema>
