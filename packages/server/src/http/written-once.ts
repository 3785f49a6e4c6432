import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A shorter body leaves in one packet anyway, in bytes. */
const WORTH_ZIPPING = 1200

/** An answer as it leaves. */
export interface WrittenAnswer {
  readonly body: Buffer
  /** names the body in caches (RFC 9110, section 8.8.3) */
  readonly tag: string
  /** The body as gzip, for clients that accept it; null if compressing it is not worth it. */
  zipped(): Buffer | null
}

/** Names a body. Weak, because intermediaries may compress it. */
export function tagOf(body: string | Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}

/**
 * Serialises and names each answer once, for any number of clients: handlers that share a reading between callers
 * return the same object to all of them. It must not be changed after that. Its entry ends with the object.
 */
export function writtenOnce(write: (answer: object) => string): (answer: object) => WrittenAnswer {
  const written = new WeakMap<object, WrittenAnswer>()
  return (answer) => {
    const known = written.get(answer)
    if (known !== undefined) return known
    const body = Buffer.from(write(answer))
    const fresh = { body, tag: tagOf(body), zipped: zippedOnce(body) }
    written.set(answer, fresh)
    return fresh
  }
}

/** Done at the first request: a millisecond for the largest answer, once for all. */
function zippedOnce(body: Buffer): () => Buffer | null {
  if (body.length < WORTH_ZIPPING) return () => null
  let zipped: Buffer | null = null
  return () => (zipped ??= gzipSync(body))
}
