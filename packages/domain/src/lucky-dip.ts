import { assert } from './assert.ts'
import type { GameRules } from './games.ts'

/** Discarded bytes in a row after which the source counts as broken. */
const MAX_BYTES = 10_000

/**
 * A lucky dip: `pick` distinct numbers from 1 to pool − 1, ascending, every set of them equally likely. The largest
 * number of the game is left out, as spec section 4 says. Bytes that would favour some numbers are discarded, so there
 * is no modulo bias (decisions section 4).
 *
 * @param randomBytes returns the given number of fresh random bytes from a secure source
 * @throws RangeError if the line does not fit into pool − 1 numbers, or the source is broken
 */
export function luckyDip(
  { pick, pool }: Pick<GameRules, 'pick' | 'pool'>,
  randomBytes: (count: number) => Uint8Array,
): number[] {
  assert(Number.isSafeInteger(pick) && Number.isSafeInteger(pool) && pick >= 1, 'not the shape of a line')
  assert(pick <= pool - 1 && pool <= 256, `no lucky dip of ${pick} of ${pool} numbers`)
  const all = Array.from({ length: pool - 1 }, (_, place) => place + 1)
  return drawn(all, pick, randomBytes).sort((one, other) => one - other)
}

/**
 * Fills a line up with random numbers: every set of those not picked is equally likely. Nothing picked yet makes a
 * {@link luckyDip}.
 *
 * @param picked distinct numbers from 1 to `pool`, at most `pick`
 * @returns the picked numbers, then the others
 * @throws RangeError if the source is broken
 */
export function fillUp(
  picked: readonly number[],
  { pick, pool }: Pick<GameRules, 'pick' | 'pool'>,
  randomBytes: (count: number) => Uint8Array,
): number[] {
  if (picked.length === 0) return luckyDip({ pick, pool }, randomBytes)
  assert(picked.length <= pick && pick <= pool && pool <= 256, `${picked.length} numbers of ${pick} of ${pool}`)
  const rest = Array.from({ length: pool }, (_, place) => place + 1).filter((number) => !picked.includes(number))
  return [...picked, ...drawn(rest, pick - picked.length, randomBytes)]
}

/** Draws numbers from a list, without putting any back. */
function drawn(from: readonly number[], count: number, randomBytes: (count: number) => Uint8Array): number[] {
  const rest = [...from]
  const numbers: number[] = []
  let bytesLeft = MAX_BYTES
  while (numbers.length < count) {
    for (const byte of randomBytes(count - numbers.length)) {
      if (numbers.length === count || byte >= 256 - (256 % rest.length)) continue
      numbers.push(...rest.splice(byte % rest.length, 1))
    }
    bytesLeft -= count
    assert(bytesLeft > 0, 'the random source gives no usable bytes')
  }
  return numbers
}
