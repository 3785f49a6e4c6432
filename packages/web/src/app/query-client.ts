import { ApiError } from '@fairball/contract/client'
import { QueryClient } from '@tanstack/react-query'

/**
 * Time for which an answer counts as fresh, in ms, so that a page just rendered by the server does not fetch it again.
 */
const FRESH_MS = 10_000
/** Retries of a call that failed for a reason other than the request itself. */
const RETRIES = 2

/**
 * Makes the cache of the API's answers. Refused calls (4xx) are not retried; on the server none are. A player's action
 * runs when it is pressed, or fails: it never waits for the network and runs at a later moment.
 */
export function createQueryClient(isServer: boolean): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => !isServer && failures < RETRIES && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

function isWorthRetrying(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}
