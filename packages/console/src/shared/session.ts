import { useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useApi } from './api.ts'
import type { AnswerOf, Me } from './calls.ts'
import { Failure } from './failure.ts'

/** The key of the session among the read answers. */
export const SESSION_KEY = ['session'] as const

/** The session; `null` while nobody is signed in. */
export function useSession() {
  const api = useApi()
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async () => {
      try {
        return await api.call('me')
      } catch (error) {
        if (error instanceof Failure && error.status === 401) return null
        throw error
      }
    },
    staleTime: 60_000,
  })
}

/** What the frame shows to everybody, and stays. */
const KEPT: readonly unknown[] = [SESSION_KEY[0], 'getSite']

/**
 * Begins or ends a session on this page: nothing that one person has read stays for the next.
 *
 * @param session null once nobody is signed in
 */
export function changeSession(client: QueryClient, session: AnswerOf<'me'> | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => !KEPT.includes(queryKey[0]) })
  client.setQueryData(SESSION_KEY, session)
}

/** Carries the signed-in person to the screens, which exist only for one. */
export const MeContext = createContext<Me | null>(null)

/** @returns the signed-in person. @throws Error outside of a screen */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === null) throw new Error('There is nobody signed in above this component.')
  return me
}
