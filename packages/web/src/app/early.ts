import { newestBegun } from '../shared/order/draw-times.ts'
import { askForOwnTickets } from '../shared/stage/use-own-tickets.ts'
import { paid } from './early-order.ts'
import type { createAppRouter } from './router.tsx'

type AppRouter = ReturnType<typeof createAppRouter>

/**
 * Asks for what a page of players shows, while React takes over the document: the router runs the loaders of pages that
 * begin in the browser only after that. What fails is asked for again by the page, which shows the error.
 *
 * @param router with the session of the browser
 */
export async function askEarly(router: AppRouter): Promise<void> {
  const { pathname, search } = location
  if (search.includes('transaction_id')) return await askForOrder(router)
  const { api, session, clock } = router.options.context
  if (session === null) return
  if (pathname.endsWith('/proof')) return (await import('../proof/draw-check.ts')).lookEarly(api, session, clock)
  await session.ready()
  if (session.state().status !== 'player') return
  await router.preloadRoute({ to: pathname, search: router.options.parseSearch(search) }).catch(() => undefined)
}

/** Asks for how the newest draw of the order that the address names ended. */
async function askForOrder(router: AppRouter): Promise<void> {
  const { api, queryClient, clock } = router.options.context
  const order = await paid
  const begun = order && newestBegun(order.order.draws, clock.now())
  if (begun) await askForOwnTickets({ api, queryClient }, { gameKey: order.game_key, number: begun.number })
}
