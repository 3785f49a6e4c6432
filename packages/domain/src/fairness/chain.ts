import { sha256 } from '@noble/hashes/sha2.js'
import { assert } from '../assert.ts'
import { asciiBytes, concatBytes, fromHex, toHex, u32, u64 } from './bytes.ts'

/** A beacon's chain: everything that says which signature of which round is valid (fairness section 4). */
export interface Chain {
  readonly name: string
  /** identity of the chain, 32 bytes as hex */
  readonly hash: string
  /** a compressed point of G2, 96 bytes as hex */
  readonly publicKey: string
  /** seconds from one round to the next, from 1 */
  readonly periodSeconds: number
  /** when round 1 is due, epoch seconds */
  readonly genesisAt: number
  /** 32 bytes as hex */
  readonly groupHash: string
  readonly beaconId: string
  readonly scheme: typeof BEACON_SCHEME
}

/** The only scheme there is: signatures in G1, each of its round alone, hashed to the curve by RFC 9380. */
export const BEACON_SCHEME = 'bls-unchained-g1-rfc9380'
/** Seconds between two rounds of a local chain (fairness section 4). */
export const LOCAL_PERIOD_SECONDS = 3
/** The `beacon_id` of a local chain (fairness section 4). */
export const LOCAL_BEACON_ID = 'fairball-local'

/** The public chain of the League of Entropy, compiled in (drand, `common/chain/info_test.go` at f45e7e04). */
export const QUICKNET: Chain = {
  name: 'quicknet',
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  periodSeconds: 3,
  genesisAt: 1692803367,
  groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  beaconId: 'quicknet',
  scheme: BEACON_SCHEME,
}

/**
 * The round of a draw: the first one due at or after its start, `ceil((start − genesis) / period) + 1` (fairness section
 * 4).
 *
 * @param startAt epoch seconds, not before the chain's genesis
 * @throws RangeError for a start before the genesis
 */
export function roundOf(startAt: number, chain: Pick<Chain, 'genesisAt' | 'periodSeconds'>): bigint {
  assert(Number.isSafeInteger(startAt) && startAt >= chain.genesisAt, 'a draw starts after the genesis of its chain')
  return BigInt(Math.ceil((startAt - chain.genesisAt) / chain.periodSeconds) + 1)
}

/**
 * When a round is due: `genesis + (round − 1) × period`, epoch seconds (fairness section 4).
 *
 * @param round from 1
 */
export function roundDueAt(round: bigint, chain: Pick<Chain, 'genesisAt' | 'periodSeconds'>): number {
  assert(round >= 1n, `not a round: ${round}`)
  const dueAt = Number(BigInt(chain.genesisAt) + (round - 1n) * BigInt(chain.periodSeconds))
  assert(Number.isSafeInteger(dueAt), `round ${round} is beyond any time`)
  return dueAt
}

/** The newest round due at a moment, epoch seconds; null before the first. */
export function lastRoundDueAt(at: number, chain: Pick<Chain, 'genesisAt' | 'periodSeconds'>): bigint | null {
  return at < chain.genesisAt ? null : BigInt(Math.floor((at - chain.genesisAt) / chain.periodSeconds) + 1)
}

/**
 * The identity of a chain, hex: `H(u32(period) || u64(genesis) || public_key || group_hash || beacon_id)` (fairness
 * section 4; drand leaves the id out where it is `default`).
 */
export function chainHash(
  chain: Pick<Chain, 'periodSeconds' | 'genesisAt' | 'publicKey' | 'groupHash' | 'beaconId'>,
): string {
  const id = chain.beaconId === 'default' ? '' : chain.beaconId
  const parts = [
    u32(chain.periodSeconds),
    u64(BigInt(chain.genesisAt)),
    fromHex(chain.publicKey, 96),
    fromHex(chain.groupHash, 32),
    asciiBytes(id),
  ]
  return toHex(sha256(concatBytes(...parts)))
}

/**
 * The chain of a local beacon: period 3, a group hash of zeros (fairness section 4). It shows the arithmetic, not the
 * honesty: whoever holds its key knows every round.
 *
 * @param publicKey a compressed point of G2, 96 bytes as hex
 * @param genesisAt when its round 1 is due, epoch seconds
 */
export function localChain({ publicKey, genesisAt }: { publicKey: string; genesisAt: number }): Chain {
  const chain = {
    name: 'local',
    publicKey,
    periodSeconds: LOCAL_PERIOD_SECONDS,
    genesisAt,
    groupHash: '00'.repeat(32),
    beaconId: LOCAL_BEACON_ID,
    scheme: BEACON_SCHEME,
  } as const
  return { ...chain, hash: chainHash(chain) }
}

/** The randomness of a round: `H(signature)`, 32 bytes. Only of a signature that was verified. */
export function randomnessOf(signature: Uint8Array): Uint8Array {
  return sha256(signature)
}
