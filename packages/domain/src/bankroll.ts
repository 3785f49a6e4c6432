/** What the bankroll is needed for by one game. */
export interface GameNeed {
  readonly key: string
  /** floor + cover of the draw that needs most among its open ones, in sats, 0 or more */
  readonly neededSats: bigint
  /** whether an unclosed draw of it has an entry, or an order for it may still be paid */
  readonly isCommitted: boolean
}

/**
 * The free bankroll that games need: 1.25 × (floor + cover), rounded up.
 *
 * @param neededSats sum of floor + cover at the current rate
 */
export function bankrollWanted(neededSats: bigint): bigint {
  return (neededSats * 5n + 3n) / 4n
}

/**
 * The games that the free bankroll carries: committed ones first, then the others, each in the order given. An
 * uncommitted game that does not fit is passed over; a committed one that does not fit ends the list, so nothing is sold
 * that takes from what was sold before.
 *
 * @param games every game with an open draw, by its position
 * @param freeSats the bankroll that nothing has reserved, less unbooked spends; may be negative
 * @returns the keys of the games carried
 */
export function carriedGames(games: readonly GameNeed[], freeSats: bigint): ReadonlySet<string> {
  const carried = new Set<string>()
  let sumSats = 0n
  for (const game of [...games.filter((one) => one.isCommitted), ...games.filter((one) => !one.isCommitted)]) {
    if (bankrollWanted(sumSats + game.neededSats) <= freeSats) {
      carried.add(game.key)
      sumSats += game.neededSats
    } else if (game.isCommitted) break
  }
  return carried
}
