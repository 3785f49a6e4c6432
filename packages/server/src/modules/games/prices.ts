import type { Game } from '@fairball/contract/schemas/game'
import type { PrizeAmount } from '@fairball/contract/schemas/money'
import { CURRENCIES } from '@fairball/domain/fiat'
import type { GameRules, PrizeTier } from '@fairball/domain/games'
import { priceIn } from '../payments/service.ts'

/** The text of a tier in a prize table for each currency: the amount, or the words `Jackpot` and `Free ticket`. */
export function prizeIn(
  tier: PrizeTier,
  satsPerUnit: ReadonlyMap<string, bigint>,
  currency: string,
): Record<string, PrizeAmount> {
  if (tier.kind === 'fixed') return priceIn(tier.prizeMinor, satsPerUnit, currency)
  return wordIn(tier.kind === 'jackpot' ? 'Jackpot' : 'Free ticket', satsPerUnit)
}

/** A version's prize table, from the jackpot down. */
export function prizesIn(
  { tiers, currency }: Pick<GameRules, 'tiers' | 'currency'>,
  satsPerUnit: ReadonlyMap<string, bigint>,
): Game['prizes'] {
  return tiers.map((tier) => ({ matches: [tier.matches], prize: { fiat: prizeIn(tier, satsPerUnit, currency) } }))
}

/** A word in place of an amount, in every currency with a rate. */
export function wordIn(
  value: 'Jackpot' | 'Free ticket',
  satsPerUnit: ReadonlyMap<string, bigint>,
): Record<string, PrizeAmount> {
  const shown = CURRENCIES.filter(({ code }) => satsPerUnit.has(code))
  return Object.fromEntries(
    shown.map(({ code, symbol, position }) => [code, { value, symbol, position_of_symbol: position }]),
  )
}
