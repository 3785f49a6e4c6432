import type { createAppRouter } from './router.tsx'

/**
 * Asks for what a page of players shows, while React takes over the document: the router runs the loaders of pages that
 * begin in the browser only after that. What fails is asked for again by the page, which shows the error.
 *
 * @param router with the session of the browser
 */
export async function askEarly(router: ReturnType<typeof createAppRouter>): Promise<void> {
  const { context, parseSearch } = router.options
  const { pathname, search } = location
  const { api, session, clock } = context
  if (session === null) return
  if (search.includes('transaction_id')) return (await import('./order-result.ts')).askForResult(context)
  if (pathname.endsWith('/proof')) return (await import('../proof/draw-check.ts')).lookEarly(api, session, clock)
  await session.ready()
  if (session.state().status !== 'player') return
  await router.preloadRoute({ to: pathname, search: parseSearch(search) }).catch(() => undefined)
}
