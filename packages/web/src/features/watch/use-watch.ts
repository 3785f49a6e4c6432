import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { canWatch, watchPhaseAt } from '@fairball/domain/draw-phase'
import type { DrawTimes, WatchPhase } from '@fairball/domain/draw-phase'
import type { WatchData } from '@fairball/contract/schemas/game'
import { runtime } from '../../shared/runtime.ts'
import { useApi } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { useClock, useClockValue } from '../../shared/use-clock.ts'
import { gamesQuery } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { ownTicketsKey } from '../../shared/stage/use-own-tickets.ts'
import { followPresence } from './page-presence.ts'
import {
  fetchAfterMs,
  gamesAfterMs,
  isOfAnotherDraw,
  isWorthStreaming,
  mergedWatch,
  withOwnTickets,
} from './watch-state.ts'
import { followStream } from './watch-stream.ts'

/** Timeout of an answer, in ms: after that the connection is considered lost. */
const PATIENCE_MS = 8_000

/** The identity of a watched draw: its game, and its number in it. */
type Watched = Pick<Game, 'key' | 'next_draw'>

/** A draw as it is watched. */
export interface Watch {
  /** null before the first answer */
  data: WatchData | null
  phase: WatchPhase
  /** Whether the draw could not be loaded at all. */
  hasFailed: boolean
  /** Whether the draw runs but cannot be followed now, because neither events nor answers arrive. */
  isCutOff: boolean
  /** Asks again. */
  refetch: () => void
}

/**
 * The balls and prizes of a game's draw, merged with the known ones. An answer about another draw is ignored, and the
 * games are fetched to find out which draw it is.
 */
export function watchQuery(api: Api, queryClient: QueryClient, game: Watched) {
  const queryKey = watchKey(game)
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      withPatience(signal, async (patient) => {
        // Until there are prizes, everybody sees the same.
        const isPublic = !queryClient.getQueryData<WatchData>(queryKey)?.prizes
        const { data } = await api.call('getWatch', { params: { key: game.key }, isPublic, signal: patient })
        return joined(api, queryClient, game, data)
      }),
    staleTime: 0,
    // A browser may wrongly report itself offline: only a call shows.
    networkMode: 'always',
  })
}

/** @returns a game's draw, updated by a stream or, without events, by fetching; and its phase */
export function useWatch(game: Game): Watch {
  const api = useApi()
  const queryClient = useQueryClient()
  const [isStreaming, setStreaming] = useState(false)
  const options = watchQuery(api, queryClient, game)
  const known = useQuery({ ...options, enabled: false }).data
  const phase = useWatchPhase(game, known)
  const query = useQuery({
    ...options,
    // The page may come from yesterday, and its server's time with it.
    refetchOnMount: 'always',
    refetchInterval: fetchAfterMs(phase, isStreaming),
    // On coming back, the handler fetches more than this query.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const data = query.data ?? null
  const gamesMs = gamesAfterMs(phase, data?.draw ?? null)
  useQuery({
    ...gamesQuery(api),
    queryFn: async ({ signal }) => {
      const games = await api.call('getGames', { isPublic: true, signal })
      return withOwnTickets(games, queryClient.getQueryData(gamesQuery(api).queryKey))
    },
    enabled: gamesMs !== false,
    refetchInterval: gamesMs,
    notifyOnChangeProps: [],
  })
  const isNear = useClockValue((now) => canWatch(timesOf(game), now))
  useWatchStream(game, isWorthStreaming(phase, isNear), setStreaming)
  useFreshOnReturn(game)
  useOwnWins(game, Boolean(data?.prizes))
  return {
    data,
    phase,
    hasFailed: data === null && query.isError,
    isCutOff: phase === 'LIVE' && !isStreaming && (query.failureCount > 1 || query.isRefetchError),
    refetch: () => void query.refetch(),
  }
}

/** @returns the times of a game's draw for the rules of the phases */
export function timesOf({ next_draw: draw }: Pick<Game, 'next_draw'>): DrawTimes {
  return { closesAt: draw.ticket_sell_closes_at, startAt: draw.start_at, endAt: draw.end_at }
}

function useWatchPhase(game: Watched, data: WatchData | undefined): WatchPhase {
  const balls = data?.draw ?? null
  const hasPrizes = data !== undefined && data.prizes !== false
  return useClockValue((now) => watchPhaseAt({ ...timesOf(game), balls, hasPrizes }, now))
}

/**
 * Takes over the server's events of the draw while it runs and the page is visible. A hidden page holds no connection:
 * browsers have few for a site, and do not keep pages that hold one in memory.
 */
function useWatchStream(game: Watched, isWanted: boolean, setStreaming: (isLive: boolean) => void): void {
  const api = useApi()
  const clock = useClock()
  const queryClient = useQueryClient()
  const { key } = game
  const { number } = game.next_draw
  const wasLost = useRef(false)
  const live = useEffectEvent((isLive: boolean) => {
    setStreaming(isLive)
    // What the player holds is asked for again after a reconnection: until the close there can be more of it.
    if (isLive && wasLost.current) {
      void queryClient.invalidateQueries({ queryKey: ownTicketsKey({ gameKey: key, number }) })
    }
    wasLost.current = !isLive
  })
  const arrive = useEffectEvent((data: WatchData) => {
    queryClient.setQueryData<WatchData>(watchKey(game), joined(api, queryClient, game, data))
  })
  useEffect(() => {
    if (!isWanted) return
    const stream = followStream(runtime, api.address('streamWatch', { params: { key } }), {
      onWatch: (data) => arrive(data),
      onNow: (now) => clock.correct(now),
      onLive: (isLive) => live(isLive),
    })
    if (document.visibilityState === 'hidden') stream.stop()
    const stopFollowing = followPresence(clock, { returned: stream.restart, left: stream.stop })
    return () => {
      stopFollowing()
      stream.stop()
    }
  }, [api, clock, key, number, isWanted])
}

/** After a sleep all shown data may be stale: the draw may be over and another one be next. */
function useFreshOnReturn(game: Watched): void {
  const api = useApi()
  const queryClient = useQueryClient()
  const clock = useClock()
  const refresh = useEffectEvent(() => {
    void queryClient.invalidateQueries({ queryKey: gamesQuery(api).queryKey })
    void queryClient.invalidateQueries({ queryKey: watchKey(game) })
    void queryClient.invalidateQueries({
      queryKey: ownTicketsKey({ gameKey: game.key, number: game.next_draw.number }),
    })
  })
  useEffect(() => followPresence(clock, { returned: () => refresh() }), [clock])
}

/** What everybody sees lacks the player's wins: it is fetched again once there are prizes and the session is known. */
function useOwnWins(game: Watched, hasPrizes: boolean): void {
  const queryClient = useQueryClient()
  const { status } = useSession()
  const refresh = useEffectEvent(() => queryClient.invalidateQueries({ queryKey: watchKey(game) }))
  useEffect(() => {
    if (hasPrizes && status === 'player') void refresh()
  }, [hasPrizes, status])
}

/** Merges an answer with the known data, or fetches the game's current draw if the answer is about another one. */
function joined(api: Api, queryClient: QueryClient, game: Watched, arrived: WatchData): WatchData {
  const known = queryClient.getQueryData<WatchData>(watchKey(game)) ?? null
  if (!isOfAnotherDraw(known, arrived) || known === null) return mergedWatch(known, arrived)
  void queryClient.invalidateQueries({ queryKey: gamesQuery(api).queryKey }, { cancelRefetch: false })
  return known
}

/** Runs a task whose signal aborts it when it takes too long. */
function withPatience<Value>(signal: AbortSignal, work: (patient: AbortSignal) => Promise<Value>): Promise<Value> {
  const controller = new AbortController()
  const giveUp = () => controller.abort(signal.reason)
  signal.addEventListener('abort', giveUp)
  return work(controller.signal).finally(runtime.after(PATIENCE_MS, giveUp))
}

function watchKey({ key, next_draw: draw }: Watched) {
  return ['watch', key, draw.number] as const
}
