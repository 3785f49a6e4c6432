import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'
import { useClockValue } from '../../shared/clock.ts'
import { latestDrawsQuery } from './use-home.ts'

/** Interval at which the draws are fetched after a draw's end, in ms, as for the games (specification, section 9). */
const AFTER_END_MS = 10_000

/**
 * @param endAt when the game's next draw ends, in epoch seconds: from then on there is one more draw, until the game
 *   has its next one
 * @returns the query of a game's newest draws; while those of another game load, the previous ones stay
 */
export function useLatestDraws(gameKey: string, endAt: number) {
  const api = useApi()
  const hasEnded = useClockValue((now) => now >= endAt)
  return useQuery({
    ...latestDrawsQuery(api, gameKey),
    placeholderData: keepPreviousData,
    refetchInterval: hasEnded ? AFTER_END_MS : false,
  })
}
