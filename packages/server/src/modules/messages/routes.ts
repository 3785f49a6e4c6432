import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import type { Messages } from './service.ts'

/** The calls of the inbox and of the mail preferences. */
export function messagesRoutes(app: FastifyInstance, messages: Messages): void {
  route(app, calls.getMessages, ({ player, query }) => messages.list(player.id, query._page))
  route(app, calls.markMessage, async ({ player, params, body }) => {
    await messages.mark(player.id, params.id, body.is_read)
    return OK
  })
  route(app, calls.getEmailPreferences, async ({ player }) => {
    const wanted = await messages.preferencesOf(player.id)
    return {
      is_lottery_games_active: wanted.isLotteryGamesActive,
      is_winners_and_good_causes_active: wanted.isWinnersAndGoodCausesActive,
    }
  })
  route(app, calls.saveEmailPreferences, async ({ player, body }) => {
    await messages.savePreferences(player.id, {
      isLotteryGamesActive: body.is_lottery_games_active,
      isWinnersAndGoodCausesActive: body.is_winners_and_good_causes_active,
    })
    return OK
  })
}
