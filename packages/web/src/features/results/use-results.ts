import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Play, Win } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { gamesQuery, useGame } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { useClockValue } from '../../shared/use-clock.ts'
import type { LoadContext } from '../../shared/screen.ts'
import { askForOwnTickets, useOwnTickets } from '../../shared/stage/use-own-tickets.ts'

export type { Play, Win }

/**
 * Interval at which the plays are fetched while one of their draws has started without a result, in ms (specification,
 * section 9).
 */
const AWAITING_MS = 10_000

function winsQuery(api: Api, gameKey: string) {
  return queryOptions({
    queryKey: ['wins', gameKey],
    queryFn: async ({ signal }) => loaded(await api.call('getWins', { params: { key: gameKey }, signal })),
    select: (answer) => answer.data,
  })
}

/** @returns the query of the player's winning entries in a game, newest first */
export function useWins(gameKey: string) {
  return useQuery(winsQuery(useApi(), gameKey))
}

/** Asks for the wins, for the newest plays, and for what the player holds in the last draw, which most visits are about. */
export async function askForResults(context: LoadContext, gameKey: string): Promise<void> {
  const { api, queryClient } = context
  const games = await queryClient.ensureQueryData(gamesQuery(api))
  const last = lastDrawOf(games.find(({ key }) => key === gameKey))
  await Promise.all([
    last !== null && askForOwnTickets(context, { gameKey, number: last }),
    queryClient.prefetchQuery(winsQuery(api, gameKey)),
    queryClient.prefetchQuery(playsQuery(api, queryClient, gameKey, 1)),
  ])
}

/** The number of a game's newest draw with all balls shown; null before the first. */
function lastDrawOf(game: Game | undefined): number | null {
  if (game === undefined || game.last_draw_at === null) return null
  const { number, start_at: startAt } = game.next_draw
  return startAt <= game.last_draw_at ? number : number - 1
}

/**
 * A page of the player's plays in a game. If one of them has been drawn since the last fetch, the wins are fetched
 * again.
 */
function playsQuery(api: Api, queryClient: QueryClient, gameKey: string, page: number) {
  return queryOptions({
    queryKey: ['plays', gameKey, page],
    queryFn: async ({ signal, queryKey }) => {
      const answer = loaded(await api.call('getPlays', { params: { key: gameKey }, query: { _page: page }, signal }))
      const before = queryClient.getQueryData<AnswerOf<'getPlays'>>(queryKey)
      if (before !== undefined && isNewlyDrawn(before.data.results, answer.data.results)) {
        void queryClient.invalidateQueries({ queryKey: ['wins', gameKey] })
      }
      return answer
    },
    select: (answer) => answer.data,
  })
}

/** @throws Error for an answer that reports its own failure (specification, section 8) */
function loaded<Answer extends { ok: boolean }>(answer: Answer): Answer {
  if (!answer.ok) throw new Error('The answer says that it failed.')
  return answer
}

function isNewlyDrawn(before: readonly Play[], now: readonly Play[]): boolean {
  const waiting = new Set(before.filter((play) => play.draw === null).map((play) => play.id))
  return now.some((play) => play.draw !== null && waiting.has(play.id))
}

/**
 * @returns the query of a page of the player's plays; while another page of the same game loads, the previous one
 *   stays. From a draw's start on they are fetched every 10 seconds, until its numbers are known
 */
export function usePlays(gameKey: string, page: number) {
  const api = useApi()
  const options = playsQuery(api, useQueryClient(), gameKey, page)
  const query = useQuery({
    ...options,
    placeholderData: (before, beforeQuery) => (beforeQuery?.queryKey[1] === gameKey ? before : undefined),
  })
  const plays = query.data?.results
  const isAwaiting = useClockValue((now) => plays?.some((play) => play.draw === null && play.date <= now) ?? false)
  useQuery({ ...options, enabled: isAwaiting, refetchInterval: isAwaiting && AWAITING_MS, notifyOnChangeProps: [] })
  return query
}

/** A search through pages of the player's plays. */
interface Search {
  /** What tells it from other searches; null while nothing is looked for. */
  readonly key: string | null
  /** Another value looks again; the former answer stays meanwhile. */
  readonly at?: number | null
  /** The pages, in the order in which they are looked through. */
  readonly pages: Iterable<number>
  readonly isIt: (play: Play) => boolean
}

/** @returns the first such play and its page; null if there is none, and undefined while that is not known */
function useFoundPlay(gameKey: string, search: Search): { play: Play; page: number } | null | undefined {
  const api = useApi()
  const queryClient = useQueryClient()
  const { key, at = null, pages, isIt } = search
  const { data, isError } = useQuery({
    queryKey: ['found-play', gameKey, key, at],
    queryFn: async () => {
      for (const page of pages) {
        // A draw moves plays from page to page: answers from before it would mislead.
        const answer = await queryClient.fetchQuery({ ...playsQuery(api, queryClient, gameKey, page), staleTime: 0 })
        const play = answer.data.results.find(isIt)
        if (play !== undefined) return { play, page }
      }
      return null
    },
    enabled: key !== null,
    placeholderData: (before, query) =>
      query?.queryKey[1] === gameKey && query.queryKey[2] === key ? before : undefined,
    staleTime: Infinity,
    gcTime: 0,
  })
  return isError ? null : data
}

/** @returns the page of the play that the address names if it is not on the page that is named; null otherwise */
export function useOtherPage(gameKey: string, page: number, playId: string | null): number | null {
  const { data: plays, isPlaceholderData: isOther } = usePlays(gameKey, page)
  const { data: wins, isPending } = useWins(gameKey)
  const isElsewhere = plays !== undefined && !isOther && plays.results.every(({ id }) => id !== playId)
  const winPage = wins?.find((win) => win.play_id === playId)?.play_page
  const all = pagesFrom(1, plays?.total_pages ?? 0)
  const found = useFoundPlay(gameKey, {
    key: isElsewhere && !isPending ? playId : null,
    pages: new Set(winPage === undefined ? all : [winPage, ...all]),
    isIt: ({ id }) => id === playId,
  })
  return isElsewhere && found ? found.page : null
}

/**
 * @returns the number of the newest draw that the player was in and that is drawn; null if there is none, and undefined
 *   while that is not known
 */
export function useNewestDrawn(gameKey: string): number | null | undefined {
  const game = useGame(gameKey)
  // Asked for with the lists. Only a player who was not in the last draw is looked for in the plays.
  const last = lastDrawOf(game.data)
  const own = useOwnTickets({ gameKey, number: last ?? 0 }, 'DRAWN', last !== null)
  const wasInLast = own.tickets.some(({ draw }) => draw.status === 'DRAWN')
  // The plays to come are before those drawn, of which the newest is first.
  const { data: first, isPending } = usePlays(gameKey, 1)
  const onFirst = first?.results.find(isDrawn)
  const mayBeInLast = wasInLast || own.status === 'LOADING'
  const isLater = !mayBeInLast && onFirst === undefined && first !== undefined && first.total_pages > 1
  const found = useFoundPlay(gameKey, {
    key: isLater && !game.isPending ? 'drawn' : null,
    at: game.data?.last_draw_at ?? null,
    pages: pagesFrom(2, first?.total_pages ?? 0),
    isIt: isDrawn,
  })
  if (wasInLast) return last
  if (mayBeInLast || isPending || (isLater && found === undefined)) return undefined
  return (onFirst ?? found?.play)?.draw?.number ?? null
}

function isDrawn({ draw }: Play): boolean {
  return draw !== null
}

function pagesFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index)
}
