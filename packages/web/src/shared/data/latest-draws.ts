import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../api.ts'

/** Time for which the latest draws count as fresh, in ms: a game has at most one draw a day. */
const DRAWS_FRESH_MS = 60_000

/** The newest draw of each game, newest first. */
export function latestDrawsQuery(api: Api) {
  return queryOptions({
    queryKey: ['latest-draws'],
    queryFn: ({ signal }) => api.call('getLatestDraws', { signal }),
    staleTime: DRAWS_FRESH_MS,
  })
}
