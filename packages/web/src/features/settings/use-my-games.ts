import { useQuery } from '@tanstack/react-query'
import type { MyGame } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'
import { lookOfEnded } from '../../shared/data/game-versions.ts'
import { showWorlds } from '../../shared/worlds.ts'

export type { MyGame }

/** @returns the query of the games the player has played */
export function useMyGames() {
  const api = useApi()
  return useQuery({
    queryKey: ['my-games'],
    queryFn: async ({ signal }) => {
      const games = await api.call('getMyGames', { signal })
      showWorlds(games.filter(({ next_draw: nextDraw }) => nextDraw === null).map(lookOfEnded))
      return games
    },
  })
}
