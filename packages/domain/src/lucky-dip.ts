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
  const rest = Array.from({ length: pool - 1 }, (_, place) => place + 1)
  const numbers: number[] = []
  let bytesLeft = MAX_BYTES
  while (numbers.length < pick) {
    for (const byte of randomBytes(pick - numbers.length)) {
      if (numbers.length === pick || byte >= 256 - (256 % rest.length)) continue
      numbers.push(...rest.splice(byte % rest.length, 1))
    }
    bytesLeft -= pick
    assert(bytesLeft > 0, 'the random source gives no usable bytes')
  }
  return numbers.sort((one, other) => one - other)
}
