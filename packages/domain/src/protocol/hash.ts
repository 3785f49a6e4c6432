import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { asciiBytes, toHex } from './bytes.ts'

/** `H` and `MAC` (section 2): SHA-256 and HMAC-SHA-256. */

/**
 * `H` over the concatenation of all parts: 32 bytes. Functions that hash many leaves take it as an argument, so that a
 * server can pass its platform's. It must not keep or change its arguments, because callers reuse arrays.
 */
export type Hash = (...parts: readonly Uint8Array[]) => Uint8Array

/** Portable SHA-256, by @noble/hashes. */
export const nobleHash: Hash = (...parts) => {
  const state = sha256.create()
  for (const part of parts) state.update(part)
  return state.digest()
}

/** `MAC(key, m)`: HMAC-SHA-256 of all parts, 32 bytes. */
export function mac(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const state = hmac.create(sha256, key)
  for (const part of parts) state.update(part)
  return state.digest()
}

/** The hash of a statement or other ASCII text, as hex (section 4). */
export function textHash(text: string): string {
  return toHex(nobleHash(asciiBytes(text)))
}
