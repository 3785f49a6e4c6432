import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PaidFor } from '@fairball/contract/schemas/order'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { useApi } from '../../shared/api.ts'
import { useClockValue } from '../../shared/clock.ts'

/** Interval at which tickets are fetched while one of their draws is between its close and its result, in ms. */
const UNTIL_DRAWN_MS = 30_000

/**
 * @returns the player's tickets of an order by the number of their draw: what became of each draw. Those on the first
 *   page of the game's tickets, which has the next draws; of the others only the order's dates are known
 */
export function useOrderTickets(
  gameKey: string,
  transactionId: string,
  draws: PaidFor['draws'],
): ReadonlyMap<number, Ticket> {
  const api = useApi()
  const closed = useClockValue((now) => draws.filter((draw) => now >= draw.ticket_sell_closes_at).length)
  const isOwn = (ticket: Ticket) => ticket.transaction_id === transactionId
  const { data } = useQuery({
    queryKey: ['tickets', 'of-game', gameKey, closed],
    queryFn: ({ signal }) => api.call('getTickets', { query: { game: gameKey }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.results.some((one) => isOwn(one) && isOn(one)) ? UNTIL_DRAWN_MS : false,
  })
  return new Map((data?.results ?? []).filter(isOwn).map((ticket) => [ticket.draw.number, ticket]))
}

/** Whether a draw is between its close and its result. */
function isOn({ draw: { status } }: Ticket): boolean {
  return status === 'CLOSED' || status === 'LIVE' || status === 'POSTPONED'
}
