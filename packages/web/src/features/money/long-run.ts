import { longRunShares } from '@fairball/domain/game-outlook'
import { GAMES } from '@fairball/domain/seeds'
import type { BarPart } from '../../ui/stacked-bar.tsx'
import { MONEY_TEXTS } from './messages.ts'

/** The stakes of one game, divided by its odds and prizes in the long run. */
export interface GameShares {
  key: string
  name: string
  /** Fixed prizes, jackpot, good causes, operator: 100% together. */
  parts: readonly BarPart[]
}

/** @returns the shares of the offered games, or of all games while the offer is unknown */
export function gameShares(offeredKeys: readonly string[] | null): GameShares[] {
  return GAMES.filter(({ key }) => offeredKeys?.includes(key) ?? true).map((game) => {
    const { fixedPermille, jackpotPermille, donationPermille, feePermille } = longRunShares(game)
    return {
      key: game.key,
      name: game.name,
      parts: [
        { name: MONEY_TEXTS.fixed, percent: fixedPermille / 10, tone: 1 },
        { name: MONEY_TEXTS.jackpot, percent: jackpotPermille / 10, tone: 2 },
        { name: MONEY_TEXTS.causes, percent: donationPermille / 10, tone: 3 },
        { name: MONEY_TEXTS.operator, percent: feePermille / 10, tone: 4 },
      ],
    }
  })
}
