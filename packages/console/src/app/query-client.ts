import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Failure } from '../shared/failure.ts'
import { SESSION_KEY } from '../shared/session.ts'

/** Retries of a call that failed for a reason other than the request itself. */
const RETRIES = 2

/** Makes the cache of what was read. A session that has ended anywhere ends everywhere: the page asks to sign in. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof Failure && error.code === 'SIGN_IN_NEEDED') client.setQueryData(SESSION_KEY, null)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      },
      // An action runs when it is pressed, or fails: it never waits for the network.
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

function isWorthRetrying(error: Error): boolean {
  return error instanceof Failure && (error.status === 0 || error.status >= 500)
}
