import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../shared/api.ts'
import { useClockValue } from '../../shared/use-clock.ts'
import type { Game } from '../../shared/data/games.ts'
import { latestDrawsQuery } from '../../shared/data/latest-draws.ts'

/** Interval at which the draws are fetched after a draw's end, in ms, as for the games (specification, section 9). */
const AFTER_END_MS = 10_000

/**
 * @returns the query of the newest draw of each game; from the end of a draw on, until its game has the next one, it is
 *   asked again and again
 */
export function useLatestDraws(games: readonly Game[]) {
  const hasEnded = useClockValue((now) => games.some(({ next_draw }) => now >= next_draw.end_at))
  return useQuery({ ...latestDrawsQuery(useApi()), refetchInterval: hasEnded ? AFTER_END_MS : false })
}
