import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GAMES } from './seeds.ts'
import { fillUp, luckyDip } from './lucky-dip.ts'
import { fromHex, u32 } from './protocol/bytes.ts'
import { mac } from './protocol/hash.ts'

/** Pseudorandom bytes, the same in every run. */
function fixedBytes(seed: number): (count: number) => Uint8Array {
  let block = 0
  return (count) => {
    block += 1
    return mac(u32(seed), u32(block)).subarray(0, count)
  }
}

describe('a lucky dip', () => {
  it.each(GAMES)('a lucky dip of $name has distinct ascending numbers without the largest of the game', (game) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const numbers = luckyDip(game, fixedBytes(seed))
        expect(numbers).toHaveLength(game.pick)
        expect(new Set(numbers).size).toBe(game.pick)
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
        expect(numbers[0]).toBeGreaterThanOrEqual(1)
        expect(numbers.at(-1)).toBeLessThanOrEqual(game.pool - 1)
      }),
    )
  })

  it('a lucky dip discards the bytes that would favour some numbers', () => {
    const bytes = fromHex('fffefdfcfb00')
    let at = 0
    // With 7 numbers, bytes from 252 on are discarded.
    expect(luckyDip({ pick: 1, pool: 8 }, () => bytes.subarray(at, (at += 1)))).toEqual([7])
    expect(at).toBe(5)
  })

  it('a line is filled up with numbers that were not picked, the largest one too', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
        (seed, picked) => {
          const numbers = fillUp(picked, { pick: 4, pool: 8 }, fixedBytes(seed))
          expect(numbers.slice(0, picked.length)).toEqual(picked)
          expect(new Set(numbers).size).toBe(4)
        },
      ),
    )
    const ends = Array.from({ length: 200 }, (_, seed) => fillUp([1], { pick: 2, pool: 4 }, fixedBytes(seed))[1])
    expect(new Set(ends)).toEqual(new Set([2, 3, 4]))
    expect(fillUp([], { pick: 3, pool: 4 }, fixedBytes(1))).toEqual([1, 2, 3])
  })

  it('every number is equally likely', () => {
    const counts = new Map<number, number>()
    const bytes = fixedBytes(7)
    for (let dip = 0; dip < 35_000; dip += 1) {
      for (const number of luckyDip({ pick: 5, pool: 36 }, bytes)) counts.set(number, (counts.get(number) ?? 0) + 1)
    }
    expect(counts.size).toBe(35)
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 5000) ** 2 / 5000, 0) * (34 / 30)
    expect(chiSquare).toBeLessThan(66.6) // 99.9% of χ² with 34 degrees of freedom
  })

  it('a lucky dip from a broken source ends with an error', () => {
    expect(() => luckyDip({ pick: 6, pool: 49 }, (count) => new Uint8Array(count).fill(255))).toThrow(RangeError)
    expect(() => luckyDip({ pick: 6, pool: 49 }, () => new Uint8Array())).toThrow(RangeError)
  })

  it('a lucky dip needs a pool of one number more than it picks', () => {
    expect(luckyDip({ pick: 5, pool: 6 }, fixedBytes(1))).toEqual([1, 2, 3, 4, 5])
    expect(() => luckyDip({ pick: 6, pool: 6 }, fixedBytes(1))).toThrow(RangeError)
  })
})
