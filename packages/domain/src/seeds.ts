import type { DrawTime, GameWithRules, PrizeTier, Weekday } from './games.ts'

/**
 * The games that a new installation can begin with. Nothing but seeds, tests and the design page reads them: from then
 * on the games of an installation are in its database.
 */

const EVERY_DAY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7]

/** Where the stakes of every seeded game go. */
export const SEED_SPLIT = { prizePool: 80, donation: 5, fee: 15 } as const
/** What the rules of all of them have in common. */
const EVERY_SEED = { currency: 'GBP', split: SEED_SPLIT } as const

/** The six games of the demo, in display order (decisions section 4). */
export const GAMES: readonly GameWithRules[] = [
  {
    key: 'bitcoin-lotto',
    name: 'Bitcoin Lotto',
    accent: '#FF9A1F',
    pattern: 'solid',
    summary: 'Six numbers of 49, every Wednesday and Saturday.',
    ...EVERY_SEED,
    pick: 6,
    pool: 49,
    priceMinor: 200,
    tiers: [jackpot(6), fixed(5, 5_000), fixed(4, 100), fixed(3, 10), free(2)],
    guaranteedMinor: 500_000_00,
    coverMinor: 20_000_00,
    drawTimes: on([3, 6], 20, 0),
    closesBeforeSeconds: 600,
    weeksAhead: 4,
    mostEntries: 5000,
  },
  {
    key: 'bitcoin-hero',
    name: 'Bitcoin Hero',
    accent: '#FF6F96',
    pattern: 'band',
    summary: 'Five numbers of 36, every day.',
    ...EVERY_SEED,
    pick: 5,
    pool: 36,
    priceMinor: 100,
    tiers: [jackpot(5), fixed(4, 300), fixed(3, 5), free(2)],
    guaranteedMinor: 20_000_00,
    coverMinor: 2_000_00,
    drawTimes: on(EVERY_DAY, 18, 0),
    closesBeforeSeconds: 300,
    weeksAhead: 2,
    mostEntries: 1000,
  },
  {
    key: 'treasure',
    name: 'Treasure',
    accent: '#22C58F',
    pattern: 'reeded',
    summary: 'Five numbers of 50, every Tuesday and Friday.',
    ...EVERY_SEED,
    pick: 5,
    pool: 50,
    priceMinor: 250,
    tiers: [jackpot(5), fixed(4, 3_000), fixed(3, 50), free(2)],
    guaranteedMinor: 100_000_00,
    coverMinor: 12_000_00,
    drawTimes: on([2, 5], 19, 30),
    closesBeforeSeconds: 600,
    weeksAhead: 4,
    mostEntries: 5000,
  },
  {
    key: 'ether-lotto',
    name: 'Ether Lotto',
    accent: '#A08BFF',
    pattern: 'facets',
    summary: 'Six numbers of 45, every Monday and Thursday.',
    ...EVERY_SEED,
    pick: 6,
    pool: 45,
    priceMinor: 150,
    tiers: [jackpot(6), fixed(5, 2_000), fixed(4, 50), fixed(3, 5), free(2)],
    guaranteedMinor: 250_000_00,
    coverMinor: 10_000_00,
    drawTimes: on([1, 4], 20, 30),
    closesBeforeSeconds: 600,
    weeksAhead: 4,
    mostEntries: 5000,
  },
  {
    key: 'mega-ball',
    name: 'Mega Ball',
    accent: '#55ABFF',
    pattern: 'ring',
    summary: 'Seven numbers of 47, every Friday.',
    ...EVERY_SEED,
    pick: 7,
    pool: 47,
    priceMinor: 300,
    tiers: [jackpot(7), fixed(6, 50_000), fixed(5, 1_000), fixed(4, 50), free(3)],
    guaranteedMinor: 1_000_000_00,
    coverMinor: 100_000_00,
    drawTimes: on([5], 21, 0),
    closesBeforeSeconds: 600,
    weeksAhead: 8,
    mostEntries: 5000,
  },
  {
    key: 'super-game',
    name: 'Super Game',
    accent: '#FFD43B',
    pattern: 'sunburst',
    summary: 'Six numbers of 59, every Sunday.',
    ...EVERY_SEED,
    pick: 6,
    pool: 59,
    priceMinor: 200,
    tiers: [jackpot(6), fixed(5, 10_000), fixed(4, 250), fixed(3, 20), free(2)],
    guaranteedMinor: 1_000_000_00,
    coverMinor: 40_000_00,
    drawTimes: on([7], 17, 0),
    closesBeforeSeconds: 600,
    weeksAhead: 8,
    mostEntries: 5000,
  },
]

/** A daily game that a small bankroll carries. */
export const STARTER: GameWithRules = {
  key: 'starter',
  name: 'Starter',
  accent: '#FF6F96',
  pattern: 'band',
  summary: 'Five numbers, every day.',
  ...EVERY_SEED,
  pick: 5,
  pool: 36,
  priceMinor: 100,
  tiers: [jackpot(5), fixed(4, 300), fixed(3, 5), free(2)],
  guaranteedMinor: 1_500_00,
  coverMinor: 2_000_00,
  drawTimes: on(EVERY_DAY, 18, 0),
  closesBeforeSeconds: 300,
  weeksAhead: 2,
  mostEntries: 1000,
}

/** The demo's first draw, soon after the first start of the server (decisions section 4). */
export const FIRST_DEMO_DRAW = { gameKey: 'bitcoin-hero', afterSeconds: 15 * 60 } as const

/** Another spelling of a game's key in addresses. */
export const ALIASES: readonly { readonly alias: string; readonly gameKey: string }[] = [
  { alias: 'threasure', gameKey: 'treasure' },
]

/** The seeded game of a key; null if there is none. */
export function gameByKey(key: string): GameWithRules | null {
  return GAMES.find((game) => game.key === key) ?? null
}

function on(days: readonly Weekday[], hour: number, minute: number): DrawTime[] {
  return days.map((day) => ({ day, minuteOfDay: hour * 60 + minute }))
}

function jackpot(matches: number): PrizeTier {
  return { matches, kind: 'jackpot' }
}

function fixed(matches: number, pounds: number): PrizeTier {
  return { matches, kind: 'fixed', prizeMinor: pounds * 100 }
}

function free(matches: number): PrizeTier {
  return { matches, kind: 'free' }
}
