import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { watchPhaseAt } from '@fairball/domain/draw-phase'
import type { WatchPhase } from '@fairball/domain/draw-phase'
import type { WatchData } from '@fairball/contract/schemas/game'
import { runtime } from '../../app/runtime.ts'
import { useApi } from '../../app/api.ts'
import type { Api } from '../../app/api.ts'
import { useClockValue } from '../../app/clock.ts'
import type { Game } from '../../app/data/games.ts'
import { useSession } from '../../app/session/use-session.ts'
import { fetchAfterMs, isWorthStreaming, mergedWatch } from './watch-state.ts'

/** What a watched draw is: its game, and its start, by which draws of one game differ. */
type Watched = Pick<Game, 'key' | 'next_draw'>

/** The balls and prizes of a game's draw, joined with what is known of it already. */
export function watchQuery(api: Api, queryClient: QueryClient, game: Watched) {
  const queryKey = watchKey(game)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const { data } = await api.call('getWatch', { params: { key: game.key }, signal })
      return mergedWatch(queryClient.getQueryData<WatchData>(queryKey) ?? null, data)
    },
    staleTime: 0,
  })
}

/** @returns the query of a game's draw, kept up to date by a stream or, where that is not to be had, by fetching; and its phase */
export function useWatch(game: Game) {
  const api = useApi()
  const queryClient = useQueryClient()
  const [isStreaming, setStreaming] = useState(false)
  const options = watchQuery(api, queryClient, game)
  const known = useQuery({ ...options, enabled: false }).data
  const phase = useWatchPhase(game, known)
  const query = useQuery({ ...options, refetchInterval: fetchAfterMs(phase, isStreaming) })
  useWatchStream(game, isWorthStreaming(phase), setStreaming)
  useOwnWins(game)
  return { query, phase }
}

function useWatchPhase({ next_draw: draw }: Watched, data: WatchData | undefined): WatchPhase {
  const times = { closesAt: draw.ticket_sell_closes_at, startAt: draw.start_at, endAt: draw.end_at }
  const balls = data?.draw ?? null
  const hasPrizes = data !== undefined && data.prizes !== false
  return useClockValue((now) => watchPhaseAt({ ...times, balls, hasPrizes }, now))
}

/** Takes over what the server sends of the draw while it runs. It comes without the player's wins, so those are fetched once. */
function useWatchStream(game: Watched, isWanted: boolean, setStreaming: (isOpen: boolean) => void): void {
  const api = useApi()
  const queryClient = useQueryClient()
  const { status } = useSession()
  const { key } = game
  const { start_at: startAt } = game.next_draw
  const arrive = useEffectEvent((data: WatchData) => {
    const queryKey = watchKey(game)
    queryClient.setQueryData<WatchData>(queryKey, (known) => mergedWatch(known ?? null, data))
    if (data.prizes !== false && status === 'player') void queryClient.invalidateQueries({ queryKey })
  })
  useEffect(() => {
    if (!isWanted) return
    const source = runtime.openStream(api.address('streamWatch', { params: { key } }))
    source.addEventListener('open', () => setStreaming(true))
    source.addEventListener('error', () => setStreaming(false))
    source.addEventListener('watch', ({ data }: MessageEvent<string>) => arrive(JSON.parse(data) as WatchData))
    return () => {
      source.close()
      setStreaming(false)
    }
  }, [api, key, startAt, isWanted, setStreaming])
}

/** What was loaded for anybody knows nothing of the player's wins: it is fetched again once it is known who is there. */
function useOwnWins(game: Watched): void {
  const queryClient = useQueryClient()
  const { status } = useSession()
  const refresh = useEffectEvent(() => queryClient.invalidateQueries({ queryKey: watchKey(game) }))
  useEffect(() => {
    if (status === 'player') void refresh()
  }, [status])
}

function watchKey({ key, next_draw: draw }: Watched) {
  return ['watch', key, draw.start_at] as const
}
