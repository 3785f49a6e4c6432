import { assert } from './assert.ts'

/**
 * Number of ways to choose `k` of `n` things, exact. 0 if k is above n.
 *
 * @throws RangeError unless n and k are whole numbers from 0 to 1000
 */
export function combinations(n: number, k: number): bigint {
  assert(
    [n, k].every((value) => Number.isSafeInteger(value) && value >= 0 && value <= 1000),
    `not a choice: ${k} of ${n}`,
  )
  if (k > n) return 0n
  let ways = 1n
  for (let i = 1n; i <= BigInt(Math.min(k, n - k)); i += 1n) ways = (ways * (BigInt(n) - i + 1n)) / i
  return ways
}
