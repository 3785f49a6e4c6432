import { type GameRules, MAX_LINES } from '@fairball/domain/games'
import { MONDAY_OFFSET_SECONDS, WEEK_SECONDS } from '@fairball/domain/protocol/numbers'
import type { Rules } from '@fairball/domain/protocol/rules'

/**
 * A version of a game in the words of the protocol, for announcing and judging draws (fairness section 4).
 *
 * @param extraStartAt the demo's first draw outside the calendar, epoch seconds: its time of the week is one of the
 *   rules' too
 */
export function rulesOf(gameKey: string, version: number, rules: GameRules, extraStartAt: number | null): Rules {
  const starts = rules.drawTimes.map(({ day, minuteOfDay }) => (day - 1) * 86_400 + minuteOfDay * 60)
  if (extraStartAt !== null) starts.push((extraStartAt + MONDAY_OFFSET_SECONDS) % WEEK_SECONDS)
  return {
    game: gameKey,
    version,
    pick: rules.pick,
    pool: rules.pool,
    price: { currency: rules.currency, value: rules.priceMinor },
    tier: rules.tiers.map((tier) => ({
      matches: tier.matches,
      kind: tier.kind,
      minor: tier.kind === 'fixed' ? tier.prizeMinor : 0,
    })),
    split: { prizes: rules.split.prizePool, donation: rules.split.donation, fee: rules.split.fee },
    floor: rules.guaranteedMinor,
    cover: rules.coverMinor,
    limit: { play: MAX_LINES, player: rules.mostEntries },
    closes: rules.closesBeforeSeconds,
    at: [...new Set(starts)].sort((one, other) => one - other),
  }
}
