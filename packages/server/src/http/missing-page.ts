import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Page, sendPage } from './page-answer.ts'

/** How long the page is reused before it is rendered again, since the games in its menu change. */
const KEPT_SECONDS = 60

/**
 * Answers unknown addresses with one page, rendered and compressed once a minute, so that requests for them cost no
 * more than a file.
 *
 * @param deps.make renders the page; null if it cannot be rendered now
 * @returns what answers a request; it returns false if there is no page to answer with
 */
export function missingPages(deps: { readonly now: () => number; readonly make: () => Promise<Page | null> }) {
  let kept: { readonly page: Page; readonly madeAt: number } | null = null

  async function present(): Promise<Page | null> {
    const now = deps.now()
    if (kept !== null && now >= kept.madeAt && now < kept.madeAt + KEPT_SECONDS) return kept.page
    const page = await deps.make()
    kept = page === null ? null : { page, madeAt: now }
    return page
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const page = await present()
    if (page === null) return false
    await sendPage(request, reply, page, false)
    return true
  }
}
