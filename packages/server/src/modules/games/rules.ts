import { LotteryError } from '@fairball/domain/errors'
import { gameByKey, type GameRules } from '@fairball/domain/games'

/**
 * The rules of the game a caller named; `threasure` is `treasure`.
 *
 * @throws LotteryError NOT_FOUND for an unknown key
 */
export function rulesOf(gameKey: string): GameRules {
  const game = gameByKey(gameKey)
  if (game === null) throw new LotteryError('NOT_FOUND', 'No such game.')
  return game
}
