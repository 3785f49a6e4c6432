import { ANSWERED_TEXTS, ERROR_TEXTS } from '@fairball/domain/errors'
import { describe, expect, it } from 'vitest'
import { HTTP_STATUS, UNAUTHORIZED } from './http-status.ts'

/** Spec section 8 to the letter, its misspellings included. */
const SPEC_CATALOGUE = {
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
}

/** The codes of decisions section 2, with their statuses. */
const ADDED_CODES = {
  NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  USERNAME_OCCUPIED: 409,
  INVALID_USERNAME: 400,
  INVALID_BTC_ADDRESS: 400,
  INVALID_LIGHTNING_DESTINATION: 400,
  GAME_NOT_AVAILABLE: 409,
  RATE_UNAVAILABLE: 503,
  IDEMPOTENCY_CONFLICT: 409,
  LIMIT_REACHED: 403,
  SELF_EXCLUDED: 403,
  ACCOUNT_BLOCKED: 403,
}

describe('the list of error codes', () => {
  it('the list has the catalogue of the spec, its texts to the letter', () => {
    expect(ERROR_TEXTS).toMatchObject(SPEC_CATALOGUE)
  })

  it('the list has no codes beyond the catalogue and the decisions', () => {
    expect(Object.keys(HTTP_STATUS).toSorted()).toEqual(
      [...Object.keys(SPEC_CATALOGUE), ...Object.keys(ADDED_CODES)].toSorted(),
    )
    expect(HTTP_STATUS).toMatchObject(ADDED_CODES)
  })

  it('every code has a text', () => {
    for (const code of Object.keys(HTTP_STATUS))
      expect({ ...ERROR_TEXTS, ...ANSWERED_TEXTS }, code).toHaveProperty(code, expect.stringMatching(/./))
  })

  it('no code has the status 401, which is only for the bearer', () => {
    expect(Object.values(HTTP_STATUS)).not.toContain(401)
    expect(UNAUTHORIZED.status).toBe(401)
  })

  it.each([
    ['INVALID_CREDENTIALS', 400],
    ['INVALID_2FA_CODE', 400],
    ['ACCESS_DENIED', 403],
    ['EMAIL_OCCUPIED', 409],
    ['INTERNAL_SERVER_ERROR', 500],
  ] as const)('answers %s with %i', (code, status) => {
    expect(HTTP_STATUS[code]).toBe(status)
  })
})
