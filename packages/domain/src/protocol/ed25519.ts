import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes } from './bytes.ts'

/** Ed25519 as the protocol defines it (sections 3 and 11): canonical encodings, no small-order keys, cofactorless. */

const { Point } = ed25519
const R_BYTES = 32
const SIGNATURE_BYTES = 64

/** The public key of a secret seed. @param secretSeed 32 bytes @returns 32 bytes */
export function publicKeyOf(secretSeed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(secretSeed)
}

/** The signature of a message (RFC 8032). @param secretSeed 32 bytes @returns 64 bytes */
export function sign(message: Uint8Array, secretSeed: Uint8Array): Uint8Array {
  return ed25519.sign(message, secretSeed)
}

/**
 * Whether a signature is valid: `S·B − k·A`, encoded, equals the bytes of R. A check that multiplies by the cofactor
 * would accept more signatures. Never throws.
 */
export function isSigned(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  const r = signature.subarray(0, R_BYTES)
  const s = littleEndian(signature.subarray(R_BYTES))
  if (s >= Point.Fn.ORDER) return false
  try {
    const key = Point.fromBytes(publicKey, false)
    if (key.isSmallOrder()) return false
    const k = littleEndian(sha512(concatBytes(r, publicKey, message))) % Point.Fn.ORDER
    const expected = Point.BASE.multiplyUnsafe(s).add(key.negate().multiplyUnsafe(k))
    return equalBytes(expected.toBytes(), r)
  } catch {
    return false // the library throws for bytes that do not encode a point
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}
