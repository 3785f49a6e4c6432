import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { gameByKey } from '@fairball/domain/games'
import { lazyScreen, loadScreen } from '../screen.tsx'
import { checkedPage, playersOnly } from './guards.ts'
import { useGameDraw, useGameKey, useGamePage, useGamePlay, useGamePlayed } from './params.ts'
import { rootRoute, titled } from './root-route.tsx'

const play = () => import('../../features/play/play-screen.tsx')
const watch = () => import('../../features/watch/watch-screen.tsx')
const drawHistory = () => import('../../features/draws/draw-history-screen.tsx')
const draw = () => import('../../features/draws/draw-screen.tsx')
const results = () => import('../../features/results/results-screen.tsx')

/** The most lucky-dip lines an address may ask for: an order has no more lines. */
const LUCKY_DIPS_MAX = 1000

/** Everything under one game. An unknown key is a 404; another spelling of a known key leads to the right one. */
const gameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/game/$gameKey',
  beforeLoad: ({ params, location }) => {
    const game = gameByKey(params.gameKey)
    if (game === null) throw notFound()
    if (game.key === params.gameKey) return
    throw redirect({ href: location.href.replace(`/game/${params.gameKey}`, `/game/${game.key}`), statusCode: 301, replace: true })
  },
  head: ({ params }) => titled(nameOf(params.gameKey)),
})

const playRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { transaction_id?: string } =>
    typeof search['transaction_id'] === 'string' ? { transaction_id: search['transaction_id'] } : {},
  loader: ({ context, params }) => loadScreen(play, context, { gameKey: params.gameKey, luckyDips: 0, transactionId: null }),
  staticData: { screen: 'src/features/play/play-screen.tsx' },
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
  staticData: { screen: 'src/features/play/play-screen.tsx' },
  component: lazyScreen(play, 'PlayScreen', useGamePlayed),
})

const watchRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/watch',
  head: ({ params }) => titled(`Watch ${nameOf(params.gameKey)}`),
  loader: ({ context, params }) => loadScreen(watch, context, { gameKey: params.gameKey }),
  staticData: { screen: 'src/features/watch/watch-screen.tsx' },
  component: lazyScreen(watch, 'WatchScreen', useGameKey),
})

const drawsRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/draws/{-$page}',
  head: ({ params }) => titled(`${nameOf(params.gameKey)} results`),
  beforeLoad: ({ params }) => {
    checkedPage(params.page)
  },
  loader: ({ context, params }) => loadScreen(drawHistory, context, { gameKey: params.gameKey, page: checkedPage(params.page) }),
  staticData: { screen: 'src/features/draws/draw-history-screen.tsx' },
  component: lazyScreen(drawHistory, 'DrawHistoryScreen', useGamePage),
})

const drawRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/draw/$number',
  head: ({ params }) => titled(`${nameOf(params.gameKey)} draw ${params.number}`),
  beforeLoad: ({ params }) => {
    checkedPage(params.number)
  },
  loader: ({ context, params }) => loadScreen(draw, context, { gameKey: params.gameKey, number: checkedPage(params.number) }),
  staticData: { screen: 'src/features/draws/draw-screen.tsx' },
  component: lazyScreen(draw, 'DrawScreen', useGameDraw),
})

const resultsRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/results/{-$page}',
  ssr: false,
  head: ({ params }) => titled(`My ${nameOf(params.gameKey)} results`),
  beforeLoad: async (opening) => {
    checkedPage(opening.params.page)
    await playersOnly(opening)
  },
  staticData: { screen: 'src/features/results/results-screen.tsx' },
  component: lazyScreen(results, 'ResultsScreen', useGamePlay),
})

const playResultRoute = createRoute({
  getParentRoute: () => gameRoute,
  path: '/results/$page/$playId',
  ssr: false,
  head: ({ params }) => titled(`My ${nameOf(params.gameKey)} results`),
  beforeLoad: async (opening) => {
    checkedPage(opening.params.page)
    await playersOnly(opening)
  },
  staticData: { screen: 'src/features/results/results-screen.tsx' },
  component: lazyScreen(results, 'ResultsScreen', useGamePlay),
})

/** The pages of one game. */
export const gameRoutes = gameRoute.addChildren([
  playRoute,
  luckyDipsRoute,
  watchRoute,
  drawsRoute,
  drawRoute,
  resultsRoute,
  playResultRoute,
])

function nameOf(gameKey: string): string {
  return gameByKey(gameKey)?.name ?? gameKey
}
