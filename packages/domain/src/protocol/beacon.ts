import { bls12_381 } from '@noble/curves/bls12-381.js'
import { assert } from '../assert.ts'
import { equalBytes, fromHex, toHex, u64 } from './bytes.ts'
import type { Chain } from './chain.ts'
import { nobleHash } from './hash.ts'

/** Beacon signatures (section 5): BLS12-381, signatures in G1, `bls-unchained-g1-rfc9380`. */

const { shortSignatures: bls } = bls12_381
const HASH_TO_CURVE_DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'
const SIGNATURE_BYTES = 48
const PUBLIC_KEY_BYTES = 96
const SECRET_RANDOM_BYTES = 48

/**
 * Whether a signature is a round's: 48 bytes, the canonical encoding of a point of the prime-order subgroup other than
 * infinity, that satisfies the pairing equation. Each round has exactly one valid signature, so its source does not
 * matter. Never throws, because signatures are untrusted input.
 *
 * @param round from 1
 * @param signature hex
 */
export function isRoundSigned(chain: Pick<Chain, 'publicKey'>, round: number, signature: string): boolean {
  try {
    const bytes = fromHex(signature, SIGNATURE_BYTES)
    // The library throws unless the point is on the curve, in the subgroup, and not infinity.
    const point = bls12_381.G1.Point.fromBytes(bytes)
    return (
      round >= 1 &&
      equalBytes(point.toBytes(true), bytes) &&
      bls.verify(point, messageOf(round), keyOf(chain.publicKey))
    )
  } catch {
    return false
  }
}

/**
 * Signs a round of a private chain. There is no clock here: the caller checks that the round is due.
 *
 * @param secretKey 32 bytes
 * @returns 48 bytes as hex
 */
export function signRound(secretKey: Uint8Array, round: number): string {
  assert(Number.isSafeInteger(round) && round >= 1, `not a round: ${round}`)
  return toHex(bls.sign(messageOf(round), secretKey).toBytes(true))
}

/** The public key of a private chain's secret key: 96 bytes as hex. @param secretKey 32 bytes */
export function beaconPublicKey(secretKey: Uint8Array): string {
  return toHex(bls.getPublicKey(secretKey).toBytes(true))
}

/** An unbiased secret key, 32 bytes. @param randomBytes 48 bytes from a secure source */
export function beaconSecretKey(randomBytes: Uint8Array): Uint8Array {
  assert(randomBytes.length === SECRET_RANDOM_BYTES, 'a secret key is made of 48 random bytes')
  return bls12_381.utils.randomSecretKey(randomBytes)
}

function messageOf(round: number) {
  return bls.hash(nobleHash(u64(round)), HASH_TO_CURVE_DST)
}

function keyOf(hex: string) {
  return bls12_381.G2.Point.fromBytes(fromHex(hex, PUBLIC_KEY_BYTES))
}
