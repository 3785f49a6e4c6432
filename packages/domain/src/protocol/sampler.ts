import { assert } from '../assert.ts'
import { tagBytes, u32, u64 } from './bytes.ts'
import { mac, nobleHash } from './hash.ts'
import { MAX_POOL } from './numbers.ts'

/** Seeds and numbers (sections 5 and 8). */

/** The inputs that determine a draw's numbers; all but the round are 32 bytes. */
interface DrawSources {
  /** the operator's, published at the close */
  readonly seed: Uint8Array
  /** the draw's identity */
  readonly openHash: Uint8Array
  readonly closeHash: Uint8Array
  /** the beacon's round in force */
  readonly round: number
  /** the hash of that round's signature */
  readonly randomness: Uint8Array
}

/** The number of balls drawn, and the largest number. */
export interface Sampling {
  readonly pick: number
  readonly pool: number
}

/** One byte that the sampler took from the stream, for display. */
export interface SampledByte {
  readonly byte: number
  /** number of balls left, m */
  readonly remaining: number
  /** bytes from this value on are discarded: 256 − (256 mod m) */
  readonly limit: number
  /** whether it selected a ball */
  readonly used: boolean
}

const SEED_TAG = tagBytes('fairball/seed/v2')
const KEY_TAG = tagBytes('fairball/key/v2')
const STREAM_TAG = tagBytes('fairball/stream/v2')
const HASH_BYTES = 32
/**
 * An upper limit that is never reached: at most half of the bytes are discarded, so the probability is below 2^-1000.
 */
const MAX_BYTES = 4096

/** The seed hash in an `open`: `H(T("fairball/seed/v2") || seed)`, 32 bytes. */
export function seedHash(seed: Uint8Array): Uint8Array {
  assert(seed.length === HASH_BYTES, 'a seed has 32 bytes')
  return nobleHash(SEED_TAG, seed)
}

/** The key of a draw: `MAC(seed, T("fairball/key/v2") || open_hash || close_hash || u64(round) || H(signature))`. */
export function drawKey({ seed, openHash, closeHash, round, randomness }: DrawSources): Uint8Array {
  for (const part of [seed, openHash, closeHash, randomness])
    assert(part.length === HASH_BYTES, 'each part has 32 bytes')
  return mac(seed, KEY_TAG, openHash, closeHash, u64(round), randomness)
}

/** Block i of a draw's stream: `MAC(key, T("fairball/stream/v2") || u32(i))`. */
export function streamBlock(key: Uint8Array, index: number): Uint8Array {
  return mac(key, STREAM_TAG, u32(index))
}

/** The endless byte stream of a draw. */
export function* streamBytes(key: Uint8Array): Generator<number, void> {
  for (let index = 0; ; index += 1) yield* streamBlock(key, index)
}

/**
 * Draws distinct numbers with the bytes of a stream: the next ball is number b mod m of the m left. A byte b that would
 * favour some of them is discarded, so there is no modulo bias.
 *
 * @param onByte called for every byte taken, in order
 * @returns the numbers in the order drawn
 * @throws RangeError if the stream ends too early, or pick and pool are out of range
 */
export function sampleNumbers(
  stream: Iterable<number>,
  { pick, pool }: Sampling,
  onByte?: (step: SampledByte) => void,
): number[] {
  const isSampling = Number.isSafeInteger(pick) && Number.isSafeInteger(pool) && pick >= 1 && pick <= pool
  assert(isSampling && pool <= MAX_POOL, 'not a sampling')
  const balls = Array.from({ length: pool }, (_, place) => place + 1)
  const numbers: number[] = []
  let taken = 0
  for (const byte of stream) {
    const remaining = balls.length
    const limit = 256 - (256 % remaining)
    const used = byte < limit
    if (used) numbers.push(...balls.splice(byte % remaining, 1))
    onByte?.({ byte, remaining, limit, used })
    if (numbers.length === pick) return numbers
    taken += 1
    assert(taken < MAX_BYTES, 'the stream gives no usable bytes')
  }
  throw new RangeError('the stream ended too early')
}

/** The numbers of a draw in the order drawn, from its key. */
export function drawNumbers(key: Uint8Array, sampling: Sampling): number[] {
  return sampleNumbers(streamBytes(key), sampling)
}
