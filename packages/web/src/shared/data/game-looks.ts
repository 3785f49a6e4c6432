import { useGame, useGames } from './games.ts'

/** @returns a game's name; its key while the games are not known */
export function useGameName(gameKey: string): string {
  return useGame(gameKey).data?.name ?? gameKey
}

/**
 * @returns a function that gives a decoration without a game the look of one: the key of the game at a place of the
 *   list, which starts again after its end; undefined without games
 */
export function useLooks(): (place: number) => string | undefined {
  const { data: games = [] } = useGames()
  return (place) => games[place % games.length]?.key
}
