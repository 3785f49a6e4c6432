import { createRoute, notFound } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazyScreen, loadScreen } from '../screen.tsx'
import type { LoadContext, ScreenLoader } from '../screen.tsx'
import { NotFoundPage } from '../layout/not-found-page.tsx'
import { rootRoute } from './root-route.tsx'
import { useNothing, useOrderId } from './params.ts'

const home = () => import('../../features/home/home-screen.tsx')
// Every page carries its routes: where these screens lie is only looked up when one is opened.
const screens = () => import('./public-screens.ts')
const links = async () => (await screens()).linksScreen()
const outbox = async () => (await screens()).outboxScreen()
const design = async () => (await screens()).designScreen()
const checkout = async () => (await screens()).checkoutScreen()

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: ({ context }) => loadScreen(home, context, {}),
  staticData: { screen: import.meta.env.SSR && 'src/features/home/home-screen.tsx' },
  component: lazyScreen(home, 'HomeScreen', useNothing),
})

const linksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/links',
  staticData: { screen: import.meta.env.SSR && 'src/features/links/links-screen.tsx' },
  loader: ({ context }) => loadScreen(links, context, {}),
  component: lazyScreen(links, 'LinksScreen', useNothing),
})

/** The demo's mails; without a demo there are none to show. */
const outboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/links/outbox',
  staticData: { screen: import.meta.env.SSR && 'src/features/links/outbox-screen.tsx' },
  loader: ({ context }) => {
    if (!context.config.testMode) throw notFound()
  },
  component: lazyScreen(outbox, 'OutboxScreen', useNothing),
})

/** Every component, for those who build. */
const designRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/links/design',
  staticData: { screen: import.meta.env.SSR && 'src/features/design/design-screen.tsx' },
  component: lazyScreen(design, 'DesignScreen', useNothing),
})

/** Where an order is paid, by whoever has its id. */
const checkoutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/checkout/$order',
  // The server's alone, so that it is in no page's first load: in the browser the screen asks by itself.
  ...(import.meta.env.SSR && {
    loader: ({ context, params }: { context: LoadContext; params: { order: string } }) =>
      loadScreen(checkout, context, { orderId: params.order }),
  }),
  staticData: { screen: import.meta.env.SSR && 'src/features/checkout/checkout-screen.tsx' },
  component: lazyScreen(checkout, 'CheckoutScreen', useOrderId),
})

/**
 * Makes the route of a page to read. They are many, and every page carries its routes: this says once what they have in common.
 *
 * @param source the screen's file, which only the server needs to know
 */
function readingRoute(path: keyof ReadingScreens, source: string | false) {
  const screen: ReadingScreen = async () => (await screens()).readingScreens[path]()
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    staticData: { screen: source },
    loader: ({ context }) => loadScreen(screen, context, {}),
    component: lazyScreen(screen, 'Screen', useNothing),
  })
}

type ReadingScreens = Awaited<ReturnType<typeof screens>>['readingScreens']
type ReadingScreen = () => Promise<{ Screen: ComponentType; load?: ScreenLoader }>

const pageNotFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/page-not-found',
  loader: () => {
    throw notFound()
  },
  component: NotFoundPage,
})

/** The pages outside of games, accounts and settings. */
export const publicRoutes = [
  homeRoute,
  linksRoute,
  outboxRoute,
  designRoute,
  checkoutRoute,
  readingRoute('/help-and-contact-us', import.meta.env.SSR && 'src/features/contact/contact-screen.tsx'),
  readingRoute('/how-to-claim', import.meta.env.SSR && 'src/features/how-to-claim/how-to-claim-screen.tsx'),
  readingRoute('/fairness', import.meta.env.SSR && 'src/features/fairness/fairness-screen.tsx'),
  readingRoute('/where-the-money-goes', import.meta.env.SSR && 'src/features/money/money-screen.tsx'),
  readingRoute('/winners-and-good-causes', import.meta.env.SSR && 'src/features/winners/winners-screen.tsx'),
  readingRoute('/about-us', import.meta.env.SSR && 'src/features/about/about-screen.tsx'),
  readingRoute('/feedback', import.meta.env.SSR && 'src/features/feedback/feedback-screen.tsx'),
  readingRoute('/terms', import.meta.env.SSR && 'src/features/terms/terms-screen.tsx'),
  readingRoute('/privacy-policy', import.meta.env.SSR && 'src/features/privacy/privacy-screen.tsx'),
  readingRoute('/cookies', import.meta.env.SSR && 'src/features/cookies/cookies-screen.tsx'),
  pageNotFoundRoute,
]
