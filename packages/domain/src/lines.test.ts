import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLine, lineMask, maskNumbers, matchesOf } from './lines.ts'

const line = fc.uniqueArray(fc.integer({ min: 1, max: 64 }), { maxLength: 64 })
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other)

describe('a line', () => {
  it.each([
    [[1, 2, 3, 4, 5, 49], null],
    [[49, 1, 48, 2, 47, 3], null],
    [[1, 2, 3, 4, 5], 'A line has exactly 6 numbers.'],
    [[1, 2, 3, 4, 5, 6, 7], 'A line has exactly 6 numbers.'],
    [[], 'A line has exactly 6 numbers.'],
    [[1, 2, 3, 4, 5, 5], 'A line does not repeat a number.'],
    [[0, 2, 3, 4, 5, 6], 'Numbers are whole and from 1 to 49.'],
    [[1, 2, 3, 4, 5, 50], 'Numbers are whole and from 1 to 49.'],
    [[1, 2, 3, 4, 5, 6.5], 'Numbers are whole and from 1 to 49.'],
    [[1, 2, 3, 4, 5, Number.NaN], 'Numbers are whole and from 1 to 49.'],
  ])('the problem of line %j is: %s', (numbers, problem) => {
    expect(checkLine(numbers, { pick: 6, pool: 49 })).toBe(problem)
  })

  it('a mask has one bit for each number, and gives the numbers back ascending', () => {
    fc.assert(
      fc.property(line, (numbers) => {
        expect(maskNumbers(lineMask(numbers))).toEqual(ascending(numbers))
      }),
    )
  })

  it('bit k − 1 is the number k', () => {
    expect(lineMask([1])).toBe(1n)
    expect(lineMask([33])).toBe(1n << 32n)
    expect(lineMask([64])).toBe(1n << 63n)
    expect(lineMask([])).toBe(0n)
  })

  it('a mask from a signed 64-bit column gives the same numbers', () => {
    expect(maskNumbers(BigInt.asIntN(64, lineMask([1, 32, 33, 64])))).toEqual([1, 32, 33, 64])
  })

  it.each([[[0]], [[65]], [[1.5]], [[3, 3]], [[40, 40]], [[Number.NaN]]])('the line %j has no mask', (numbers) => {
    expect(() => lineMask(numbers)).toThrow(RangeError)
    expect(() => lineMask(numbers)).toThrow(new RegExp(`number.* ${numbers[0]}$`))
  })

  it('a line matches the drawn numbers that it contains', () => {
    fc.assert(
      fc.property(line, line, (numbers, drawn) => {
        const shared = numbers.filter((number) => drawn.includes(number)).length
        expect(matchesOf(lineMask(numbers), lineMask(drawn))).toBe(shared)
        expect(matchesOf(BigInt.asIntN(64, lineMask(numbers)), BigInt.asIntN(64, lineMask(drawn)))).toBe(shared)
      }),
    )
  })
})
