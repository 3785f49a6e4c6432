import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Draw, DrawDetails, WatchPrize } from '@fairball/contract/schemas/game'
import type { Amount } from '@fairball/contract/schemas/money'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'

export type { Amount, Draw, DrawDetails, WatchPrize }

/** Interval at which a draw without a result is fetched, in ms (specification, section 9). */
const AWAITING_MS = 10_000

/** A page of a game's draws of the previous 180 days. */
export function drawsQuery(api: Api, gameKey: string, page: number) {
  return queryOptions({
    queryKey: ['draws', gameKey, page],
    queryFn: ({ signal }) => api.call('getDraws', { params: { key: gameKey }, query: { _page: page }, signal }),
  })
}

/** @returns the query of a page of draws; while a page loads, the previous one stays */
export function useDraws(gameKey: string, page: number) {
  const api = useApi()
  return useQuery({ ...drawsQuery(api, gameKey, page), placeholderData: keepPreviousData })
}

/** @returns a function that fetches every draw of the history, newest first */
export function useAllDraws(gameKey: string): () => Promise<Draw[]> {
  const api = useApi()
  const queryClient = useQueryClient()
  return async () => {
    const draws = new Map<number, Draw>() // a draw added meanwhile shifts the others, so some come twice
    for (let page = 1, last = 1; page <= last; page++) {
      const answer = await queryClient.fetchQuery(drawsQuery(api, gameKey, page))
      for (const draw of answer.results) draws.set(draw.number, draw)
      last = answer.total_pages
    }
    return [...draws.values()].toSorted((one, other) => other.number - one.number)
  }
}

/** One draw with its prizes and its fairness record. */
export function drawQuery(api: Api, gameKey: string, number: number) {
  return queryOptions({
    queryKey: ['draw', gameKey, number],
    queryFn: ({ signal }) => api.call('getDraw', { params: { key: gameKey, number }, signal }),
  })
}

/** @returns the query of a draw; it is fetched every 10 seconds between its close and its result */
export function useDraw(gameKey: string, number: number) {
  const api = useApi()
  return useQuery({
    ...drawQuery(api, gameKey, number),
    refetchInterval: (query) => (query.state.data?.status === 'CLOSED' ? AWAITING_MS : false),
  })
}

/**
 * @returns whether a draw could not be loaded because its number does not exist. The error is recognised by its code,
 *   because pages are rendered by a separate bundle, whose error class differs from the server's
 */
export function isNoDraw(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND'
}
