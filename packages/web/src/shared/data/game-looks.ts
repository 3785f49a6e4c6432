import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api.ts'
import { retiredGamesQuery } from './game-versions.ts'
import { useGames } from './games.ts'

/** @returns a game's name, also of one that is no longer drawn; its key while the games are not known */
export function useGameName(gameKey: string): string {
  const { data: games } = useGames()
  const isOffered = games?.some(({ key }) => key === gameKey) ?? true
  const { data: retired } = useQuery({ ...retiredGamesQuery(useApi()), enabled: !isOffered })
  return [...(games ?? []), ...(retired ?? [])].find(({ key }) => key === gameKey)?.name ?? gameKey
}

/**
 * @returns a function that gives a decoration without a game the look of one: the key of the game at a place of the
 *   list, which starts again after its end; undefined without games
 */
export function useLooks(): (place: number) => string | undefined {
  const { data: games = [] } = useGames()
  return (place) => games[place % games.length]?.key
}
