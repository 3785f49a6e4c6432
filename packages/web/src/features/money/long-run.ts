import { longRunShares } from '@fairball/domain/game-outlook'
import type { PrizeTier } from '@fairball/domain/games'
import type { Game } from '../../shared/data/games.ts'
import type { BarPart } from '@fairball/ui/stacked-bar.tsx'
import { MONEY_TEXTS } from './messages.ts'

/** The stakes of one game, divided by its odds and prizes in the long run. */
export interface GameShares {
  key: string
  name: string
  /** Fixed prizes, jackpot, good causes, operator: 100% together. */
  parts: readonly BarPart[]
}

/** @returns the shares of each game */
export function gameShares(games: readonly Game[]): GameShares[] {
  return games.map((game) => {
    const [{ n: pick, N: pool } = { n: 1, N: 1 }] = game.sets
    const priceMinor = minorOf(game.ticket_price.fiat[game.currency]?.value ?? 1)
    const { fixedPermille, jackpotPermille, donationPermille, feePermille } = longRunShares({
      pick,
      pool,
      priceMinor,
      tiers: game.prizes.map((prize) => tierOf(prize, game.currency)),
      split: { prizePool: game.split.prize_pool, donation: game.split.donation, fee: game.split.fee },
    })
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

function tierOf({ matches: [matches = 0], prize }: Game['prizes'][number], currency: string): PrizeTier {
  const value = prize.fiat[currency]?.value
  if (typeof value === 'number') return { matches, kind: 'fixed', prizeMinor: minorOf(value) }
  return { matches, kind: value === 'Free ticket' ? 'free' : 'jackpot' }
}

function minorOf(value: number): number {
  return Math.round(value * 100)
}
