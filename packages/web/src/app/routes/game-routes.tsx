import { ApiError } from '@fairball/contract/client'
import { createRoute, notFound } from '@tanstack/react-router'
import { retiredGamesQuery } from '../../shared/data/game-versions.ts'
import { gamesQuery } from '../../shared/data/games.ts'
import type { LoadContext } from '../../shared/screen.ts'
import { checkedPage, guarded, playersOnly } from './guards.ts'
import type { Opening } from './guards.ts'
import { page } from './page.tsx'
import { gameDrawOf, gameKeyOf, gamePageOf, gamePlayOf, gameResultsOf } from './params.ts'
import { rootRoute } from './root-route.tsx'

/** Most lucky-dip lines an address may ask for: an order has no more lines. */
const LUCKY_DIPS_MAX = 1000

/** Everything under one game. An unknown key is a 404; the server leads other spellings of a key to the right one. */
const gameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/game/$gameKey',
  beforeLoad: async ({ context, params }) => {
    if (!(await isGame(context, params.gameKey))) throw notFound()
  },
})

/** The pages of one game. */
export const gameRoutes = gameRoute.addChildren([
  page({
    path: '/',
    under: gameRoute,
    screen: () => import('../../features/play/play-screen.tsx'),
    params: gamePlayOf,
    prerender: true,
    sitemap: true,
  }),
  page({
    path: '/lucky-dips/$count',
    under: gameRoute,
    beforeLoad: ({ params }) => {
      if (checkedPage(params['count']) > LUCKY_DIPS_MAX) throw notFound()
    },
    screen: () => import('../../features/play/play-screen.tsx'),
    params: gamePlayOf,
    prerender: true,
  }),
  page({
    path: '/watch',
    under: gameRoute,
    screen: () => import('../../features/watch/watch-screen.tsx'),
    params: gameKeyOf,
    prerender: true,
    sitemap: true,
  }),
  page({
    path: '/draws/{-$page}',
    under: gameRoute,
    beforeLoad: checkPage,
    screen: () => import('../../features/draws/draw-history-screen.tsx'),
    params: gamePageOf,
    prerender: true,
    sitemap: true,
  }),
  page({
    path: '/draw/$number',
    under: gameRoute,
    beforeLoad: checkNumber,
    screen: () => import('../../features/draws/draw-screen.tsx'),
    params: gameDrawOf,
    prerender: true,
    sitemap: true,
  }),
  page({
    path: '/draw/$number/proof',
    under: gameRoute,
    beforeLoad: checkNumber,
    screen: () => import('../../features/fairness/proof-screen.tsx'),
    params: gameDrawOf,
    prerender: true,
  }),
  page({
    path: '/statistics',
    under: gameRoute,
    screen: () => import('../../features/statistics/statistics-screen.tsx'),
    params: gameKeyOf,
    prerender: true,
    sitemap: true,
  }),
  page({
    path: '/results/{-$page}',
    under: gameRoute,
    beforeLoad: checkResults,
    screen: () => import('../../features/results/results-screen.tsx'),
    params: gameResultsOf,
  }),
  page({
    path: '/results/$page/$playId',
    under: gameRoute,
    beforeLoad: checkResults,
    screen: () => import('../../features/results/results-screen.tsx'),
    params: gameResultsOf,
  }),
])

function checkPage({ params }: Opening): void {
  checkedPage(params['page'])
}

function checkNumber({ params }: Opening): void {
  checkedPage(params['number'])
}

/**
 * Whether this is the key of a game, of one that has ended too, as far as can be known: if the games cannot be loaded, the page opens and says so.
 */
async function isGame({ api, queryClient }: LoadContext, gameKey: string): Promise<boolean> {
  try {
    const games = await queryClient.ensureQueryData(gamesQuery(api))
    if (games.some(({ key }) => key === gameKey)) return true
    const retired = await queryClient.ensureQueryData(retiredGamesQuery(api))
    return retired.some(({ key }) => key === gameKey)
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
}

/** Checks the page numbers before the session. */
function checkResults(opening: Opening): Promise<void> {
  return guarded(async () => {
    checkPage(opening)
    checkedPage(opening.location.search['wins'])
    await playersOnly(opening)
  })
}
