import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesCoding } from './accepted-coding.ts'
import { hasTag } from './entity-tags.ts'
import { isPrivatePath } from './private-paths.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** For text that is made often: more effort would take longer than it saves in transit. */
const BROTLI_QUALITY = 4
/** Compressed in the order of preference; without one the text leaves as it is. */
const CODINGS = ['br', 'gzip'] as const

type Coding = (typeof CODINGS)[number] | 'identity'

/**
 * Any cache may have a page, and asks again each time; a shared one may give it to everybody for five seconds, and for a
 * minute more while it gets the next.
 */
const SHARED = 'public, max-age=0, s-maxage=5, stale-while-revalidate=60'

/** A rendered page, ready for any number of answers: each coding is made once, when it is first asked for. */
export interface Page {
  readonly status: number
  readonly policy: string
  /** Names the page's content and policy. */
  readonly hash: string
  /** The length of its text in bytes. */
  readonly size: number
  encoded(coding: Coding): Buffer | Promise<Buffer>
}

export function pageOf({ status, html, policy }: { status: number; html: string; policy: string }): Page {
  const text = Buffer.from(html)
  const made = new Map<Coding, Buffer | Promise<Buffer>>([['identity', text]])
  return {
    status,
    policy,
    hash: createHash('sha256').update(policy).update('\n').update(text).digest('base64url').slice(0, 22),
    size: text.length,
    encoded(coding) {
      const known = made.get(coding)
      if (known !== undefined) return known
      const encoding = encode(text, coding).then((body) => {
        made.set(coding, body)
        return body
      })
      made.set(coding, encoding)
      return encoding
    },
  }
}

async function encode(text: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return await zip(text)
  return await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
}

/**
 * Sends a page in the smallest form that the client accepts.
 *
 * @param isShared whether it is the same for every visitor: then caches may have it, under a strong tag, and a client
 *   that has it already gets 304. A page with another status than 200 is never cached
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  isShared: boolean,
): Promise<unknown> {
  const { status, policy, hash } = page
  const accepted = request.headers['accept-encoding']
  const coding = CODINGS.find((one) => takesCoding(accepted, one)) ?? 'identity'
  void reply.header('vary', 'accept-encoding').header('content-security-policy', policy)
  if (isPrivatePath(request.url)) void reply.header('x-robots-tag', 'noindex')
  if (isShared && status === 200) {
    // A strong tag names one sequence of bytes, so each coding has its own (RFC 9110, section 8.8.3.3).
    const etag = `"${hash}-${coding}"`
    void reply.header('cache-control', SHARED).header('etag', etag)
    if (hasTag(request.headers['if-none-match'], etag)) return await reply.code(304).send()
  } else void reply.header('cache-control', 'no-store')
  void reply.code(status).type('text/html; charset=utf-8')
  if (coding !== 'identity') void reply.header('content-encoding', coding)
  const body = page.encoded(coding)
  return await reply.send(Buffer.isBuffer(body) ? body : await body)
}
