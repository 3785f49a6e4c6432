import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import type { IdentityContext } from './context.ts'
import { logIn, secondStep, secondStepOf, socialLogin } from './login.ts'
import { requireProof, verifyPassword } from './proof.ts'
import { register, resendVerification, verifyEmail } from './registration.ts'
import { saveSecurityQuestion, securityQuestionOf } from './security-question.ts'
import { endSession, listSessions, refreshSession, revokeSessions } from './sessions.ts'
import { confirmTwofa, disableTwofa, proposeTwofa } from './two-factor.ts'

/** The calls by which players authenticate, and choose how. */
export function identityRoutes(app: FastifyInstance, ctx: IdentityContext): void {
  route(app, calls.register, (request) => register(ctx, request.body, request))
  route(app, calls.login, (request) => logIn(ctx, request.body, request))
  route(app, calls.checkLoginSecureKey, (request) => secondStepOf(ctx, request.query.key, request))
  route(app, calls.loginSecure, (request) => secondStep(ctx, request.body, request))
  route(app, calls.loginWithFacebook, async (request) => ({
    ...OK,
    data: await socialLogin(ctx, 'facebook', request.body.access_token, request),
  }))
  route(app, calls.loginWithGoogle, async (request) => ({
    ...OK,
    data: await socialLogin(ctx, 'google', request.body.access_token, request),
  }))
  route(app, calls.loginWithTwitter, async (request) => ({
    ...OK,
    data: await socialLogin(ctx, 'twitter', request.body.access_token, request),
  }))
  route(app, calls.refreshTokens, ({ token }) => refreshSession(ctx, token ?? ''))
  route(app, calls.logout, async ({ player }) => {
    await endSession(ctx, player)
    return OK
  })
  route(app, calls.getSessions, ({ player }) => listSessions(ctx, player))
  route(app, calls.revokeSessions, async ({ player, body }) => {
    await revokeSessions(ctx, player, body.tokens)
    return OK
  })
  route(app, calls.resendVerificationEmail, async ({ player }) => {
    await resendVerification(ctx, player)
    return OK
  })
  route(app, calls.verifyEmail, async (request) => {
    await verifyEmail(ctx, request.body.key, request)
    return OK
  })
  route(app, calls.verifyPassword, async ({ player, body }) => {
    await verifyPassword(ctx, player, body.password)
    return OK
  })
  route(app, calls.getTwofaQr, async ({ player }) => ({ qr_code_uri: await proposeTwofa(ctx, player) }))
  route(app, calls.verifyTwofa, async ({ player, body }) => ({
    ...OK,
    recovery_codes: await confirmTwofa(ctx, player, body.code),
  }))
  route(app, calls.disableTwofa, async ({ player, body }) => {
    await requireProof(ctx, player, body)
    await disableTwofa(ctx, player)
    return OK
  })
  route(app, calls.getSecurityQuestionSetting, ({ player }) => securityQuestionOf(ctx, player.id))
  route(app, calls.saveSecurityQuestionSetting, ({ player, body }) => saveSecurityQuestion(ctx, player, body))
}
