import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GameWithRules } from './games.ts'
import { GAMES } from './seeds.ts'
import { estimatedJackpot, reserveOfDraw, settlePrizes, shareJackpot } from './jackpot.ts'

const [lotto, hero] = GAMES as readonly [GameWithRules, GameWithRules, ...GameWithRules[]]
const sats = fc.bigInt(0n, 10n ** 14n)

describe('a jackpot', () => {
  it('sharing a jackpot neither makes nor loses a sat, whatever the pool and the number of winners', () => {
    for (const poolSats of [0n, 1n, 546n, 2_100_000_000_000_000n]) {
      for (const winners of [1, 2, 7, 10_000]) {
        const { shareSats, leftSats } = shareJackpot(poolSats, winners)
        expect(shareSats * BigInt(winners) + leftSats).toBe(poolSats)
        expect(leftSats < BigInt(winners)).toBe(true)
      }
    }
  })

  it('a jackpot cannot be shared without winners', () => {
    for (const winners of [0, -1, 1.5, Number.NaN]) {
      // The assertion's own text is checked, because a division by zero is a RangeError too.
      expect(() => shareJackpot(1n, winners)).toThrow(`cannot share a jackpot between ${winners} entries`)
    }
    expect(() => shareJackpot(-1n, 1)).toThrow(RangeError)
    expect(() => shareJackpot(-1n, 1)).toThrow('-1 sats')
  })
})

describe('the prizes of a draw', () => {
  // At 1,000 sats a pound: 4 matches 300,000 sats, 3 matches 5,000.
  const draw = {
    tiers: hero.tiers,
    poolSats: 1_000_000n,
    bankrollSats: 200_000n,
    floorSats: 2_000_000n,
    satsPerUnit: 1000n,
  }
  const settle = (winners: Record<number, number>, change: Partial<typeof draw> = {}) =>
    settlePrizes({
      ...draw,
      ...change,
      winnersByMatches: new Map(Object.entries(winners).map(([m, w]) => [Number(m), w])),
    })

  it('without a winner the whole pot goes to the prize pool', () => {
    expect(settle({})).toEqual({
      tiers: [
        { matches: 5, kind: 'jackpot', winners: 0, satsEach: 0n },
        { matches: 4, kind: 'fixed', winners: 0, satsEach: 300_000n },
        { matches: 3, kind: 'fixed', winners: 0, satsEach: 5_000n },
        { matches: 2, kind: 'free', winners: 0, satsEach: 0n },
      ],
      fixedSats: 0n,
      jackpotSats: 2_000_000n,
      isJackpotWon: false,
      isScaled: false,
      fixedFromReserveSats: 0n,
      jackpotFromReserveSats: 0n,
      jackpotPaidSats: 0n,
      leftSats: 1_000_000n,
    })
  })

  it('prizes are paid from the pot while it suffices', () => {
    const settled = settle({ 4: 2, 3: 10, 2: 1000 })
    expect(settled).toMatchObject({
      fixedSats: 650_000n,
      fixedFromReserveSats: 0n,
      leftSats: 350_000n,
      isScaled: false,
    })
    expect(settled.tiers[3]).toEqual({ matches: 2, kind: 'free', winners: 1000, satsEach: 0n })
  })

  it('prizes beyond the pot are paid from the cover', () => {
    expect(settle({ 4: 4 })).toMatchObject({
      fixedSats: 1_200_000n,
      fixedFromReserveSats: 200_000n,
      leftSats: 0n,
      isScaled: false,
    })
  })

  it('prizes beyond the cover are scaled down pro rata, each rounded down', () => {
    const settled = settle({ 4: 7, 3: 3 }) // 2,115,000 of 1,200,000
    expect(settled.tiers.map(({ satsEach }) => satsEach)).toEqual([0n, 170_212n, 2836n, 0n])
    expect(settled).toMatchObject({
      fixedSats: 1_199_992n,
      fixedFromReserveSats: 199_992n,
      leftSats: 0n,
      isScaled: true,
    })
  })

  it('the jackpot is the rest of the pot, if that is above the floor', () => {
    expect(settle({ 5: 3, 3: 1 }, { floorSats: 10n })).toMatchObject({
      jackpotSats: 995_000n,
      isJackpotWon: true,
      jackpotFromReserveSats: 0n,
      jackpotPaidSats: 994_998n,
      leftSats: 2n,
    })
  })

  it('the jackpot is the floor, topped up from the reserve, if the pot has less', () => {
    const settled = settle({ 5: 3, 4: 4 })
    expect(settled.tiers[0]).toEqual({ matches: 5, kind: 'jackpot', winners: 3, satsEach: 666_666n })
    expect(settled).toMatchObject({
      jackpotSats: 2_000_000n,
      fixedFromReserveSats: 200_000n,
      jackpotFromReserveSats: 2_000_000n,
      jackpotPaidSats: 1_999_998n,
      leftSats: 2n,
    })
  })

  it('settling neither makes nor loses a sat, and never takes more from the reserve than floor and cover', () => {
    const winners = fc.nat(5000)
    const arbitrary = fc.record({
      rules: fc.constantFrom(...GAMES),
      counts: fc.array(winners, { minLength: 8, maxLength: 8 }),
      poolSats: sats,
      bankrollSats: sats,
      floorSats: sats,
      satsPerUnit: fc.bigInt(1n, 10n ** 6n),
    })
    fc.assert(
      fc.property(arbitrary, ({ rules, counts, ...rest }) => {
        const winnersByMatches = new Map(counts.map((count, matches) => [matches, count]))
        const settled = settlePrizes({ ...rest, tiers: rules.tiers, winnersByMatches })
        expect(rest.poolSats + settled.fixedFromReserveSats + settled.jackpotFromReserveSats).toBe(
          settled.fixedSats + settled.jackpotPaidSats + settled.leftSats,
        )
        const paid = settled.tiers.reduce((sum, tier) => sum + tier.satsEach * BigInt(tier.winners), 0n)
        expect(paid).toBe(settled.fixedSats + settled.jackpotPaidSats)
        expect(settled.fixedFromReserveSats <= rest.bankrollSats).toBe(true)
        expect(settled.jackpotFromReserveSats <= rest.floorSats).toBe(true)
        expect(settled.jackpotSats >= rest.floorSats && settled.leftSats >= 0n).toBe(true)
      }),
    )
  })

  it('prizes are not computed from impossible amounts', () => {
    expect(() => settle({ 3: -1 })).toThrow(RangeError)
    expect(() => settle({ 3: 0.5 })).toThrow(RangeError)
    expect(() => settle({ 3: -1 })).toThrow('winners: -1')
    for (const name of ['poolSats', 'bankrollSats', 'floorSats']) {
      expect(() => settle({}, { [name]: -1n })).toThrow(RangeError)
      expect(() => settle({}, { [name]: -1n })).toThrow('-1 sats')
    }
    expect(() => settle({}, { satsPerUnit: 0n })).toThrow(RangeError)
  })
})

describe('the reserve of a draw', () => {
  const rules = { guaranteedMinor: 2_000_000, coverMinor: 200_000, satsPerUnit: 1000n }

  it.each([
    [100_000_000n, 20_000_000n, 2_000_000n],
    [21_000_000n, 20_000_000n, 1_000_000n],
    [20_000_000n, 20_000_000n, 0n],
    [5n, 5n, 0n],
    [0n, 0n, 0n],
  ])('a free bankroll of %d sats gives a floor of %d and a cover of %d', (freeBankrollSats, floorSats, coverSats) => {
    expect(reserveOfDraw({ ...rules, freeBankrollSats })).toEqual({ floorSats, coverSats })
  })

  it('a reserve cannot come from a bankroll below zero', () => {
    expect(() => reserveOfDraw({ ...rules, freeBankrollSats: -1n })).toThrow(RangeError)
    expect(() => reserveOfDraw({ ...rules, freeBankrollSats: -1n })).toThrow('-1 sats')
  })
})

describe('the advertised jackpot', () => {
  const outlook = {
    game: lotto,
    poolSats: 900_000_000n,
    stakeSats: 0n,
    entries: 0,
    floorSats: 500_000_000n,
    satsPerUnit: 1000n,
  }

  it('the advertised jackpot is the prize pool, or the floor if that is more', () => {
    expect(estimatedJackpot(outlook)).toBe(900_000_000n)
    expect(estimatedJackpot({ ...outlook, poolSats: 0n })).toBe(500_000_000n)
  })

  it('the jackpot grows by 80% of the stakes so far, less the expected cost of fixed prizes, rounded up', () => {
    // Expected fixed prizes: (258 × 5,000 + 13,545 × 100 + 246,820 × 10) £ of 13,983,816 lines, 365.6…p an entry in
    // sats.
    const expected = (258n * 5_000_000n + 13_545n * 100_000n + 246_820n * 10_000n) * 1000n
    const fixedSats = (expected + 13_983_815n) / 13_983_816n
    expect(estimatedJackpot({ ...outlook, stakeSats: 2_000_001n, entries: 1000 })).toBe(
      900_000_000n + 1_600_000n - fixedSats,
    )
  })

  it('fixed prizes count at the current rate in whole sats', () => {
    const game = {
      split: { prizePool: 80, donation: 5, fee: 15 },
      pick: 1,
      pool: 2,
      tiers: [
        { matches: 1, kind: 'jackpot' },
        { matches: 0, kind: 'fixed', prizeMinor: 199 },
      ],
    } as const
    // 199 pence at 1 sat a pound are 1 sat; one line of two wins it: 3 entries cost 1.5 sats, rounded up.
    const small = { game, poolSats: 100n, stakeSats: 0n, entries: 3, floorSats: 0n, satsPerUnit: 1n }
    expect(estimatedJackpot(small)).toBe(98n)
  })

  it('a jackpot is not estimated from impossible amounts', () => {
    for (const name of ['poolSats', 'stakeSats', 'floorSats']) {
      expect(() => estimatedJackpot({ ...outlook, [name]: -1n })).toThrow(RangeError)
      expect(() => estimatedJackpot({ ...outlook, [name]: -1n })).toThrow('-1 sats')
    }
    expect(() => estimatedJackpot({ ...outlook, entries: -1 })).toThrow('not a number of entries: -1')
    expect(() => estimatedJackpot({ ...outlook, entries: 0.5 })).toThrow('not a number of entries: 0.5')
  })

  it('the advertised jackpot is never below the floor', () => {
    fc.assert(
      fc.property(
        sats,
        sats,
        fc.nat(10 ** 6),
        sats,
        (poolSats, stakeSats, entries, floorSats) =>
          estimatedJackpot({ ...outlook, poolSats, stakeSats, entries, floorSats }) >= floorSats,
      ),
    )
  })
})
