import { queryOptions, useQuery } from '@tanstack/react-query'
import { isOpenForSale } from '@fairball/domain/draw-phase'
import type { AnswerOf } from '@fairball/contract/calls'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'
import { useClockValue } from '../use-clock.ts'
import { useConfig } from '../config.ts'
import { showWorlds } from '../worlds.ts'

/** A game as the API gives it. */
export type Game = AnswerOf<'getGames'>[number]

/**
 * Interval at which the games are fetched after a draw's end, until the next draw is there, in ms (specification,
 * section 9).
 */
const AFTER_END_MS = 10_000

/** The times of a draw, and its number. */
type NextDraw = Game['next_draw']

/** The list of games, part of which is on most pages. */
export function gamesQuery(api: Api) {
  return queryOptions({
    queryKey: ['games'],
    queryFn: async ({ signal }) => {
      const games = await api.call('getGames', { signal })
      showWorlds(games)
      return games
    },
    staleTime: 15_000,
  })
}

/** @returns the games; from the end of a draw on, and while one is not on sale, they are fetched every 10 seconds until its game has the next draw */
export function useGames() {
  const api = useApi()
  const query = useQuery(gamesQuery(api))
  const games = query.data
  const { testMode } = useConfig()
  const hasEnded = useClockValue((now) => games?.some((game) => game.next_draw.end_at <= now) ?? false)
  // The demo's clock may jump at any time, and a page learns of it with its next answer.
  const waitsForSales = games?.some((game) => !game.is_on_sale) ?? false
  const isAsking = hasEnded || waitsForSales || testMode
  // The query above follows the answers; this one alone would render the page again whenever a call starts or ends.
  useQuery({
    ...gamesQuery(api),
    enabled: isAsking,
    refetchInterval: isAsking && AFTER_END_MS,
    notifyOnChangeProps: [],
  })
  return query
}

/** @returns the query of the games with the one of this key as its data; undefined while it loads */
export function useGame(gameKey: string) {
  // Only what is read here renders a component again: not the start and the end of each call.
  const { data, isPending, isSuccess, refetch } = useGames()
  return { data: data?.find((game) => game.key === gameKey), isPending, isSuccess, refetch }
}

/** @returns the draw that an order made now counts for, or the game's current one if none is known to be on sale */
function openDrawAt({ next_draw, open_draws }: Pick<Game, 'next_draw' | 'open_draws'>, nowAt: number): NextDraw {
  return open_draws.find((draw) => isOpenForSale({ closesAt: draw.ticket_sell_closes_at }, nowAt)) ?? next_draw
}

/** The words about a game's draw beside its tickets. */
export type SaleState = 'ON_SALE' | 'CLOSED' | 'DRAWING' | 'DRAWN'

/** @returns the draw that an order made now counts for, and the state of the game's current one */
export function useOpenDraw(game: Pick<Game, 'next_draw' | 'open_draws'>): { draw: NextDraw; state: SaleState } {
  const number = useClockValue((now) => openDrawAt(game, now).number)
  const state = useClockValue((now) => saleStateAt(game, now))
  return { draw: game.open_draws.find((draw) => draw.number === number) ?? game.next_draw, state }
}

function saleStateAt(game: Pick<Game, 'next_draw' | 'open_draws'>, nowAt: number): SaleState {
  const { next_draw: draw } = game
  if (openDrawAt(game, nowAt).number === draw.number) return 'ON_SALE'
  if (nowAt < draw.start_at) return 'CLOSED'
  return nowAt < draw.end_at ? 'DRAWING' : 'DRAWN'
}

/** The parts of every stake, in whole percent: 100 together. */
export type Split = Game['split']

/** @returns a part of the stakes in percent, as text: "80", or "75–80" if games differ. There is at least one game */
export function rangeOf(games: readonly Game[], part: keyof Split): string {
  const percents = games.map((game) => game.split[part])
  return [...new Set([Math.min(...percents), Math.max(...percents)])].join('–')
}
