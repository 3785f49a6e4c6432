import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { assert } from '../assert.ts'
import { equalBytes, fromHex, toHex, u64 } from './bytes.ts'
import type { Chain } from './chain.ts'

// One address for all of the beacon. What needs no curve arithmetic lies in chain.ts, so that a page can work out rounds
// without loading the curve.
export {
  BEACON_SCHEME,
  chainHash,
  lastRoundDueAt,
  localChain,
  LOCAL_BEACON_ID,
  LOCAL_PERIOD_SECONDS,
  QUICKNET,
  randomnessOf,
  roundDueAt,
  roundOf,
} from './chain.ts'
export type { Chain } from './chain.ts'

const { shortSignatures: bls } = bls12_381
const HASH_TO_CURVE_DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'
const SIGNATURE_BYTES = 48
const PUBLIC_KEY_BYTES = 96

/**
 * Whether a signature is the valid one of a round: 48 bytes that decode, canonically, to a point of the prime-order
 * subgroup of G1 other than infinity, and the pairing equation holds for `H(u64(round))` (fairness section 4). There is
 * exactly one per round, so anyone who delivers it delivers the truth. Never throws: signatures come from anywhere.
 *
 * @param round from 1
 * @param signature 48 bytes, or their lowercase hex
 */
export function verifySignature(
  chain: Pick<Chain, 'publicKey'>,
  round: bigint,
  signature: Uint8Array | string,
): boolean {
  try {
    const bytes = typeof signature === 'string' ? fromHex(signature, SIGNATURE_BYTES) : signature
    if (round < 1n || bytes.length !== SIGNATURE_BYTES) return false
    const point = bls12_381.G1.Point.fromBytes(bytes)
    point.assertValidity() // on the curve, in the subgroup, not infinity
    if (!equalBytes(point.toBytes(true), bytes)) return false
    return bls.verify(point, messageOf(round), publicKeyOf(chain.publicKey))
  } catch {
    return false // the library says by throwing that bytes are no such point
  }
}

/**
 * Signs a round of a local chain (fairness section 4). The caller sees to it that the round is due: this has no clock.
 *
 * @param secretKey 32 bytes
 * @returns 48 bytes as hex
 */
export function signRound(secretKey: Uint8Array, round: bigint): string {
  assert(round >= 1n, `not a round: ${round}`)
  return toHex(bls.sign(messageOf(round), secretKey).toBytes(true))
}

/** The public key of a local chain's secret key: 96 bytes as hex. @param secretKey 32 bytes */
export function beaconPublicKey(secretKey: Uint8Array): string {
  return toHex(bls.getPublicKey(secretKey).toBytes(true))
}

/**
 * The secret key of a local chain, made of random bytes without bias.
 *
 * @param randomBytes 48 bytes from a secure source
 * @returns 32 bytes
 */
export function beaconSecretKey(randomBytes: Uint8Array): Uint8Array {
  assert(randomBytes.length === 48, 'a secret key is made of 48 random bytes')
  return bls12_381.utils.randomSecretKey(randomBytes)
}

function messageOf(round: bigint) {
  return bls.hash(sha256(u64(round)), HASH_TO_CURVE_DST)
}

function publicKeyOf(hex: string) {
  const point = bls12_381.G2.Point.fromBytes(fromHex(hex, PUBLIC_KEY_BYTES))
  point.assertValidity()
  return point
}
