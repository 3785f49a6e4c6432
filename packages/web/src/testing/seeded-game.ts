import { rulesToJson } from '@fairball/domain/game-json'
import type { GameWithRules, PrizeTier } from '@fairball/domain/games'
import type { GameVersion } from '@fairball/contract/schemas/game'
import type { Game } from '../shared/data/games.ts'
import { heroGame } from './hero-game.ts'

/** A seeded game as the API gives it, in pounds. @param startAt when its next draw starts, in epoch seconds */
export function seededGame(rules: GameWithRules, startAt: number): Game {
  const { key, name, accent, pattern, pick, pool, priceMinor, tiers, drawTimes, weeksAhead, closesBeforeSeconds } =
    rules
  const { next_draw: draw } = heroGame(startAt)
  return heroGame(startAt, {
    key,
    name,
    color: accent,
    pattern,
    sets: [{ n: pick, N: pool }],
    ticket_price: { fiat: pounds(priceMinor / 100) },
    prizes: tiers.map((tier) => ({ matches: [tier.matches], prize: { fiat: pounds(prizeOf(tier)) } })),
    advanced_ticket_purchase: {
      days: drawTimes.map(({ day, minuteOfDay }) => ({
        day,
        time_delta_midnight_utc: minuteOfDay * 60,
        max_weeks: weeksAhead,
      })),
      max_weeks_ahead: weeksAhead,
    },
    next_draw: { ...draw, ticket_sell_closes_at: startAt - closesBeforeSeconds },
  })
}

function prizeOf(tier: PrizeTier): number | 'Jackpot' | 'Free ticket' {
  if (tier.kind === 'fixed') return tier.prizeMinor / 100
  return tier.kind === 'free' ? 'Free ticket' : 'Jackpot'
}

function pounds<Value>(value: Value) {
  return { GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const } }
}

/** The first announced version of a seeded game, as the API gives it. */
export function firstVersion(rules: GameWithRules): GameVersion {
  const json = rulesToJson(rules)
  return {
    version: 1,
    from_at: 0,
    from_draw: 1,
    announced_at: 0,
    kinds: ['new'],
    rules: { ...json, tiers: json.tiers.map((tier) => ({ ...tier })), draw_times: [...json.draw_times] },
    rules_hash: 'ab'.repeat(32),
    statement: 'ab'.repeat(32),
  }
}
