import { useQuery } from '@tanstack/react-query'
import type { PaidFor } from '@fairball/contract/schemas/order'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { useApi } from '../../shared/api.ts'
import { useClockValue } from '../../shared/use-clock.ts'

/** Interval at which a ticket is fetched between the close of its draw and the result, in ms. */
const UNTIL_DRAWN_MS = 30_000

/** A draw of a paid order. */
interface PlayedDraw {
  gameKey: string
  transactionId: string
  /** Undefined if the order has none. */
  draw: PaidFor['draws'][number] | undefined
}

/** @returns the player's ticket in a draw from its close on: what became of the draw. Until then its dates say it all. */
export function useDrawTicket({ gameKey, transactionId, draw }: PlayedDraw): Ticket | undefined {
  const api = useApi()
  const number = draw?.number ?? 0
  const closesAt = draw?.ticket_sell_closes_at ?? Infinity
  const isClosed = useClockValue((now) => now >= closesAt)
  const { data } = useQuery({
    queryKey: ['tickets', 'state-of-draw', gameKey, number],
    queryFn: ({ signal }) => api.call('getTickets', { query: { game: gameKey, draw: number }, signal }),
    select: ({ results }) => results.find((ticket) => ticket.transaction_id === transactionId),
    enabled: isClosed,
    refetchInterval: ({ state }) => (state.data?.results.every(isDecided) === true ? false : UNTIL_DRAWN_MS),
  })
  return isClosed ? data : undefined
}

function isDecided({ draw: { status } }: Ticket): boolean {
  return status === 'DRAWN' || status === 'VOID'
}
