import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesCoding } from './accepted-coding.ts'
import { hasTag } from './entity-tags.ts'
import { isPrivatePath } from './private-paths.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** For text made for each visitor: more effort would take longer than it saves in transit. */
const BROTLI_QUALITY = 4
/**
 * How long a browser may take a page for the present one: its clock begins with the page's, and the next answer of the
 * API corrects it.
 */
const SAME_FOR_SECONDS = 60
const NONCE_WORD = 'nonce'

/** A rendered page on its way out. */
interface PageAnswer {
  readonly status: number
  readonly html: string
  readonly policy: string
  /** The policy's nonce; it is in the HTML too. */
  readonly nonce: string
  /** The time the page was rendered for, in epoch seconds. */
  readonly now: number
}

/**
 * Sends a page, compressed. A personal page is not cached. Another page may be cached by the browser, which asks each
 * time whether it is still the same: within a minute, and apart from what is new in every answer, it gets 304 and shows
 * its copy, under the policy that came with it.
 */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, page: PageAnswer): Promise<unknown> {
  void reply.code(page.status).type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  const isPrivate = isPrivatePath(request.url)
  if (isPrivate) void reply.header('x-robots-tag', 'noindex')
  if (isPrivate || page.status !== 200) void reply.header('cache-control', 'no-store')
  else {
    const etag = etagOf(page)
    void reply.header('cache-control', 'private, no-cache').header('etag', etag)
    // Without a policy: the cached page's nonce is in the policy cached with it.
    if (hasTag(request.headers['if-none-match'], etag)) return await reply.code(304).send()
  }
  void reply.header('content-security-policy', page.policy)
  return await sendCompressed(request, reply, page.html)
}

/** A weak tag: the same for pages that differ only in what each answer has of its own. */
function etagOf({ html, nonce, now }: PageAnswer): string {
  const text = html
    .replaceAll(nonce, NONCE_WORD)
    .replace(`"now":${now}`, '')
    // When the answers in it were requested, in ms.
    .replaceAll(/\b1\d{12}\b/gu, '')
  const hash = createHash('sha256').update(`${Math.floor(now / SAME_FOR_SECONDS)} ${text}`)
  return `W/"${hash.digest('base64url').slice(0, 22)}"`
}

/** How a text may be compressed. */
export type Coding = 'br' | 'gzip'

/** Sends a text in the smallest form that the client accepts. @param encode compresses it; default: now */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  encode: (text: string, coding: Coding) => Promise<Buffer> = encodeText,
): Promise<unknown> {
  const accepted = request.headers['accept-encoding']
  const coding = (['br', 'gzip'] as const).find((one) => takesCoding(accepted, one))
  if (coding === undefined) return await reply.send(text)
  void reply.header('content-encoding', coding)
  return await reply.send(await encode(text, coding))
}

export async function encodeText(text: string, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return await zip(text)
  return await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
}
