import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import {
  countUnread,
  listMessages,
  markAllMessages,
  markMessage,
  type MessagesContext,
  preferencesOf,
  savePreferences,
} from './service.ts'

/** The calls of the inbox and of the mail preferences. */
export function messagesRoutes(app: FastifyInstance, messages: MessagesContext): void {
  route(app, calls.getMessages, ({ player, query }) => listMessages(messages, player.id, query._page))
  route(app, calls.markMessage, async ({ player, params, body }) => {
    await markMessage(messages, player.id, params.id, body.is_read)
    return OK
  })
  route(app, calls.getUnreadMessages, async ({ player }) => ({ count: await countUnread(messages, player.id) }))
  route(app, calls.markAllMessages, async ({ player }) => {
    await markAllMessages(messages, player.id)
    return OK
  })
  route(app, calls.getEmailPreferences, async ({ player }) => {
    const wanted = await preferencesOf(messages, player.id)
    return {
      is_lottery_games_active: wanted.isLotteryGamesActive,
      is_winners_and_good_causes_active: wanted.isWinnersAndGoodCausesActive,
    }
  })
  route(app, calls.saveEmailPreferences, async ({ player, body }) => {
    await savePreferences(messages, player.id, {
      isLotteryGamesActive: body.is_lottery_games_active,
      isWinnersAndGoodCausesActive: body.is_winners_and_good_causes_active,
    })
    return OK
  })
}
