/**
 * The text of every error a player can meet, by its code. This table is the only list of codes: spec section 8, then
 * the codes decisions section 2 adds. The spec's texts are kept to the letter, misspellings included.
 */
export const ERROR_TEXTS = {
  INVALID_PAYLOAD: 'One or more of the required fields below are not filled in. Please check and try again!',
  REQUIRE_EMAIL: 'Email is required.',
  REQUIRE_EMAIL_AND_PASSWORD: 'Email and password are both required.',
  INVALID_KEY: 'Invalid key.',
  INVALID_EMAIL: 'Invalid email address.',
  INVALID_2FA_CODE: 'Invalid 2FA authorization code.',
  INVALID_PASSWORD: 'Password not strong enought.',
  INVALID_CREDENTIALS: 'Invalid credentials.',
  INVALID_SECURITY_ANSWER: 'Invalid security answer.',
  INVALID_SECURITY_QUESTION: 'Invalid security question.',
  INVALID_SECURITY_QUESTION_OR_ANSWER: 'Invalid security question or answer.',
  MISMATCH_EMAIL_AND_CONFIRM_EMAIL: 'Email and confirm email do not match.',
  MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD: 'Password and confirm password do not match',
  ACCESS_DENIED: 'Access denied!',
  EMAIL_OCCUPIED: 'Email address is already occipied.',
  SOCIAL_LOGIN_FAILED: 'Login via social network unsuccessful! Please try again.',
  INTERNAL_SERVER_ERROR: 'Unexpected error! Please try again.',
  facebook_login_failed: 'Unable to log in via Facebook.',
  google_login_failed: 'Unable to log in via Google.',
  twitter_login_failed: 'Unable to log in via Twitter.',
  NOT_FOUND: 'Not found.',
  TOO_MANY_REQUESTS: 'Too many requests. Please wait a while before you try again.',
  USERNAME_OCCUPIED: 'Username is already occupied.',
  INVALID_USERNAME: 'Invalid username.',
  INVALID_BTC_ADDRESS: 'Invalid BTC (Bitcoin) address',
  GAME_NOT_AVAILABLE: 'The game is not available at the moment',
  RATE_UNAVAILABLE: 'The exchange rate is not available at the moment. Please try again later.',
  IDEMPOTENCY_CONFLICT: 'This request was already made with other contents.',
  LIMIT_REACHED: 'The limit is reached.',
  SELF_EXCLUDED: 'You have excluded yourself from playing.',
} as const satisfies Record<string, string>

/** The code of an error a player can meet (spec section 8, decisions section 2). */
export type ErrorCode = keyof typeof ERROR_TEXTS

/** Whether a text that came from elsewhere is one of our error codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_TEXTS, text)
}

/** Which limit refused an order: the player's own for a week, or those of a game and of open orders, which are for everybody. */
export const LIMIT_REASONS = ['WEEKLY_LIMIT', 'GAME_LINES', 'EQUAL_LINES', 'OPEN_ORDERS'] as const

/** One of {@link LIMIT_REASONS}. */
export type LimitReason = (typeof LIMIT_REASONS)[number]

/** What a `LotteryError` may carry besides its code and message. */
interface LotteryErrorOptions {
  /** what is wrong with each field, by dotted name; beside INVALID_PAYLOAD */
  readonly fields?: Readonly<Record<string, string>>
  /** which limit it was; beside LIMIT_REACHED, and TOO_MANY_REQUESTS for open orders */
  readonly reason?: LimitReason
  /** how long to wait, in whole seconds; beside TOO_MANY_REQUESTS */
  readonly retryAfterSeconds?: number
  /** what failed underneath; logged, never shown */
  readonly cause?: unknown
}

/** An error that a player can cause and sees. What only the program can cause is an assertion instead. */
export class LotteryError extends Error {
  readonly code: ErrorCode
  declare readonly fields?: Readonly<Record<string, string>>
  declare readonly reason?: LimitReason
  declare readonly retryAfterSeconds?: number

  /** @param message what the player reads; the catalogue's text when left out */
  constructor(code: ErrorCode, message: string = ERROR_TEXTS[code], options: LotteryErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'LotteryError'
    this.code = code
    if (options.fields !== undefined) this.fields = options.fields
    if (options.reason !== undefined) this.reason = options.reason
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds
  }
}
