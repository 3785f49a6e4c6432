import { assert } from '../assert.ts'
import { asciiBytes, fromHex, toHex, u32, u64 } from './bytes.ts'
import { nobleHash } from './hash.ts'

/** Beacon chains and their rounds (section 5). Everything that needs the curve is in `beacon.ts`. */

/** A chain: the times of its rounds, and the key that signs them. */
export interface Chain {
  readonly name: string
  /** hex, 32 bytes: identifies the chain in an `open` */
  readonly hash: string
  /** 96 bytes as hex */
  readonly publicKey: string
  /** seconds between rounds */
  readonly period: number
  /** when round 1 is due, epoch seconds */
  readonly genesis: number
}

/** The protocol's only signature scheme. */
export const BEACON_SCHEME = 'bls-unchained-g1-rfc9380'

/** The compiled-in chain: drand's quicknet, run by the League of Entropy. */
export const QUICKNET: Chain = {
  name: 'quicknet',
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c' +
    '8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb' +
    '5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  period: 3,
  genesis: 1_692_803_367,
}

/** The hash that identifies a chain: `H(u32 period || u64 genesis || public_key || group_hash || beacon_id)`, hex. */
export function chainHash(chain: {
  readonly publicKey: string
  readonly period: number
  readonly genesis: number
  readonly groupHash: string
  readonly beaconId: string
}): string {
  const { publicKey, period, genesis, groupHash, beaconId } = chain
  return toHex(
    nobleHash(u32(period), u64(genesis), fromHex(publicKey, 96), fromHex(groupHash, 32), asciiBytes(beaconId)),
  )
}

/** The time at which a round is due, epoch seconds: `genesis + (r − 1) × period`. */
export function roundDueAt({ genesis, period }: Pick<Chain, 'genesis' | 'period'>, round: number): number {
  return genesis + (round - 1) * period
}

/**
 * The round of a draw with this start: `ceil((start − genesis) / period) + 1`, the first round due after the start.
 *
 * @throws RangeError if the chain begins later
 */
export function roundOf({ genesis, period }: Pick<Chain, 'genesis' | 'period'>, start: number): number {
  assert(start >= genesis && period > 0, 'the chain does not run at that time')
  return Math.ceil((start - genesis) / period) + 1
}

/** A round's randomness: the hash of its signature, 32 bytes. @param signature 48 bytes */
export function randomnessOf(signature: Uint8Array): Uint8Array {
  return nobleHash(signature)
}
