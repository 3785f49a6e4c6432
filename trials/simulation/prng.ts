import { createHash } from 'node:crypto'

/** A simulation's decisions, which all follow from its seed. */
export interface Prng {
  /** from 0 up to, but not including, 1 */
  next(): number
  /** a whole number from `least` to `most`, both included */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** A stream of decisions (xorshift128+ seeded by SHA-256): equal names give equal streams. */
export function createPrng(name: string): Prng {
  const start = createHash('sha256').update(name).digest()
  let one = start.readBigUInt64LE(0) | 1n
  let other = start.readBigUInt64LE(8)
  const next = (): number => {
    const sum = one
    one = other
    const mixed = sum ^ BigInt.asUintN(64, sum << 23n)
    other = mixed ^ one ^ (mixed >> 17n) ^ (one >> 26n)
    return Number(BigInt.asUintN(64, other + one) >> 11n) / 2 ** 53
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick(from) {
      const one_ = from[between(0, from.length - 1)]
      if (one_ === undefined) throw new RangeError('nothing to pick from')
      return one_
    },
  }
}
