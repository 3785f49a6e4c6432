import { queryOptions } from '@tanstack/react-query'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import type { Api } from '../api.ts'

/** A page of the player's tickets: those to come first, then the drawn ones. */
export function ticketsQuery(api: Api, page: number) {
  return queryOptions({
    queryKey: ['tickets', page],
    queryFn: ({ signal }) => api.call('getTickets', { query: { _page: page }, signal }),
  })
}

/** A draw of a game, by its number. */
export interface OfDraw {
  readonly gameKey: string
  readonly number: number
}

/**
 * Everything the player holds in a draw, the first order first: every page of it, as a player can be in a draw with many
 * orders.
 */
export async function ticketsOfDraw(api: Api, { gameKey, number }: OfDraw, signal?: AbortSignal): Promise<Ticket[]> {
  const tickets = new Map<string, Ticket>() // one that is added meanwhile shifts the others, so some come twice
  for (let page = 1, last = 1; page <= last; page += 1) {
    const query = { game: gameKey, draw: number, _page: page }
    const answer = await api.call('getTickets', { query, ...(signal && { signal }) })
    for (const ticket of answer.results) tickets.set(ticket.play_id, ticket)
    last = answer.total_pages
  }
  return [...tickets.values()].toReversed() // the newest came first
}
