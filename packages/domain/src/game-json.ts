import type { GameRules, PrizeTier, StakeShares, Weekday } from './games.ts'

/** A prize tier as the games file has it. */
type TierJson =
  | { readonly matches: number; readonly kind: 'jackpot' | 'free' }
  | { readonly matches: number; readonly kind: 'fixed'; readonly prize_minor: number }

/** The rules of a version as the games file, the database and the API have them. Amounts are hundredths. */
export interface RulesJson {
  readonly currency: string
  readonly pick: number
  readonly pool: number
  readonly price_minor: number
  readonly tiers: readonly TierJson[]
  readonly split: { readonly prize_pool: number; readonly donation: number; readonly fee: number }
  readonly guaranteed_minor: number
  readonly cover_minor: number
  readonly draw_times: readonly { readonly day: number; readonly minute_of_day: number }[]
  readonly closes_before_seconds: number
  readonly weeks_ahead: number
  readonly most_entries: number
}

/** Rules as JSON. */
export function rulesToJson(rules: GameRules): RulesJson {
  return {
    currency: rules.currency,
    pick: rules.pick,
    pool: rules.pool,
    price_minor: rules.priceMinor,
    tiers: rules.tiers.map((tier) =>
      tier.kind === 'fixed'
        ? { matches: tier.matches, kind: tier.kind, prize_minor: tier.prizeMinor }
        : { matches: tier.matches, kind: tier.kind },
    ),
    split: splitToJson(rules.split),
    guaranteed_minor: rules.guaranteedMinor,
    cover_minor: rules.coverMinor,
    draw_times: rules.drawTimes.map(({ day, minuteOfDay }) => ({ day, minute_of_day: minuteOfDay })),
    closes_before_seconds: rules.closesBeforeSeconds,
    weeks_ahead: rules.weeksAhead,
    most_entries: rules.mostEntries,
  }
}

/** The rules of a JSON object of the right shape; their values are not checked (see `problemsOfGame`). */
export function rulesFromJson(json: RulesJson): GameRules {
  return {
    currency: json.currency,
    pick: json.pick,
    pool: json.pool,
    priceMinor: json.price_minor,
    tiers: json.tiers.map((tier): PrizeTier =>
      tier.kind === 'fixed'
        ? { matches: tier.matches, kind: tier.kind, prizeMinor: tier.prize_minor }
        : { matches: tier.matches, kind: tier.kind },
    ),
    split: { prizePool: json.split.prize_pool, donation: json.split.donation, fee: json.split.fee },
    guaranteedMinor: json.guaranteed_minor,
    coverMinor: json.cover_minor,
    drawTimes: json.draw_times.map(({ day, minute_of_day: minuteOfDay }) => ({ day: day as Weekday, minuteOfDay })),
    closesBeforeSeconds: json.closes_before_seconds,
    weeksAhead: json.weeks_ahead,
    mostEntries: json.most_entries,
  }
}

/** A split as JSON. */
export function splitToJson({ prizePool, donation, fee }: StakeShares): RulesJson['split'] {
  return { prize_pool: prizePool, donation, fee }
}
