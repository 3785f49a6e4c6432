import { useQuery } from '@tanstack/react-query'
import type { ResponsiblePlay } from '@fairball/contract/schemas/account'
import { useApi } from '../api.ts'

export type { ResponsiblePlay }

/** The key of the answers in the query cache. */
export const RESPONSIBLE_PLAY_KEY = ['responsible-play']
/** Lifetime of an answer, in ms: only the player changes the limits, perhaps in another tab. */
const FRESH_MS = 60_000

/** @returns the query of the player's limits, pauses and reminders; only for signed-in players */
export function useResponsiblePlay() {
  const api = useApi()
  return useQuery({
    queryKey: RESPONSIBLE_PLAY_KEY,
    queryFn: ({ signal }) => api.call('getResponsiblePlay', { signal }),
    staleTime: FRESH_MS,
  })
}
