import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { LIVE_CACHE, route } from '../../http/route.ts'
import { lastPlayedNumbers, removeNumbers, replaceSavedNumbers, savedNumbers } from './numbers.ts'
import { type GamesContext, gamesPlayedBy, listGames } from './service.ts'
import { listRetired, listVersions, openDrawsOf } from './version-views.ts'

/** The calls about games: the catalogue, and a player's saved numbers. */
export function gamesRoutes(app: FastifyInstance, games: GamesContext): void {
  const cached = { cache: LIVE_CACHE, isShared: true } as const
  route(app, calls.getGames, ({ player }) => listGames(games, player?.id ?? null), cached)
  route(app, calls.getRetiredGames, () => listRetired(games), cached)
  route(app, calls.getOpenDraws, ({ params }) => openDrawsOf(games, params.key, games.runtime.clock.now()), cached)
  route(app, calls.getGameVersions, ({ params }) => listVersions(games, params.key), cached)
  route(app, calls.getMyGames, ({ player }) => gamesPlayedBy(games, player.id))

  route(app, calls.getSavedNumbers, async ({ player, params }) =>
    okWith(await savedNumbers(games, player.id, params.key)),
  )
  route(app, calls.saveNumbers, async ({ player, params, body }) =>
    okWith(await replaceSavedNumbers(games, player.id, params.key, body.lines)),
  )
  route(app, calls.deleteSavedNumbers, async ({ player, params }) => {
    await removeNumbers(games, player.id, params.key)
    return okWith([])
  })
  route(app, calls.getLastPlayedNumbers, ({ player, params }) => lastPlayedNumbers(games, player.id, params.key))
}

function okWith<Data>(data: Data): { ok: true; data: Data } {
  return { ok: true, data }
}
