import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesCoding } from './accepted-coding.ts'
import { hasTag } from './entity-tags.ts'

/** A shorter body leaves in one packet anyway, in bytes. */
const WORTH_ZIPPING = 1200

/** An answer as it leaves. */
export interface WrittenAnswer {
  readonly body: Buffer
  /** names the content; each coding has a tag of its own, made from it */
  readonly hash: string
  /** The body as gzip, for clients that accept it; null if compressing it is not worth it. */
  zipped(): Buffer | null
}

/** An answer for one client. */
export function writtenOf(text: string): WrittenAnswer {
  const body = Buffer.from(text)
  return { body, hash: hashOf(body), zipped: () => null }
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 27)
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
    const plain = writtenOf(write(answer))
    const fresh = { ...plain, zipped: zippedOnce(plain.body) }
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

/**
 * Sends an answer in the coding that its client accepts, or 304 if the client has it already. A strong tag names one
 * sequence of bytes, so each coding has its own (RFC 9110, section 8.8.3.3).
 */
export function sendWritten(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, hash, zipped }: WrittenAnswer,
): FastifyReply {
  const shorter = takesCoding(request.headers['accept-encoding'], 'gzip') ? zipped() : null
  const tag = shorter === null ? `"${hash}"` : `"${hash}-gzip"`
  void reply.header('etag', tag)
  if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  return shorter === null ? reply.send(body) : reply.header('content-encoding', 'gzip').send(shorter)
}
