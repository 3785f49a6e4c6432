import { assert } from './assert.ts'
import type { GameRules } from './games.ts'

/**
 * The problem of a line for a game, as a sentence to show; null if it may be played: exactly `pick` distinct whole
 * numbers from 1 to `pool`, in any order (spec section 5).
 */
export function checkLine(numbers: readonly number[], game: Pick<GameRules, 'pick' | 'pool'>): string | null {
  if (numbers.length !== game.pick) return `A line has exactly ${game.pick} numbers.`
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 1 && number <= game.pool)) {
    return `Numbers are whole and from 1 to ${game.pool}.`
  }
  return new Set(numbers).size === numbers.length ? null : 'A line does not repeat a number.'
}

/**
 * A line as 64 bits: bit k − 1, of value 2^(k−1), is the number k (fairness section 6). 0 to 2^64 − 1.
 *
 * @param numbers distinct whole numbers from 1 to 64, in any order
 * @throws RangeError for anything else
 */
export function lineMask(numbers: readonly number[]): bigint {
  let low = 0
  let high = 0
  for (const number of numbers) {
    assert(Number.isSafeInteger(number) && number >= 1 && number <= 64, `not a number of a line: ${number}`)
    const isLow = number <= 32
    const bit = 1 << ((number - 1) & 31)
    assert(((isLow ? low : high) & bit) === 0, `a line repeats the number ${number}`)
    if (isLow) low |= bit
    else high |= bit
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

/**
 * The numbers of a mask, ascending. A mask from a signed 64-bit column may be negative: it is read as the same 64 bits.
 */
export function maskNumbers(mask: bigint): number[] {
  const numbers: number[] = []
  pushBits(numbers, lowBits(mask), 0)
  pushBits(numbers, highBits(mask), 32)
  return numbers
}

/** Number of matches of a line with the drawn numbers: the bits set in both masks (fairness section 8). 0 to 64. */
export function matchesOf(mask: bigint, drawnMask: bigint): number {
  const both = mask & drawnMask
  return bitCount(lowBits(both)) + bitCount(highBits(both))
}

function lowBits(mask: bigint): number {
  return Number(BigInt.asUintN(32, mask))
}

function highBits(mask: bigint): number {
  return Number(BigInt.asUintN(32, mask >> 32n))
}

function pushBits(numbers: number[], bits: number, above: number): void {
  for (let rest = bits | 0; rest !== 0; rest &= rest - 1) numbers.push(above + 32 - Math.clz32(rest & -rest))
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits | 0; rest !== 0; rest &= rest - 1) count += 1
  return count
}
