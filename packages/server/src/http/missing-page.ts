import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, encodeText, sendCompressed } from './page-answer.ts'

/** How long the page is reused before it is rendered again, since the games in its menu change. */
const KEPT_SECONDS = 60

/** The page and its policy. */
interface MissingPage {
  readonly html: string
  readonly policy: string
}

/**
 * Answers unknown addresses with one page, rendered and compressed once a minute, so that requests for them cost no
 * more than a file. All answers of a minute share a nonce: the page contains nothing of the request that its policy
 * would have to stop.
 *
 * @param deps.make renders the page; null if it cannot be rendered now
 * @returns what answers a request; it returns false if there is no page to answer with
 */
export function missingPages(deps: { readonly now: () => number; readonly make: () => Promise<MissingPage | null> }) {
  let kept: (MissingPage & { readonly madeAt: number; readonly encoded: Map<Coding, Promise<Buffer>> }) | null = null

  async function present() {
    const now = deps.now()
    if (kept !== null && now >= kept.madeAt && now < kept.madeAt + KEPT_SECONDS) return kept
    const made = await deps.make()
    kept = made === null ? null : { ...made, madeAt: now, encoded: new Map() }
    return kept
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const page = await present()
    if (page === null) return false
    const { html, policy, encoded } = page
    void reply.code(404).type('text/html; charset=utf-8').header('vary', 'accept-encoding')
    void reply.header('cache-control', 'no-store').header('content-security-policy', policy)
    await sendCompressed(request, reply, html, (text, coding) => {
      const known = encoded.get(coding) ?? encodeText(text, coding)
      encoded.set(coding, known)
      return known
    })
    return true
  }
}
