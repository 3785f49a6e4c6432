import { useQuery } from '@tanstack/react-query'
import type { WatchPrize } from '@fairball/contract/schemas/game'
import { useApi } from '../api.ts'

const NONE: readonly WatchPrize[] = []

/** @returns the prizes of a draw that is settled; none while they load, and without a draw */
export function useDrawPrizes(gameKey: string, number: number | null): readonly WatchPrize[] {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['draw', gameKey, number ?? 0],
    queryFn: ({ signal }) => api.call('getDraw', { params: { key: gameKey, number: number ?? 0 }, signal }),
    enabled: number !== null,
    // Another page may have seen the draw before it was settled.
    staleTime: ({ state }) => (state.data?.prizes === false ? 0 : Infinity),
  })
  return data === undefined || data.prizes === false ? NONE : data.prizes
}
