import { useQuery } from '@tanstack/react-query'
import type { MyGame } from '@fairball/contract/schemas/game'
import { useApi } from '../../shared/api.ts'

export type { MyGame }

/** @returns the query of the games the player has played */
export function useMyGames() {
  const api = useApi()
  return useQuery({ queryKey: ['my-games'], queryFn: ({ signal }) => api.call('getMyGames', { signal }) })
}
