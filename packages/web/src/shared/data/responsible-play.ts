import { useQuery } from '@tanstack/react-query'
import type { ResponsiblePlay } from '@fairball/contract/schemas/account'
import { useApi } from '../api.ts'

export type { ResponsiblePlay }

/** Where the answers lie in the cache of queries. */
export const RESPONSIBLE_PLAY_KEY = ['responsible-play']
/** The limits change by the player's hand alone: lifetime of an answer, in ms, since another tab may have changed them. */
const FRESH_MS = 60_000

/** @returns the query of the player's limits, pauses and reminders; only for those who are signed in */
export function useResponsiblePlay() {
  const api = useApi()
  return useQuery({
    queryKey: RESPONSIBLE_PLAY_KEY,
    queryFn: ({ signal }) => api.call('getResponsiblePlay', { signal }),
    staleTime: FRESH_MS,
  })
}
