import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import type { PlayersContext } from './context.ts'
import { changePassword, checkResetKey, requestPasswordReset, resetPassword } from './password-changes.ts'
import { stopAddressChange } from './payout-address.ts'
import { payoutDetailsOf, savePayoutDetails } from './payout-details.ts'
import { detailsOf, isEmailAvailable, isUsernameAvailable, profileOf, saveDetails } from './profile.ts'
import { consentOf, saveConsent } from './winner-consent.ts'

/** The calls of players about their own accounts. */
export function playersRoutes(app: FastifyInstance, ctx: PlayersContext): void {
  route(app, calls.getProfile, ({ player }) => profileOf(ctx, player))
  route(app, calls.getPersonalDetails, ({ player }) => detailsOf(player))
  route(app, calls.savePersonalDetails, ({ player, body }) => saveDetails(ctx, player, body))
  route(app, calls.getUsernameAvailability, async ({ player, params }) => [
    await isUsernameAvailable(ctx, player, params.value),
  ])
  route(app, calls.getEmailAvailability, async ({ player, params }) => [
    await isEmailAvailable(ctx, player, params.value),
  ])
  route(app, calls.changePassword, async ({ player, body }) => {
    await changePassword(ctx, player, body)
    return OK
  })
  route(app, calls.requestPasswordReset, async (request) => {
    await requestPasswordReset(ctx, request.query.email, request)
    return OK
  })
  route(app, calls.checkResetPasswordKey, async (request) => ({
    ...OK,
    data: await checkResetKey(ctx, request.query.key, request),
  }))
  route(app, calls.resetPassword, async (request) => {
    await resetPassword(ctx, request.body, request)
    return OK
  })
  route(app, calls.getCryptoAccountDetails, ({ player }) => payoutDetailsOf(ctx, player.id))
  route(app, calls.saveCryptoAccountDetails, async ({ player, body }) => {
    await savePayoutDetails(ctx, player, body, body)
    return OK
  })
  route(app, calls.stopAddressChange, async (request) => {
    await stopAddressChange(ctx, request.body.key, request)
    return OK
  })
  route(app, calls.getWinnerConsent, ({ player }) => consentOf(ctx, player.id))
  route(app, calls.saveWinnerConsent, ({ player, body }) => saveConsent(ctx, player, body))
}
