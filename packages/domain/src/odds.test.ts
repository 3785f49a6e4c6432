import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GAMES } from './seeds.ts'
import { combinations } from './combinations.ts'
import { costBelowJackpot, expectedFixedPrizes, linesWithMatches, oddsOfMatches, oneIn } from './odds.ts'

describe('combinations', () => {
  it.each([
    [49, 6, 13_983_816n],
    [36, 5, 376_992n],
    [50, 5, 2_118_760n],
    [45, 6, 8_145_060n],
    [47, 7, 62_891_499n],
    [59, 6, 45_057_474n],
    [5, 0, 1n],
    [5, 6, 0n],
  ])('%d choose %d is exact', (n, k, ways) => {
    expect(combinations(n, k)).toBe(ways)
  })

  it('combinations follow Pascal’s rule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.integer({ min: 1, max: 64 }),
        (n, k) => combinations(n, k) === combinations(n - 1, k - 1) + combinations(n - 1, k),
      ),
    )
  })
})

describe('a number of combinations', () => {
  it.each([
    [-1, 0],
    [5, -1],
    [5.5, 2],
    [5, 2.5],
    [1001, 2],
    [5, 1001],
    [Number.NaN, 1],
  ])('%d choose %d is refused with both numbers', (n, k) => {
    expect(() => combinations(n, k)).toThrow(RangeError)
    expect(() => combinations(n, k)).toThrow(`${k} of ${n}`)
  })

  it('combinations accept 0 to 1,000', () => {
    expect(combinations(0, 0)).toBe(1n)
    expect(combinations(1000, 1)).toBe(1000n)
    expect(combinations(1000, 1000)).toBe(1n)
  })
})

describe('the odds of a game', () => {
  it.each(GAMES)('the probabilities of all numbers of matches of $name sum to 1', (game) => {
    let lines = 0n
    for (let matches = 0; matches <= game.pick; matches += 1) lines += linesWithMatches(game, matches)
    expect(lines).toBe(combinations(game.pool, game.pick))
  })

  it('prizes below the jackpot cost 28.8% to 31.5% of the price, to a tenth of a percent', () => {
    const tenths = GAMES.map((game) => {
      const { numerator, denominator } = costBelowJackpot(game)
      return Number((2000n * numerator + denominator) / (2n * denominator))
    })
    expect(tenths).toEqual([315, 304, 288, 310, 304, 294])
    expect([Math.min(...tenths), Math.max(...tenths)]).toEqual([288, 315])
  })

  it('the odds agree with a count of every line of a small game', () => {
    const game = { pick: 2, pool: 5 }
    const drawn = new Set([1, 2])
    const counts = [0n, 0n, 0n]
    for (let one = 1; one <= 5; one += 1) {
      for (let other = one + 1; other <= 5; other += 1) {
        const matches = [one, other].filter((number) => drawn.has(number)).length
        counts[matches] = (counts[matches] ?? 0n) + 1n
      }
    }
    expect([0, 1, 2].map((matches) => linesWithMatches(game, matches))).toEqual(counts)
  })

  it('the odds are shown as the inverse of the probability, rounded', () => {
    expect(oneIn({ pick: 6, pool: 49 }, 6)).toBe(13_983_816n)
    expect(oneIn({ pick: 6, pool: 49 }, 3)).toBe(57n)
    expect(oneIn({ pick: 3, pool: 4 }, 1)).toBe(0n)
    expect(oddsOfMatches({ pick: 6, pool: 49 }, 6)).toEqual({ numerator: 1n, denominator: 13_983_816n })
  })

  it.each([-1, 0.5, 7, Number.NaN, Number.POSITIVE_INFINITY])('%d matches of 6 have no odds', (matches) => {
    for (const odds of [linesWithMatches, oddsOfMatches, oneIn]) {
      expect(() => odds({ pick: 6, pool: 49 }, matches)).toThrow(RangeError)
      expect(() => odds({ pick: 6, pool: 49 }, matches)).toThrow(`not a number of matches: ${matches} of 6`)
    }
  })

  it('the expected fixed prizes per entry are exact', () => {
    const game = {
      pick: 2,
      pool: 5,
      tiers: [
        { matches: 2, kind: 'jackpot' },
        { matches: 1, kind: 'fixed', prizeMinor: 50 },
      ],
    } as const
    expect(expectedFixedPrizes(game)).toEqual({ numerator: 300n, denominator: 10n })
    expect(expectedFixedPrizes(game, (prizeMinor) => BigInt(prizeMinor) * 2n)).toEqual({
      numerator: 600n,
      denominator: 10n,
    })
  })
})
