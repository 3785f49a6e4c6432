import { ApiError } from '@fairball/contract/client'
import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { gamesQuery } from '../data/games.ts'
import { firstView } from '../first-view.ts'
import { paths } from '../paths.ts'
import { lazyScreen, loadScreen } from '../screen.tsx'
import type { LoadContext } from '../screen.tsx'
import { checkedPage, playersOnly } from './guards.ts'
import { useGameDraw, useGameKey, useGamePage, useGamePlay, useGamePlayed } from './params.ts'
import { rootRoute } from './root-route.tsx'

const play = () => import('../../features/play/play-screen.tsx')
const watch = () => import('../../features/watch/watch-screen.tsx')
const drawHistory = () => import('../../features/draws/draw-history-screen.tsx')
const draw = () => import('../../features/draws/draw-screen.tsx')
const proof = async () => (await import('./public-screens.ts')).proofScreen()
const results = () => import('../../features/results/results-screen.tsx')
const statistics = () => import('../../features/statistics/statistics-screen.tsx')

/** The most lucky-dip lines an address may ask for: an order has no more lines. */
const LUCKY_DIPS_MAX = 1000

/** Everything under one game. An unknown key is a 404; another spelling of a known key leads to the right one. */
const gameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/game/$gameKey',
  beforeLoad: async ({ context, params, location }) => {
    if (await isGame(context, params.gameKey)) return
    // Only now, since next to nobody comes here: the rules of all games are too much for every page's first load.
    const { canonicalGameKey } = await import('@fairball/domain/games')
    const key = canonicalGameKey(params.gameKey)
    if (key === params.gameKey || !(await isGame(context, key))) throw notFound()
    throw redirect({
      href: location.href.replace(`/game/${params.gameKey}`, paths.game(key)),
      statusCode: 301,
      replace: true,
    })
  },
})

const playRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { transaction_id?: string } =>
    typeof search['transaction_id'] === 'string' ? { transaction_id: search['transaction_id'] } : {},
  loader: ({ context, params }) =>
    loadScreen(play, context, { gameKey: params.gameKey, luckyDips: 0, transactionId: null }),
  staticData: { screen: import.meta.env.SSR && 'src/features/play/play-screen.tsx' },
  component: lazyScreen(play, 'PlayScreen', useGamePlayed),
})

const luckyDipsRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/lucky-dips/$count',
  beforeLoad: ({ params }) => {
    if (checkedPage(params.count) > LUCKY_DIPS_MAX) throw notFound()
  },
  loader: ({ context, params }) =>
    loadScreen(play, context, { gameKey: params.gameKey, luckyDips: Number(params.count), transactionId: null }),
  staticData: { screen: import.meta.env.SSR && 'src/features/play/play-screen.tsx' },
  component: lazyScreen(play, 'PlayScreen', useGamePlayed),
})

const watchRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/watch',
  staticData: { screen: import.meta.env.SSR && 'src/features/watch/watch-screen.tsx' },
  loader: ({ context, params }) => loadScreen(watch, context, { gameKey: params.gameKey }),
  component: lazyScreen(watch, 'WatchScreen', useGameKey),
})

const drawsRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/draws/{-$page}',
  staticData: { screen: import.meta.env.SSR && 'src/features/draws/draw-history-screen.tsx' },
  beforeLoad: ({ params }) => {
    checkedPage(params.page)
  },
  loader: ({ context, params }) =>
    loadScreen(drawHistory, context, { gameKey: params.gameKey, page: checkedPage(params.page) }),
  component: lazyScreen(drawHistory, 'DrawHistoryScreen', useGamePage),
})

const drawRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/draw/$number',
  staticData: { screen: import.meta.env.SSR && 'src/features/draws/draw-screen.tsx' },
  beforeLoad: ({ params }) => {
    checkedPage(params.number)
  },
  loader: ({ context, params }) =>
    loadScreen(draw, context, { gameKey: params.gameKey, number: checkedPage(params.number) }),
  component: lazyScreen(draw, 'DrawScreen', useGameDraw),
})

const proofRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/draw/$number/proof',
  staticData: { screen: import.meta.env.SSR && 'src/features/fairness/proof-screen.tsx' },
  beforeLoad: ({ params }) => {
    checkedPage(params.number)
  },
  loader: ({ context, params }) =>
    loadScreen(proof, context, { gameKey: params.gameKey, number: checkedPage(params.number) }),
  component: lazyScreen(proof, 'ProofScreen', useGameDraw),
})

const statisticsRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/statistics',
  staticData: { screen: import.meta.env.SSR && 'src/features/statistics/statistics-screen.tsx' },
  loader: ({ context, params }) => loadScreen(statistics, context, { gameKey: params.gameKey }),
  component: lazyScreen(statistics, 'StatisticsScreen', useGameKey),
})

const resultsRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/results/{-$page}',
  ssr: false,
  validateSearch: winsPageOf,
  staticData: { screen: import.meta.env.SSR && 'src/features/results/results-screen.tsx' },
  beforeLoad: async (opening) => {
    await checkResults(opening)
  },
  component: lazyScreen(results, 'ResultsScreen', useGamePlay),
})

const playResultRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/results/$page/$playId',
  ssr: false,
  validateSearch: winsPageOf,
  staticData: { screen: import.meta.env.SSR && 'src/features/results/results-screen.tsx' },
  beforeLoad: async (opening) => {
    await checkResults(opening)
  },
  component: lazyScreen(results, 'ResultsScreen', useGamePlay),
})

/** The pages of one game. */
export const gameRoutes = gameRoute.addChildren([
  playRoute,
  luckyDipsRoute,
  watchRoute,
  drawsRoute,
  drawRoute,
  proofRoute,
  statisticsRoute,
  resultsRoute,
  playResultRoute,
])

/** Whether this is the key of a game, as far as can be known: when the games cannot be loaded, the page opens and says that. */
async function isGame({ api, queryClient }: LoadContext, gameKey: string): Promise<boolean> {
  try {
    const games = await queryClient.ensureQueryData(gamesQuery(api))
    return games.some((game) => game.key === gameKey)
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
}

/** The pages of the results are checked before who asks for them. Nothing is rendered for them on the server, so a redirect waits for the first view. */
async function checkResults(
  opening: Parameters<typeof playersOnly>[0] & { params: { page?: string | undefined }; search: { wins?: string } },
): Promise<void> {
  await firstView
  checkedPage(opening.params.page)
  checkedPage(opening.search.wins)
  await playersOnly(opening)
}

/** The results' query: the page of the wins. */
function winsPageOf(search: Record<string, unknown>): { wins?: string } {
  return typeof search['wins'] === 'string' ? { wins: search['wins'] } : {}
}
