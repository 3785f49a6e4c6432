import { createHash } from 'node:crypto'
import type { Hash } from '@fairball/domain/protocol/hash'

/** SHA-256 of Node, some times as fast as one in JavaScript. */
export const nodeHash: Hash = (...parts) => {
  const state = createHash('sha256')
  for (const part of parts) state.update(part)
  return new Uint8Array(state.digest())
}

/** What names a text: the hash of its UTF-8 bytes, hex. */
export function nameOfText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
