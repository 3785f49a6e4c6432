import { ApiError } from '@fairball/contract/client'
import { QueryClient } from '@tanstack/react-query'

/** How long an answer counts as fresh, in ms, so that a page that was just rendered by the server does not ask again at once. */
const FRESH_MS = 10_000
/** How often a call that failed for another reason than the request itself is made again. */
const RETRIES = 2

/**
 * Makes the cache of the API's answers. What the server refuses (4xx) is not asked again; on the server nothing is. What a player does is tried when
 * it is pressed, or fails: it never waits for a network to be done at a moment that nobody chose.
 */
export function createQueryClient(isServer: boolean): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => !isServer && failures < RETRIES && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always' },
      dehydrate: { shouldDehydrateQuery: (query) => query.state.status === 'success' },
    },
  })
}

function isWorthRetrying(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}
