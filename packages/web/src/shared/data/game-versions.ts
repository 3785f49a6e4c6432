import { queryOptions, useQuery } from '@tanstack/react-query'
import type { RetiredGame } from '@fairball/contract/schemas/game'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'
import type { WorldGame } from '../world-style.ts'
import { showWorlds } from '../worlds.ts'
import type { Game } from './games.ts'

/** The announced versions of a game's rules, newest first. */
export function versionsQuery(api: Api, gameKey: string) {
  return queryOptions({
    queryKey: ['game-versions', gameKey],
    queryFn: ({ signal }) => api.call('getGameVersions', { params: { key: gameKey }, signal }),
    staleTime: 60_000,
  })
}

/** The look of a game that is no longer drawn: its colour, plain. */
export function lookOfEnded({ key, color }: Pick<RetiredGame, 'key' | 'color'>): WorldGame {
  return { key, color, pattern: 'solid' }
}

/** The games that are no longer drawn. */
export function retiredGamesQuery(api: Api) {
  return queryOptions({
    queryKey: ['retired-games'],
    queryFn: async ({ signal }) => {
      const games = await api.call('getRetiredGames', { signal })
      showWorlds(games.map(lookOfEnded))
      return games
    },
    staleTime: 60_000,
  })
}

/** @returns the query of a game's versions */
export function useGameVersions(gameKey: string) {
  return useQuery(versionsQuery(useApi(), gameKey))
}

/** @returns the query of the draws that can be bought; idle for a game whose rules do not change: all cost the same */
export function useOpenDraws({ key, change }: Pick<Game, 'key' | 'change'>) {
  const api = useApi()
  return useQuery({
    queryKey: ['open-draws', key, change?.version ?? null],
    queryFn: ({ signal }) => api.call('getOpenDraws', { params: { key }, signal }),
    enabled: change !== null,
    staleTime: 15_000,
  })
}
