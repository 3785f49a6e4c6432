import { describe, expect, it } from 'vitest'
import { toHex } from './bytes.ts'
import { mac } from './hash.ts'
import { refusalOf } from './refusal-fixture.ts'
import { drawKey, type SampledByte, sampleNumbers, seedHash, streamBlock, streamBytes } from './sampler.ts'

const SOURCES = {
  seed: new Uint8Array(32).fill(1),
  openHash: new Uint8Array(32).fill(2),
  closeHash: new Uint8Array(32).fill(3),
  round: 4,
  randomness: new Uint8Array(32).fill(5),
}

describe('the seed and the key of a draw', () => {
  it('the hash of a seed of 32 times 0x11 is that of the protocol', () => {
    // SHA-256 of "fairball/seed/v2", a zero byte and the seed.
    expect(toHex(seedHash(new Uint8Array(32).fill(0x11)))).toBe(
      '7ad08ca2878acc7967f43189dcc1b2cedc779b147e9bda7f60e5a90332c1031f',
    )
  })

  it('each input of 32 bytes has exactly 32', () => {
    expect(refusalOf(() => seedHash(new Uint8Array(31)))).toBe('RangeError: a seed has 32 bytes')
    for (const part of ['seed', 'openHash', 'closeHash', 'randomness'])
      for (const length of [31, 33])
        expect(refusalOf(() => drawKey({ ...SOURCES, [part]: new Uint8Array(length) }))).toBe(
          'RangeError: each part has 32 bytes',
        )
  })

  it('each input changes the key', () => {
    const keys = ['seed', 'openHash', 'closeHash', 'randomness'].map((part) =>
      toHex(drawKey({ ...SOURCES, [part]: new Uint8Array(32).fill(6) })),
    )
    const all = [...keys, toHex(drawKey(SOURCES)), toHex(drawKey({ ...SOURCES, round: 5 }))]
    expect(new Set(all).size).toBe(6)
  })

  it('the stream is the blocks of the key one after another, without an end', () => {
    const key = mac(SOURCES.seed)
    const taken = streamBytes(key).take(96).toArray()
    expect(taken).toEqual([0, 1, 2].flatMap((index) => [...streamBlock(key, index)]))
  })
})

describe('the sampler', () => {
  it('each byte takes the ball at its remainder out of those left', () => {
    expect(sampleNumbers([0, 0, 0], { pick: 3, pool: 3 })).toEqual([1, 2, 3])
    expect(sampleNumbers([35, 34, 35], { pick: 3, pool: 36 })).toEqual([36, 35, 2])
    expect(sampleNumbers([0xde, 0xb7, 0x89, 0xde, 0xde], { pick: 5, pool: 36 })).toEqual([7, 10, 2, 28, 35])
    expect(sampleNumbers([63], { pick: 1, pool: 64 })).toEqual([64])
    expect(sampleNumbers([255], { pick: 1, pool: 1 })).toEqual([1])
  })

  it('a byte from the largest multiple of the balls left on is discarded', () => {
    const steps: SampledByte[] = []
    expect(sampleNumbers([252, 251, 245, 244], { pick: 2, pool: 36 }, (step) => steps.push(step))).toEqual([36, 35])
    expect(steps).toEqual([
      { byte: 252, remaining: 36, limit: 252, used: false },
      { byte: 251, remaining: 36, limit: 252, used: true },
      { byte: 245, remaining: 35, limit: 245, used: false },
      { byte: 244, remaining: 35, limit: 245, used: true },
    ])
  })

  it.each([
    [0, 9],
    [10, 9],
    [1, 65],
    [1.5, 9],
    [1, 9.5],
    [Number.NaN, 9],
    [-1, 9],
  ])('%d of %d is no sampling', (pick, pool) => {
    expect(refusalOf(() => sampleNumbers([0, 0, 0, 0], { pick, pool }))).toBe('RangeError: not a sampling')
  })

  it('a stream that ends before the last ball gives no numbers', () => {
    expect(refusalOf(() => sampleNumbers([1, 2], { pick: 3, pool: 9 }))).toBe('RangeError: the stream ended too early')
  })

  it('a stream gives its numbers within 4096 bytes, or none', () => {
    const unusable = Array<number>(4095).fill(255)
    expect(sampleNumbers([...unusable, 8], { pick: 1, pool: 9 })).toEqual([9])
    expect(refusalOf(() => sampleNumbers([...unusable, 255, 8], { pick: 1, pool: 9 }))).toBe(
      'RangeError: the stream gives no usable bytes',
    )
  })
})
