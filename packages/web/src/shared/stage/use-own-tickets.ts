import { lineNameOf } from '@fairball/domain/line-letters'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'
import { type OfDraw, ticketsOfDraw } from '../data/tickets.ts'
import type { LoadContext } from '../screen.ts'
import { useSession } from '../session/use-session.ts'

/**
 * What is asked for once each: what the player holds while tickets are sold, what is sealed, and what it won. Lines are
 * added until the close; a result is there with the prizes.
 */
type HeldAt = 'ON_SALE' | 'SEALED' | 'DRAWN'

/** Interval at which the result of a draw is fetched while it is missing, in ms. */
const RESULT_MS = 10_000
/** Interval at which the way of a prize is fetched while it is not finished, in ms. */
const PAYOUT_MS = 30_000

/** The key of everything the player holds in a draw, whenever it was asked for. */
export function ownTicketsKey({ gameKey, number }: OfDraw) {
  return ['tickets', 'of-draw', gameKey, number] as const
}

/** What the player holds in a draw, the first order first. */
export interface OwnTickets {
  /** NOBODY is signed in, so nothing is asked for. Without a connection it has FAILED until there is one. */
  readonly status: 'NOBODY' | 'LOADING' | 'FAILED' | 'KNOWN'
  readonly tickets: readonly Ticket[]
  /** Asks again. */
  readonly refetch: () => void
}

const NO_TICKETS: readonly Ticket[] = []

function ownTicketsQuery(api: Api, of: OfDraw, at: HeldAt) {
  return queryOptions({
    queryKey: [...ownTicketsKey(of), at],
    // A void draw has moved its lines, which are in another draw now.
    queryFn: async ({ signal }) => (await ticketsOfDraw(api, of, signal)).filter(({ draw }) => draw.status !== 'VOID'),
    staleTime: Infinity,
  })
}

/**
 * @param isWanted false where nothing is asked for, as for nobody
 * @returns what the signed-in player holds in a draw, from all orders; a visitor makes no request
 */
export function useOwnTickets(of: OfDraw, at: HeldAt, isWanted = true): OwnTickets {
  const api = useApi()
  const { status } = useSession()
  const isPlayer = isWanted && status === 'player'
  const {
    data,
    isError,
    isPaused,
    refetch: ask,
  } = useQuery({
    ...ownTicketsQuery(api, of, at),
    enabled: isPlayer,
    placeholderData: (before, query) =>
      query?.queryKey[3] === of.number && query.queryKey[2] === of.gameKey ? before : undefined,
    refetchInterval: ({ state }) => (at === 'DRAWN' ? fetchAfterMs(state.data ?? NO_TICKETS) : false),
  })
  const refetch = () => void ask()
  if (!isPlayer) return { status: 'NOBODY', tickets: NO_TICKETS, refetch }
  if (data === undefined) return { status: isError || isPaused ? 'FAILED' : 'LOADING', tickets: NO_TICKETS, refetch }
  return { status: 'KNOWN', tickets: data, refetch }
}

/** Asks for what the player holds in a draw that is over, before a part of the page does. */
export async function askForOwnTickets({ api, queryClient }: LoadContext, of: OfDraw): Promise<void> {
  await queryClient.prefetchQuery(ownTicketsQuery(api, of, 'DRAWN'))
}

/** @returns the numbers of all their lines */
export function linesOf(tickets: readonly Ticket[]): readonly (readonly number[])[] {
  return tickets.flatMap(({ lines }) => lines.map(({ numbers }) => numbers))
}

/** @returns the names of all their lines, in the same order */
export function lineNamesOf(tickets: readonly Ticket[]): readonly string[] {
  return tickets.flatMap(({ lines }, ticket) => lines.map((_line, place) => lineNameOf(place, ticket)))
}

/** A result comes with the prizes; after that only the way of the money changes. */
function fetchAfterMs(tickets: readonly Ticket[]): number | false {
  if (tickets.some(({ result }) => result === null)) return RESULT_MS
  return tickets.some(({ payout }) => payout !== null && payout.status !== 'CONFIRMED') ? PAYOUT_MS : false
}
