import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'

/** @returns the query of a page of the player's tickets; while a page loads, the previous one stays */
export function useTickets(page: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['tickets', page],
    queryFn: ({ signal }) => api.call('getTickets', { query: { _page: page }, signal }),
    placeholderData: keepPreviousData,
  })
}
