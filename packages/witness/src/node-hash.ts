import { createHash } from 'node:crypto'
import type { Hash } from '@fairball/domain/protocol/hash'

/** Node's SHA-256, several times as fast as one in JavaScript. */
export const nodeHash: Hash = (...parts) => {
  const state = createHash('sha256')
  for (const part of parts) state.update(part)
  return new Uint8Array(state.digest())
}

/** The name of a text: the hash of its UTF-8 bytes, hex. */
export function nameOfText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
