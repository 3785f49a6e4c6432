/**
 * The text of every error a player can see, by its code. This table and the next are the only lists of codes: those of spec section 8,
 * then those of decisions section 2. The spec's texts are kept to the letter, misspellings included.
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
  INVALID_LIGHTNING_DESTINATION: 'Invalid Lightning address',
  GAME_NOT_AVAILABLE: 'The game is not available at the moment',
  RATE_UNAVAILABLE: 'The exchange rate is not available at the moment. Please try again later.',
  IDEMPOTENCY_CONFLICT: 'This request was already made with other contents.',
  LIMIT_REACHED: 'The limit is reached.',
  SELF_EXCLUDED: 'You have excluded yourself from playing.',
} as const satisfies Record<string, string>

/** The same for codes whose text is in the answer alone: pages show that, and load none of their own. */
export const ANSWERED_TEXTS = {
  ACCOUNT_BLOCKED: 'This account is blocked. Please contact us if you have a question about it.',
} as const satisfies Record<string, string>

/** The code of an error whose text pages have too. */
type CatalogueCode = keyof typeof ERROR_TEXTS
/** The code of an error a player can see (spec section 8, decisions section 2). */
export type ErrorCode = CatalogueCode | keyof typeof ANSWERED_TEXTS

/** Whether a text is an error code of the catalogue. */
export function isErrorCode(text: string): text is CatalogueCode {
  return Object.hasOwn(ERROR_TEXTS, text)
}

/** The text of an error. */
export function textOfError(code: ErrorCode): string {
  return isErrorCode(code) ? ERROR_TEXTS[code] : ANSWERED_TEXTS[code]
}

/**
 * The limit that refused an order: the player's own weekly limit, or one for all players: of a game or of open orders.
 */
export const LIMIT_REASONS = ['WEEKLY_LIMIT', 'GAME_LINES', 'EQUAL_LINES', 'OPEN_ORDERS'] as const

/** One of {@link LIMIT_REASONS}. */
export type LimitReason = (typeof LIMIT_REASONS)[number]

/** Optional parts of a `LotteryError`. */
interface LotteryErrorOptions {
  /** the problem of each field, by dotted name; with INVALID_PAYLOAD */
  readonly fields?: Readonly<Record<string, string>>
  /** the limit; with LIMIT_REACHED, and with TOO_MANY_REQUESTS for open orders */
  readonly reason?: LimitReason
  /** time to wait, in whole seconds; with TOO_MANY_REQUESTS */
  readonly retryAfterSeconds?: number
  /** the underlying failure; logged, never shown */
  readonly cause?: unknown
}

/** An error that a player can cause and sees. Mistakes of the program are assertions instead. */
export class LotteryError extends Error {
  readonly code: ErrorCode
  declare readonly fields?: Readonly<Record<string, string>>
  declare readonly reason?: LimitReason
  declare readonly retryAfterSeconds?: number

  /** @param message text for the player; by default the catalogue's, which has none for {@link accountBlocked} */
  constructor(
    code: ErrorCode,
    message: string = ERROR_TEXTS[code as CatalogueCode],
    options: LotteryErrorOptions = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'LotteryError'
    this.code = code
    if (options.fields !== undefined) this.fields = options.fields
    if (options.reason !== undefined) this.reason = options.reason
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The refusal of a player whom the operator keeps from buying or logging in. */
export function accountBlocked(): LotteryError {
  return new LotteryError('ACCOUNT_BLOCKED', ANSWERED_TEXTS.ACCOUNT_BLOCKED)
}
