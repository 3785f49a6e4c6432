import { calls } from '@fairball/contract/calls'
import { CURRENCIES } from '@fairball/domain/fiat'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import { COUNTRIES } from './countries.ts'
import { SECURITY_QUESTIONS } from './security-questions.ts'
import { type ContentContext, listWinners, takeContactMessage } from './service.ts'
import { TIMEZONES } from './timezones.ts'

/** Catalogues change only with a release. */
const CATALOGUE = { cache: { seconds: 300 } }
const SHORT = { cache: { seconds: 5 } }

/** The calls of the content module. */
export function contentRoutes(app: FastifyInstance, ctx: ContentContext): void {
  route(app, calls.getCountries, () => [...COUNTRIES], CATALOGUE)
  route(app, calls.getTimezones, () => TIMEZONES.map(({ id, label }) => ({ id, label })), CATALOGUE)
  route(app, calls.getCurrencies, () => CURRENCIES.map(({ id, code }) => ({ id, code })), CATALOGUE)
  route(app, calls.getSecurityQuestions, () => [...SECURITY_QUESTIONS], CATALOGUE)
  route(app, calls.getWinners, () => listWinners(ctx), SHORT)
  route(app, calls.getCauses, () => [...ctx.causes()], SHORT)
  route(app, calls.sendContactMessage, async ({ player, body, address }) => {
    await takeContactMessage(ctx, body, { playerId: player?.id ?? null, address })
    return OK
  })
}
