import { describe, expect, it } from 'vitest'
import { type ChangeKind, isVersion, kindsOfChange, reasonOfKinds } from './game-changes.ts'
import type { GameRules, PrizeTier } from './games.ts'
import { STARTER } from './seeds.ts'

const [jackpot, four, three, free] = STARTER.tiers as readonly [PrizeTier, PrizeTier, PrizeTier, PrizeTier]

describe('the kinds of a change', () => {
  it.each<[change: string, rules: Partial<GameRules>, kinds: ChangeKind[], reason: string | null]>([
    ['nothing', {}, [], null],
    ['a higher price', { priceMinor: 150 }, ['price-up'], 'price'],
    ['a lower price', { priceMinor: 50 }, ['price-down'], 'price'],
    [
      'a raised tier',
      { tiers: [jackpot, { ...four, prizeMinor: 40_000 } as PrizeTier, three, free] },
      ['prizes-up'],
      'prizes',
    ],
    [
      'a lowered tier',
      { tiers: [jackpot, { ...four, prizeMinor: 20_000 } as PrizeTier, three, free] },
      ['prizes-down'],
      'prizes',
    ],
    ['a tier removed', { tiers: [jackpot, four, three] }, ['prizes-down'], 'prizes'],
    ['a tier added', { tiers: [jackpot, four, three, free, { matches: 1, kind: 'free' }] }, ['prizes-up'], 'prizes'],
    [
      'a prize for a free ticket',
      { tiers: [jackpot, four, three, { matches: 2, kind: 'fixed', prizeMinor: 90 }] },
      ['prizes-up', 'prizes-down'],
      'prizes',
    ],
    ['a higher floor', { guaranteedMinor: 160_000 }, ['floor-up'], 'prizes'],
    ['a lower floor', { guaranteedMinor: 140_000 }, ['floor-down'], 'prizes'],
    ['a higher cover', { coverMinor: 210_000 }, ['cover-up'], 'prizes'],
    ['a lower cover', { coverMinor: 190_000 }, ['cover-down'], 'prizes'],
    ['other shares', { split: { prizePool: 81, donation: 5, fee: 14 } }, ['split'], 'prizes'],
    ['other limits', { mostEntries: 10 }, ['limits'], 'prizes'],
    ['another day', { drawTimes: [{ day: 1, minuteOfDay: 1080 }] }, ['schedule'], 'schedule'],
    ['the same days in another order', { drawTimes: [...STARTER.drawTimes].reverse() }, [], null],
    ['an earlier close', { closesBeforeSeconds: 600 }, ['closing'], 'schedule'],
    ['a horizon', { weeksAhead: 1 }, ['horizon'], null],
    ['price and floor', { priceMinor: 150, guaranteedMinor: 160_000 }, ['price-up', 'floor-up'], 'price'],
    ['limits and close', { mostEntries: 10, closesBeforeSeconds: 600 }, ['limits', 'closing'], 'prizes'],
  ])('%s is named, with the reason of its statement', (_change, rules, kinds, reason) => {
    const found = kindsOfChange(STARTER, { ...STARTER, ...rules })
    expect(found).toEqual(kinds)
    expect(isVersion(found) ? reasonOfKinds(found) : null).toBe(reason)
  })

  it('a game without a version is new', () => {
    expect(kindsOfChange(null, STARTER)).toEqual(['new'])
    expect(reasonOfKinds(['new'])).toBe('new')
    expect(reasonOfKinds(['retire'])).toBe('retire')
  })
})
