import type { createAppRouter } from './router.tsx'

/**
 * Asks for what a page of players shows, while React takes over the document: the router runs the loaders of pages that
 * begin in the browser only after that.
 *
 * @param router with the session of the browser
 */
export async function askEarly(router: ReturnType<typeof createAppRouter>): Promise<void> {
  const { api, session, clock } = router.options.context
  const { pathname, search } = location
  if (session === null) return
  if (search.includes('transaction_id'))
    return (await import('../shared/order/early-look.ts')).lookEarly(api, session)
  if (pathname.endsWith('/proof')) return (await import('../proof/draw-check.ts')).lookEarly(api, session, clock)
  await session.ready()
  if (session.state().status !== 'player') return
  // What fails is asked for again by the page, which shows the error.
  await router.preloadRoute({ to: pathname, search: router.options.parseSearch(search) }).catch(() => undefined)
}
