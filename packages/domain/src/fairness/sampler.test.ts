import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampler_vectors } from '../../vectors/fairness.json'
import { fromHex } from './bytes.ts'
import { drawNumbers, drawKey, sampleNumbers, seedHash, type Sampling } from './sampler.ts'

const LOTTO: Sampling = { pick: 6, pool: 49 }

describe('the sampler', () => {
  it.each(sampler_vectors)(
    'draws $numbers of $pool with its vector of bytes',
    ({ bytes, pick, pool, numbers, bytes_used }) => {
      let taken = 0
      expect(sampleNumbers(fromHex(bytes), { pick, pool }, () => (taken += 1))).toEqual(numbers)
      expect(taken).toBe(bytes_used)
    },
  )

  it('draws distinct numbers of the pool from any key', () => {
    const shape = fc
      .integer({ min: 1, max: 64 })
      .chain((pool) => fc.record({ pool: fc.constant(pool), pick: fc.integer({ min: 1, max: pool }) }))
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), shape, (key, { pick, pool }) => {
        const numbers = drawNumbers(key, { pick, pool })
        expect(numbers).toHaveLength(pick)
        expect(new Set(numbers).size).toBe(pick)
        expect(numbers.every((number) => number >= 1 && number <= pool)).toBe(true)
      }),
    )
  })

  it('refuses a stream that ends too early and shapes that are none', () => {
    expect(() => sampleNumbers([255, 255], LOTTO)).toThrow(RangeError)
    expect(() => sampleNumbers([0], { pick: 2, pool: 1 })).toThrow(RangeError)
    expect(() => sampleNumbers([0], { pick: 1, pool: 65 })).toThrow(RangeError)
    for (const [pick, pool] of [
      [0, 6],
      [7, 6],
      [1, 65],
      [0.5, 6],
      [1, 6.5],
      [-1, 6],
    ] as const) {
      expect(() => sampleNumbers(endless(0), { pick, pool }), `${pick} of ${pool}`).toThrow('not a sampling')
    }
    expect(sampleNumbers([0], { pick: 1, pool: 64 })).toEqual([1])
    expect(sampleNumbers([0, 0], { pick: 2, pool: 2 })).toEqual([1, 2])
    expect(() => sampleNumbers([], LOTTO)).toThrow('ended too early')
  })

  it('gives up on a stream of bytes that are all thrown away', () => {
    expect(() => sampleNumbers(endless(255), LOTTO)).toThrow('no usable bytes')
  })

  it('takes seeds and hashes of 32 bytes only', () => {
    expect(() => seedHash(new Uint8Array(31))).toThrow(RangeError)
    const part = new Uint8Array(32)
    const sources = { seed: part, openHash: part, closeHash: part, round: 1n, randomness: part }
    expect(() => drawKey({ ...sources, seed: new Uint8Array(16) })).toThrow(RangeError)
  })

  it('draws other numbers for any single bit of its sources changed', () => {
    const part = Uint8Array.from({ length: 32 }, (_, place) => place)
    const sources = { seed: part, openHash: part, closeHash: part, round: 1n, randomness: part }
    const key = drawKey(sources)
    for (const name of ['seed', 'openHash', 'closeHash', 'randomness'] as const) {
      for (let bit = 0; bit < 256; bit += 1) {
        const changed = part.map((byte, place) => (place === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        expect(drawKey({ ...sources, [name]: changed })).not.toEqual(key)
        if (name === 'seed') expect(seedHash(changed)).not.toEqual(seedHash(part))
      }
    }
    expect(drawKey({ ...sources, round: 2n })).not.toEqual(key)
  })
})

function* endless(byte: number): Generator<number, void> {
  for (;;) yield byte
}
