/** The HTTP status of every error code: decisions, section 2. A code without a status does not compile. */
import type { ErrorCode } from '@fairball/domain/errors'

export const HTTP_STATUS = {
  INVALID_PAYLOAD: 400,
  REQUIRE_EMAIL: 400,
  REQUIRE_EMAIL_AND_PASSWORD: 400,
  INVALID_KEY: 400,
  INVALID_EMAIL: 400,
  INVALID_2FA_CODE: 400,
  INVALID_PASSWORD: 400,
  INVALID_CREDENTIALS: 400,
  INVALID_SECURITY_ANSWER: 400,
  INVALID_SECURITY_QUESTION: 400,
  INVALID_SECURITY_QUESTION_OR_ANSWER: 400,
  MISMATCH_EMAIL_AND_CONFIRM_EMAIL: 400,
  MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD: 400,
  INVALID_USERNAME: 400,
  INVALID_BTC_ADDRESS: 400,
  INVALID_LIGHTNING_DESTINATION: 400,
  SOCIAL_LOGIN_FAILED: 400,
  facebook_login_failed: 400,
  google_login_failed: 400,
  twitter_login_failed: 400,
  ACCESS_DENIED: 403,
  LIMIT_REACHED: 403,
  SELF_EXCLUDED: 403,
  ACCOUNT_BLOCKED: 403,
  NOT_FOUND: 404,
  EMAIL_OCCUPIED: 409,
  USERNAME_OCCUPIED: 409,
  GAME_NOT_AVAILABLE: 409,
  IDEMPOTENCY_CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  RATE_UNAVAILABLE: 503,
} satisfies Record<ErrorCode, number>

/**
 * The answer to a missing, expired or revoked bearer. The catalogue has no code for it: it is ACCESS_DENIED, and the
 * status distinguishes it from a refusal of a known player, which is 403.
 */
export const UNAUTHORIZED = { status: 401, code: 'ACCESS_DENIED' } as const satisfies { status: 401; code: ErrorCode }
