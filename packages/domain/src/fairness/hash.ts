import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

/**
 * The two functions the whole protocol rests on. The server may pass those of its platform, which are faster. Neither may
 * keep or change what it is given: callers use one array again and again.
 */
export interface HashFunctions {
  /** `H`: SHA-256, 32 bytes */
  sha256(bytes: Uint8Array): Uint8Array
  /** `MAC`: HMAC-SHA-256, 32 bytes */
  hmac(key: Uint8Array, bytes: Uint8Array): Uint8Array
}

/** The hash functions of @noble/hashes, which run anywhere. */
export const NOBLE_HASH: HashFunctions = {
  sha256: (bytes) => sha256(bytes),
  hmac: (key, bytes) => hmac(sha256, key, bytes),
}
