import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, encodeText, sendCompressed } from './page-answer.ts'

/** How long the page is handed out before it is rendered again, since the games in its menu change. */
const KEPT_SECONDS = 60

/** What the page is and how it may run. */
interface MissingPage {
  readonly html: string
  readonly policy: string
}

/**
 * Answers addresses that lead nowhere with one page, rendered and compressed once a minute, so that asking for them costs no more than a file.
 * All answers of a minute share a nonce: nothing in the page comes from who asks, so there is nothing that its policy would have to stop.
 *
 * @param deps.make renders the page; null where it cannot be rendered now
 * @returns what answers a request; it returns false where there is no page to answer with
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
