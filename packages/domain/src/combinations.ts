import { assert } from './assert.ts'

/**
 * How many ways there are to choose `k` of `n` things, exactly. 0 where k is above n.
 *
 * @throws RangeError when n or k is not a whole number from 0 to 1000
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
