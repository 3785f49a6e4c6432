import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Statistics } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'

export type { Statistics }

/** How often each number of a game was drawn, and its jackpots, newest first. */
export function statisticsQuery(api: Api, gameKey: string) {
  return queryOptions({
    queryKey: ['statistics', gameKey],
    queryFn: ({ signal }) => api.call('getStatistics', { params: { key: gameKey }, signal }),
  })
}

/** @returns the query of a game's statistics */
export function useStatistics(gameKey: string) {
  return useQuery(statisticsQuery(useApi(), gameKey))
}
