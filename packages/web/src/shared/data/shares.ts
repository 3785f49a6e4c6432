import { rangeOf } from './games.ts'
import type { Game, Split } from './games.ts'

/** @returns the division of the game with the least for its prize pool; null without games */
export function leastSplit(games: readonly Game[]): Split | null {
  return games.map(({ split }) => split).toSorted((one, other) => one.prize_pool - other.prize_pool)[0] ?? null
}

/** @returns each part in percent, as text */
export function rangesOf(games: readonly Game[]): Readonly<Record<keyof Split, string>> {
  return {
    prize_pool: rangeOf(games, 'prize_pool'),
    donation: rangeOf(games, 'donation'),
    fee: rangeOf(games, 'fee'),
  }
}
