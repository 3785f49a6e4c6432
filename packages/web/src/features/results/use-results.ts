import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Play, Win } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { useClockValue } from '../../shared/use-clock.ts'
import type { LoadContext } from '../../shared/screen.ts'

export type { Play, Win }

/**
 * Interval at which the plays are fetched while one of their draws has started without a result, in ms (specification,
 * section 9).
 */
const AWAITING_MS = 10_000

function winsQuery(api: Api, gameKey: string) {
  return queryOptions({
    queryKey: ['wins', gameKey],
    queryFn: async ({ signal }) => loaded(await api.call('getWins', { params: { key: gameKey }, signal })),
    select: (answer) => answer.data,
  })
}

/** @returns the query of the player's winning entries in a game, newest first */
export function useWins(gameKey: string) {
  return useQuery(winsQuery(useApi(), gameKey))
}

/** Asks for the wins, and for the newest plays. */
export async function askForResults({ api, queryClient }: LoadContext, gameKey: string): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(winsQuery(api, gameKey)),
    queryClient.prefetchQuery(playsQuery(api, queryClient, gameKey, 1)),
  ])
}

/**
 * A page of the player's plays in a game. If one of them has been drawn since the last fetch, the wins are fetched
 * again.
 */
function playsQuery(api: Api, queryClient: QueryClient, gameKey: string, page: number) {
  return queryOptions({
    queryKey: ['plays', gameKey, page],
    queryFn: async ({ signal, queryKey }) => {
      const answer = loaded(await api.call('getPlays', { params: { key: gameKey }, query: { _page: page }, signal }))
      const before = queryClient.getQueryData<AnswerOf<'getPlays'>>(queryKey)
      if (before !== undefined && isNewlyDrawn(before.data.results, answer.data.results)) {
        void queryClient.invalidateQueries({ queryKey: ['wins', gameKey] })
      }
      return answer
    },
    select: (answer) => answer.data,
  })
}

/** @throws Error for an answer that reports its own failure (specification, section 8) */
function loaded<Answer extends { ok: boolean }>(answer: Answer): Answer {
  if (!answer.ok) throw new Error('The answer says that it failed.')
  return answer
}

function isNewlyDrawn(before: readonly Play[], now: readonly Play[]): boolean {
  const waiting = new Set(before.filter((play) => play.draw === null).map((play) => play.id))
  return now.some((play) => play.draw !== null && waiting.has(play.id))
}

/**
 * @returns the query of a page of the player's plays; while another page of the same game loads, the previous one
 *   stays. From a draw's start on they are fetched every 10 seconds, until its numbers are known
 */
export function usePlays(gameKey: string, page: number) {
  const api = useApi()
  const options = playsQuery(api, useQueryClient(), gameKey, page)
  const query = useQuery({
    ...options,
    placeholderData: (before, beforeQuery) => (beforeQuery?.queryKey[1] === gameKey ? before : undefined),
  })
  const plays = query.data?.results
  const isAwaiting = useClockValue((now) => plays?.some((play) => play.draw === null && play.date <= now) ?? false)
  useQuery({ ...options, enabled: isAwaiting, refetchInterval: isAwaiting && AWAITING_MS, notifyOnChangeProps: [] })
  return query
}
