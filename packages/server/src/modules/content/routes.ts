import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import type { Content } from './service.ts'

/** Catalogues change with a release only. */
const CATALOGUE = { cache: { seconds: 300 } }
const SHORT = { cache: { seconds: 5 } }

/** The calls of the content module. */
export function contentRoutes(app: FastifyInstance, content: Content): void {
  route(app, calls.getCountries, () => content.countries(), CATALOGUE)
  route(app, calls.getTimezones, () => content.timezones(), CATALOGUE)
  route(app, calls.getCurrencies, () => content.currencies(), CATALOGUE)
  route(app, calls.getSecurityQuestions, () => content.securityQuestions(), CATALOGUE)
  route(app, calls.getWinners, () => content.winners(), SHORT)
  route(app, calls.getCauses, () => content.causes(), SHORT)
  route(app, calls.sendContactMessage, async ({ player, body, address }) => {
    await content.contact(body, { playerId: player?.id ?? null, address })
    return OK
  })
}
