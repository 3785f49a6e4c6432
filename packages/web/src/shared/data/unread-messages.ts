import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api.ts'

/** The key of the count among the messages' queries. */
export const UNREAD_KEY = ['messages', 'unread'] as const

/** @returns how many messages the signed-in player has not read; 0 until it is known */
export function useUnreadMessages(): number {
  const api = useApi()
  const query = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: ({ signal }) => api.call('getUnreadMessages', { signal }),
  })
  return query.data?.count ?? 0
}
