import { formatMoney } from '@fairball/domain/fiat'
import type { WatchPrize, WinType } from '@fairball/contract/schemas/game'
import type { Game } from '../data/games.ts'
import { amountIn } from '../player-view.ts'
import { STAGE_TEXTS } from './messages.ts'

/** A number of matches that has a prize. */
export interface Tier {
  readonly matches: number
  readonly type: WinType
  /** "Jackpot", "£5.00" or "Free ticket". */
  readonly prize: string
}

/** @returns the prizes that a game promises, in a currency */
export function tiersOfGame({ prizes }: Pick<Game, 'prizes'>, currencyCode: string): Tier[] {
  return prizes.flatMap(({ matches: [matches], prize }): Tier[] => {
    const amount = amountIn(prize.fiat, currencyCode)
    if (matches === undefined || amount === null) return []
    const { value, ...currency } = amount
    if (value === 'Jackpot') return [tierOf(matches, 'JACKPOT')]
    if (value === 'Free ticket') return [tierOf(matches, 'FREE_TICKET')]
    return [tierOf(matches, 'PRIZE', formatMoney({ value, ...currency }))]
  })
}

/** @returns the prizes of a draw that was settled, in a currency; a prize that nobody won has no sum */
export function tiersOfDraw(prizes: readonly WatchPrize[], currencyCode: string): Tier[] {
  return prizes.flatMap(({ matches: [matches], type, crypto, fiat }): Tier[] => {
    const amount = crypto === null ? null : amountIn(fiat, currencyCode)
    if (matches === undefined) return []
    return [type !== 'PRIZE' || amount === null ? tierOf(matches, type) : tierOf(matches, type, formatMoney(amount))]
  })
}

function tierOf(matches: number, type: WinType, prize: string = STAGE_TEXTS.prizes[type]): Tier {
  return { matches, type, prize }
}
