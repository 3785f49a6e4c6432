import { hash } from 'node:crypto'
import type { Hash } from '@fairball/domain/protocol/hash'

/** SHA-256 by OpenSSL, for hashing many leaves: the same bytes as the domain's own, several times faster. */
export const NODE_HASH: Hash = (...parts) => new Uint8Array(hash('sha256', Buffer.concat(parts), 'buffer'))
