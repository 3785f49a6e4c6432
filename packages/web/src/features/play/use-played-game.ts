import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useGame } from '../../shared/data/games.ts'
import { useSession } from '../../shared/session/use-session.ts'

/**
 * @param isChoosing whether lines are chosen: then it is fetched again for a player, because the public data has no free
 *   tickets
 * @returns the query of a game
 */
export function usePlayedGame(gameKey: string, isChoosing: boolean) {
  const { status } = useSession()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isChoosing && status === 'player') void queryClient.invalidateQueries({ queryKey: ['games'] })
  }, [isChoosing, status, queryClient])
  return useGame(gameKey)
}
