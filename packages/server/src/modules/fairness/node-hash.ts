import { createHash, createHmac } from 'node:crypto'
import type { HashFunctions } from '@fairball/domain/fairness/hash'

/** OpenSSL's hashing: the same bytes as the domain's own, several times as fast. */
export const NODE_HASH: HashFunctions = {
  sha256: (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  hmac: (key, bytes) => new Uint8Array(createHmac('sha256', key).update(bytes).digest()),
}
