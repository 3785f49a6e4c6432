import { createRoute, notFound } from '@tanstack/react-router'
import { lazyScreen, loadScreen } from '../screen.tsx'
import type { LoadContext } from '../screen.tsx'
import { NotFoundPage } from '../layout/not-found-page.tsx'
import { rootRoute } from './root-route.tsx'
import { useNothing, useOrderId } from './params.ts'

const home = () => import('../../features/home/home-screen.tsx')
// Every page carries its routes: where these screens lie is only looked up when one is opened.
const screens = () => import('./public-screens.ts')
const links = async () => (await screens()).linksScreen()
const outbox = async () => (await screens()).outboxScreen()
const checkout = async () => (await screens()).checkoutScreen()
const contact = async () => (await screens()).contactScreen()
const fairness = async () => (await screens()).fairnessScreen()
const howToClaim = async () => (await screens()).howToClaimScreen()

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
  staticData: { screen: import.meta.env.SSR && 'src/features/links/links-screen.tsx', title: () => 'Links' },
  loader: ({ context }) => loadScreen(links, context, {}),
  component: lazyScreen(links, 'LinksScreen', useNothing),
})

/** The demo's mails; without a demo there are none to show. */
const outboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/links/outbox',
  staticData: { screen: import.meta.env.SSR && 'src/features/links/outbox-screen.tsx', title: () => 'Outbox' },
  loader: ({ context }) => {
    if (!context.config.testMode) throw notFound()
  },
  component: lazyScreen(outbox, 'OutboxScreen', useNothing),
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
  staticData: { screen: import.meta.env.SSR && 'src/features/checkout/checkout-screen.tsx', title: () => 'Payment' },
  component: lazyScreen(checkout, 'CheckoutScreen', useOrderId),
})

const helpAndContactUsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/help-and-contact-us',
  staticData: {
    screen: import.meta.env.SSR && 'src/features/contact/contact-screen.tsx',
    title: () => 'Help & contact us',
  },
  loader: ({ context }) => loadScreen(contact, context, {}),
  component: lazyScreen(contact, 'ContactScreen', useNothing),
})

const howToClaimRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/how-to-claim',
  staticData: {
    screen: import.meta.env.SSR && 'src/features/how-to-claim/how-to-claim-screen.tsx',
    title: () => 'How to claim',
  },
  loader: ({ context }) => loadScreen(howToClaim, context, {}),
  component: lazyScreen(howToClaim, 'HowToClaimScreen', useNothing),
})

const fairnessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fairness',
  staticData: { screen: import.meta.env.SSR && 'src/features/fairness/fairness-screen.tsx', title: () => 'Fairness' },
  loader: ({ context }) => loadScreen(fairness, context, {}),
  component: lazyScreen(fairness, 'FairnessScreen', useNothing),
})

const pageNotFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/page-not-found',
  staticData: { title: () => 'Page not found' },
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
  checkoutRoute,
  helpAndContactUsRoute,
  howToClaimRoute,
  fairnessRoute,
  pageNotFoundRoute,
]
