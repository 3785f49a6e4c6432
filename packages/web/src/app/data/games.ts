import { queryOptions, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@fairball/contract/calls'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'
import { useClockValue } from '../clock.ts'
import { useConfig } from '../config.ts'

/** A game as the API gives it. */
export type Game = AnswerOf<'getGames'>[number]

/** How often the games are fetched after a draw's end, until the next draw is there, in ms (specification, section 9). */
const AFTER_END_MS = 10_000

/** The list of games, which most pages show some of. */
export function gamesQuery(api: Api) {
  return queryOptions({
    queryKey: ['games'],
    queryFn: ({ signal }) => api.call('getGames', { signal }),
    staleTime: 15_000,
  })
}

/** @returns the games; from the end of a draw on they are fetched every 10 seconds, until its game has the next draw */
export function useGames() {
  const api = useApi()
  const query = useQuery(gamesQuery(api))
  const games = query.data
  const { testMode } = useConfig()
  const hasEnded = useClockValue((now) => games?.some((game) => game.next_draw.end_at <= now) ?? false)
  // The demo's clock may jump at any time, and a page hears of it with its next answer.
  const isAsking = hasEnded || testMode
  useQuery({ ...gamesQuery(api), enabled: isAsking, refetchInterval: isAsking && AFTER_END_MS })
  return query
}

/** @returns the query of the games with the one of this key as its data; undefined while it loads */
export function useGame(gameKey: string) {
  const query = useGames()
  return { ...query, data: query.data?.find((game) => game.key === gameKey) }
}
