/** Opening an account, logging in and out, sessions, and links from mails. */
import { TEXT_MAX } from '@fairball/domain/validation'
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { loginAnswerSchema, loginSecureStateSchema, sessionSchema, tokensSchema } from '../schemas/account.ts'
import { okSchema, okWith } from '../schemas/answers.ts'
import { catalogueId, filledText, passwordText, secretKey, textUpTo, twofaCode } from '../schemas/text.ts'

/** Maximum number of characters of a social provider's token. */
const PROVIDER_TOKEN_MAX = 8192
/** Maximum number of sessions that one call revokes; their handles fit into the body limit. */
const REVOKED_MAX = 250

/** The common part of the three social logins, which only differ in the provider. */
const socialLogin = {
  tag: 'Authentication',
  body: z.strictObject({ access_token: filledText(PROVIDER_TOKEN_MAX) }),
  answer: okWith(loginAnswerSchema),
  errors: ['SOCIAL_LOGIN_FAILED', 'SELF_EXCLUDED', 'ACCOUNT_BLOCKED', 'ACCESS_DENIED', 'TOO_MANY_REQUESTS'],
} as const

export const authCalls = {
  register: defineCall(ADDRESSES.register, {
    tag: 'Authentication',
    summary: 'Opens an account, signs in, and mails a link that verifies the address.',
    body: z.strictObject({ email: textUpTo(TEXT_MAX), email_confirm: textUpTo(TEXT_MAX), password: passwordText }),
    answer: loginAnswerSchema,
    errors: [
      'INVALID_EMAIL',
      'MISMATCH_EMAIL_AND_CONFIRM_EMAIL',
      'INVALID_PASSWORD',
      'EMAIL_OCCUPIED',
      'SELF_EXCLUDED',
      'TOO_MANY_REQUESTS',
    ],
  }),
  login: defineCall(ADDRESSES.login, {
    tag: 'Authentication',
    summary: 'Signs in with an email address or a username, or returns the key of the second step.',
    // The error for a missing one is REQUIRE_EMAIL_AND_PASSWORD, so both are optional here.
    body: z.strictObject({
      email_or_username: z.optional(textUpTo(TEXT_MAX)),
      password: z.optional(passwordText),
    }),
    answer: loginAnswerSchema,
    errors: [
      'REQUIRE_EMAIL_AND_PASSWORD',
      'INVALID_CREDENTIALS',
      'ACCOUNT_BLOCKED',
      'ACCESS_DENIED',
      'TOO_MANY_REQUESTS',
    ],
  }),
  loginSecure: defineCall(ADDRESSES.loginSecure, {
    tag: 'Authentication',
    summary: 'Completes the second step of a login: an authenticator or recovery code, or the security question.',
    body: z
      .strictObject({
        key: secretKey,
        twofa_code: z.nullish(twofaCode),
        recovery_code: z.nullish(filledText(TEXT_MAX)),
        security_question_id: z.nullish(catalogueId),
        security_answer: z.nullish(textUpTo(TEXT_MAX)),
      })
      .check(
        z.refine((body) => body.twofa_code != null || body.recovery_code != null || body.security_question_id != null, {
          path: ['twofa_code'],
          error: 'A code or the answer to the security question is required.',
        }),
      ),
    answer: loginAnswerSchema,
    errors: [
      'INVALID_KEY',
      'INVALID_2FA_CODE',
      'INVALID_SECURITY_QUESTION',
      'INVALID_SECURITY_ANSWER',
      'INVALID_SECURITY_QUESTION_OR_ANSWER',
      'ACCOUNT_BLOCKED',
      'TOO_MANY_REQUESTS',
    ],
  }),
  loginWithFacebook: defineCall(ADDRESSES.loginWithFacebook, {
    ...socialLogin,
    summary: 'Signs in with a Facebook token, which is verified with Facebook.',
  }),
  loginWithGoogle: defineCall(ADDRESSES.loginWithGoogle, {
    ...socialLogin,
    summary: 'Signs in with a Google token, which is verified with Google.',
  }),
  loginWithTwitter: defineCall(ADDRESSES.loginWithTwitter, {
    ...socialLogin,
    summary:
      'Signs in with a grant of X. X does not show for which application a token was made, so `access_token` is the PKCE verifier, a dot, and the authorization code: the server exchanges the code for a token itself.',
  }),
  refreshTokens: defineCall(ADDRESSES.refreshTokens, {
    tag: 'Authentication',
    summary: 'Exchanges the refresh token, sent as bearer, for a new pair. Using an old one again ends the session.',
    answer: tokensSchema,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  logout: defineCall(ADDRESSES.logout, {
    tag: 'Authentication',
    summary: 'Ends the session of the access token.',
    answer: okSchema,
    errors: [],
  }),
  checkLoginSecureKey: defineCall(ADDRESSES.checkLoginSecureKey, {
    tag: 'Authentication',
    summary: 'Shows the options for the second step of a login, and the seconds left for it.',
    query: z.object({ key: secretKey }),
    answer: loginSecureStateSchema,
    errors: ['INVALID_KEY', 'TOO_MANY_REQUESTS'],
  }),
  resendVerificationEmail: defineCall(ADDRESSES.resendVerificationEmail, {
    tag: 'Authentication',
    summary: 'Mails the player a new link that verifies the address.',
    answer: okSchema,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  verifyEmail: defineCall(ADDRESSES.verifyEmail, {
    tag: 'Authentication',
    summary: 'Marks an email address as verified, with the key from the mail.',
    body: z.strictObject({ key: secretKey }),
    answer: okSchema,
    errors: ['INVALID_KEY', 'EMAIL_OCCUPIED', 'TOO_MANY_REQUESTS'],
  }),
  requestPasswordReset: defineCall(ADDRESSES.requestPasswordReset, {
    tag: 'Authentication',
    summary: 'Mails a link that resets the password. The answer is the same whether or not the address is known.',
    // The error for a missing address is REQUIRE_EMAIL, so it is optional here.
    query: z.object({ email: z.optional(textUpTo(TEXT_MAX)) }),
    answer: okSchema,
    errors: ['REQUIRE_EMAIL', 'INVALID_EMAIL', 'TOO_MANY_REQUESTS'],
  }),
  checkResetPasswordKey: defineCall(ADDRESSES.checkResetPasswordKey, {
    tag: 'Authentication',
    summary: 'Shows whether a reset link is valid, and whether resetting needs an authenticator code.',
    query: z.object({ key: secretKey }),
    answer: okWith(z.object({ is_two_fa_enabled: z.boolean() })),
    errors: ['INVALID_KEY', 'TOO_MANY_REQUESTS'],
  }),
  resetPassword: defineCall(ADDRESSES.resetPassword, {
    tag: 'Authentication',
    summary:
      'Sets a new password with the key from the mail, and ends every session. With two-factor on it also needs an authenticator code or a recovery code.',
    body: z.strictObject({
      key: secretKey,
      password: passwordText,
      password_confirm: passwordText,
      twofa_code: z.nullish(twofaCode),
      recovery_code: z.nullish(filledText(TEXT_MAX)),
    }),
    answer: okSchema,
    errors: [
      'INVALID_KEY',
      'INVALID_PASSWORD',
      'MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD',
      'INVALID_2FA_CODE',
      'TOO_MANY_REQUESTS',
    ],
  }),
  stopAddressChange: defineCall(ADDRESSES.stopAddressChange, {
    tag: 'Authentication',
    summary: 'Reverts a changed bitcoin address with the key from the mail about it, and ends every session.',
    body: z.strictObject({ key: secretKey }),
    answer: okSchema,
    errors: ['INVALID_KEY', 'TOO_MANY_REQUESTS'],
  }),
  getSessions: defineCall(ADDRESSES.getSessions, {
    tag: 'Authentication',
    summary: 'Lists the sessions of the player.',
    answer: z.array(sessionSchema),
    errors: [],
  }),
  revokeSessions: defineCall(ADDRESSES.revokeSessions, {
    tag: 'Authentication',
    summary: 'Ends sessions of the player, given by their handles in the sessions list.',
    body: z.strictObject({
      tokens: z
        .array(filledText(TEXT_MAX))
        .check(
          z.minLength(1, 'Must name at least one session.'),
          z.maxLength(REVOKED_MAX, `Must name at most ${REVOKED_MAX} sessions.`),
        ),
    }),
    answer: okSchema,
    errors: ['NOT_FOUND'],
  }),
}
