import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../api.ts'

/** A page of the player's tickets: those to come first, then the drawn ones. */
export function ticketsQuery(api: Api, page: number) {
  return queryOptions({
    queryKey: ['tickets', page],
    queryFn: ({ signal }) => api.call('getTickets', { query: { _page: page }, signal }),
  })
}
