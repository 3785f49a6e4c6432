import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import type { Accounts } from './service.ts'

/** The calls of a signed-in player about the own account. */
export function settingsRoutes(app: FastifyInstance, accounts: Accounts): void {
  const {
    profile,
    proofs,
    passwordChanges,
    twoFactor,
    securityQuestion,
    payoutAddress,
    responsiblePlay,
    winnerConsent,
  } = accounts

  route(app, calls.getProfile, ({ player }) => profile.profileOf(player))
  route(app, calls.verifyPassword, async ({ player, body }) => {
    await proofs.verifyPassword(player, body.password)
    return OK
  })
  route(app, calls.getPersonalDetails, ({ player }) => profile.detailsOf(player))
  route(app, calls.savePersonalDetails, ({ player, body }) => profile.saveDetails(player, body))
  route(app, calls.getUsernameAvailability, async ({ player, params }) => [
    await profile.isUsernameAvailable(player, params.value),
  ])
  route(app, calls.getEmailAvailability, async ({ player, params }) => [
    await profile.isEmailAvailable(player, params.value),
  ])
  route(app, calls.changePassword, async ({ player, body }) => {
    await passwordChanges.change(player, body)
    return OK
  })

  route(app, calls.getTwofaQr, async ({ player }) => ({
    qr_code_uri: await twoFactor.propose(player),
  }))
  route(app, calls.verifyTwofa, async ({ player, body }) => ({
    ...OK,
    recovery_codes: await twoFactor.confirm(player, body.code),
  }))
  route(app, calls.disableTwofa, async ({ player, body }) => {
    await accounts.disableTwofa(player, body)
    return OK
  })
  route(app, calls.getSecurityQuestionSetting, ({ player }) => securityQuestion.settingOf(player.id))
  route(app, calls.saveSecurityQuestionSetting, ({ player, body }) => securityQuestion.save(player, body))

  route(app, calls.getCryptoAccountDetails, async ({ player }) => ({
    btc_address: await payoutAddress.latest(player.id),
  }))
  route(app, calls.saveCryptoAccountDetails, async ({ player, body }) => {
    await payoutAddress.save(player, body.btc_address, body)
    return OK
  })
  route(app, calls.getResponsiblePlay, ({ player }) => responsiblePlay.settingOf(player))
  route(app, calls.saveResponsiblePlay, ({ player, body }) => responsiblePlay.save(player, body))
  route(app, calls.getWinnerConsent, ({ player }) => winnerConsent.settingOf(player.id))
  route(app, calls.saveWinnerConsent, ({ player, body }) => winnerConsent.save(player, body))
  route(app, calls.getPersonalData, ({ player }) => accounts.personalData.exportOf(player))
  route(app, calls.closeAccount, async ({ player, body }) => {
    await accounts.closing.close(player, body)
    return OK
  })
}
