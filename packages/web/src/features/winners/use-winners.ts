import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Cause, Winner } from '@fairball/contract/schemas/content'
import { gameOfHome } from '@fairball/domain/draw-phase'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { useClockValue } from '../../shared/use-clock.ts'
import { useGames } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'

export type { Cause, Winner }

/** Recent winners who have agreed to be shown. */
export function winnersQuery(api: Api) {
  return queryOptions({ queryKey: ['winners'], queryFn: ({ signal }) => api.call('getWinners', { signal }) })
}

/** @returns the query of the winners */
export function useWinners() {
  return useQuery(winnersQuery(useApi()))
}

/** The operator's good causes. */
export function causesQuery(api: Api) {
  return queryOptions({ queryKey: ['causes'], queryFn: ({ signal }) => api.call('getCauses', { signal }) })
}

/** @returns the query of the good causes */
export function useCauses() {
  return useQuery(causesQuery(useApi()))
}

/**
 * @returns the game whose sales close next, or the first one if none is open (specification, section 1); null while
 * there are none
 */
export function useNextGame(): Game | null {
  const { data: games = [] } = useGames()
  const key = useClockValue((nowAt) => {
    const closings = games.map((game) => ({ key: game.key, closesAt: game.next_draw.ticket_sell_closes_at }))
    return gameOfHome(closings, nowAt)?.key ?? null
  })
  return games.find((game) => game.key === key) ?? null
}
