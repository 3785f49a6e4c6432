import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useGame } from '../../shared/data/games.ts'
import { useSession } from '../../shared/session/use-session.ts'

/** @returns the query of a game. For a player it is fetched again, because the public data has no free tickets. */
export function usePlayedGame(gameKey: string) {
  const { status } = useSession()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (status === 'player') void queryClient.invalidateQueries({ queryKey: ['games'] })
  }, [status, queryClient])
  return useGame(gameKey)
}
