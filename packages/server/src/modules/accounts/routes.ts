import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import type { Accounts } from './service.ts'
import { settingsRoutes } from './settings-routes.ts'

/** The calls of the accounts module: authentication, the profile, and the settings of the account. */
export function accountsRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { sessions, registration, login, passwordChanges, payoutAddress } = accounts

  route(app, calls.register, (request) => registration.register(request.body, request))
  route(app, calls.login, (request) => login.login(request.body, request))
  route(app, calls.checkLoginSecureKey, (request) => login.secondStepOf(request.query.key, request))
  route(app, calls.loginSecure, (request) => login.secondStep(request.body, request))
  route(app, calls.loginWithFacebook, async (request) => ({
    ...OK,
    data: await login.socialLogin('facebook', request.body.access_token, request),
  }))
  route(app, calls.loginWithGoogle, async (request) => ({
    ...OK,
    data: await login.socialLogin('google', request.body.access_token, request),
  }))
  route(app, calls.loginWithTwitter, async (request) => ({
    ...OK,
    data: await login.socialLogin('twitter', request.body.access_token, request),
  }))
  route(app, calls.refreshTokens, ({ token }) => sessions.refresh(token ?? ''))
  route(app, calls.logout, async ({ player }) => {
    await sessions.end(player)
    return OK
  })
  route(app, calls.getSessions, ({ player }) => sessions.list(player))
  route(app, calls.revokeSessions, async ({ player, body }) => {
    await sessions.revoke(player, body.tokens)
    return OK
  })

  route(app, calls.resendVerificationEmail, async ({ player }) => {
    await registration.resendVerification(player)
    return OK
  })
  route(app, calls.verifyEmail, async (request) => {
    await registration.verifyEmail(request.body.key, request)
    return OK
  })
  route(app, calls.requestPasswordReset, async (request) => {
    await passwordChanges.requestReset(request.query.email, request)
    return OK
  })
  route(app, calls.checkResetPasswordKey, async (request) => ({
    ...OK,
    data: await passwordChanges.checkResetKey(request.query.key, request),
  }))
  route(app, calls.resetPassword, async (request) => {
    await passwordChanges.reset(request.body, request)
    return OK
  })
  route(app, calls.stopAddressChange, async (request) => {
    await payoutAddress.stopChange(request.body.key, request)
    return OK
  })

  settingsRoutes(app, accounts)
}
