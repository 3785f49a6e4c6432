import { hash } from 'node:crypto'
import { type HashFunctions, NOBLE_HASH } from '@fairball/domain/fairness/hash'

/**
 * Hashing for a close: the same bytes as the domain's own. OpenSSL is faster at SHA-256 (1.7 against 2.9 µs a leaf), noble
 * at HMAC (4.5 against 16 µs), because Node makes an object for each.
 */
export const NODE_HASH: HashFunctions = {
  sha256: (bytes) => new Uint8Array(hash('sha256', bytes, 'buffer')),
  hmac: NOBLE_HASH.hmac,
}
