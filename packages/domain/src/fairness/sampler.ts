import { assert } from '../assert.ts'
import { concatBytes, tagBytes, u32, u64 } from './bytes.ts'
import { type HashFunctions, NOBLE_HASH } from './hash.ts'
import { LARGEST_POOL } from './protocol.ts'

/** What the numbers of a draw follow from (fairness section 8). */
export interface DrawSources {
  /** the operator's, 32 bytes, published at the close */
  readonly seed: Uint8Array
  /** the draw's identity, 32 bytes */
  readonly openHash: Uint8Array
  /** hash of its close statement, 32 bytes */
  readonly closeHash: Uint8Array
  /** the beacon's round in force */
  readonly round: bigint
  /** of that round, 32 bytes: the hash of its signature */
  readonly randomness: Uint8Array
}

/** How many numbers are drawn, from 1 to which. */
export interface Sampling {
  /** 1 to pool */
  readonly pick: number
  /** at most 64 */
  readonly pool: number
}

/** One byte of the stream as the sampler took it, to show. */
export interface SampledByte {
  readonly byte: number
  /** how many balls were left, m */
  readonly remaining: number
  /** bytes from here on are thrown away: 256 − (256 mod m) */
  readonly limit: number
  /** whether it gave a ball */
  readonly used: boolean
}

const SEED_TAG = tagBytes('fairball/seed/v1')
const KEY_TAG = tagBytes('fairball/key/v1')
const STREAM_TAG = tagBytes('fairball/stream/v1')
const HASH_BYTES = 32
/** So many bytes are never needed: a byte is thrown away less than once in four times, so the chance is below 2^-1000. */
const MOST_BYTES = 4096

/**
 * The key of a draw: `MAC(seed, T("fairball/key/v1") || open_hash || close_hash || u64(round) || randomness)`, 32 bytes
 * (fairness section 8).
 *
 * @throws RangeError when a part has not 32 bytes or the round is not from 0 to 2^64 − 1
 */
export function drawKey(
  { seed, openHash, closeHash, round, randomness }: DrawSources,
  hash: HashFunctions = NOBLE_HASH,
): Uint8Array {
  for (const part of [seed, openHash, closeHash, randomness])
    assert(part.length === HASH_BYTES, 'each part has 32 bytes')
  return hash.hmac(seed, concatBytes(KEY_TAG, openHash, closeHash, u64(round), randomness))
}

/** Block i of the stream of a draw: `MAC(key, T("fairball/stream/v1") || u32(i))`, 32 bytes (fairness section 8). */
export function streamBlock(key: Uint8Array, index: number, hash: HashFunctions = NOBLE_HASH): Uint8Array {
  return hash.hmac(key, concatBytes(STREAM_TAG, u32(index)))
}

/** The bytes of the stream of a draw, one by one, without end. */
export function* streamBytes(key: Uint8Array, hash: HashFunctions = NOBLE_HASH): Generator<number, void> {
  for (let index = 0; ; index += 1) yield* streamBlock(key, index, hash)
}

/**
 * Draws distinct numbers with the bytes of a stream (fairness section 8): the next ball is the (b mod m)-th of the m left,
 * and a byte b that would favour some of them is thrown away, so there is no modulo bias.
 *
 * @param onByte told of every byte taken, in order
 * @returns the numbers in the order drawn
 * @throws RangeError when the stream ends too early, or pick and pool are out of range
 */
export function sampleNumbers(
  stream: Iterable<number>,
  { pick, pool }: Sampling,
  onByte?: (step: SampledByte) => void,
): number[] {
  assert(
    [pick, pool].every(Number.isSafeInteger) && pick >= 1 && pick <= pool && pool <= LARGEST_POOL,
    'not a sampling',
  )
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
    assert(taken < MOST_BYTES, 'the stream gives no usable bytes')
  }
  throw new RangeError('the stream ended too early')
}

/** The numbers of a draw in the order drawn, from its key (fairness section 8). */
export function drawNumbers(key: Uint8Array, sampling: Sampling, hash: HashFunctions = NOBLE_HASH): number[] {
  return sampleNumbers(streamBytes(key, hash), sampling)
}

/** What the open statement says of the seed: `H(T("fairball/seed/v1") || seed)`, 32 bytes (fairness section 5). */
export function seedHash(seed: Uint8Array, hash: HashFunctions = NOBLE_HASH): Uint8Array {
  assert(seed.length === HASH_BYTES, 'a seed has 32 bytes')
  return hash.sha256(concatBytes(SEED_TAG, seed))
}
