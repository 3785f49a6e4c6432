import { useQuery } from '@tanstack/react-query'
import type { WatchPhase } from '@fairball/domain/draw-phase'
import { useApi } from '../../shared/api.ts'
import type { Game } from '../../shared/data/games.ts'

/** Interval at which the number is fetched after sales have closed until the draw is sealed, in ms. */
const UNTIL_SEALED_MS = 5_000

/** @returns how many lines of all players are sealed in the game's draw; null before that */
export function useEntries(
  { key, next_draw: draw }: Pick<Game, 'key' | 'next_draw'>,
  phase: WatchPhase,
): number | null {
  const api = useApi()
  const { number } = draw
  const { data } = useQuery({
    // Not the draw itself, which other pages keep once it is settled.
    queryKey: ['entries', key, number],
    queryFn: async ({ signal }) =>
      (await api.call('getDraw', { params: { key, number }, isPublic: true, signal })).entries,
    enabled: phase !== 'PLAY',
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data == null ? UNTIL_SEALED_MS : false),
  })
  return data ?? null
}
