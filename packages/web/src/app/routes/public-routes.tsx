import { createRoute, notFound } from '@tanstack/react-router'
import { paths } from '../../shared/paths.ts'
import { NotFoundPage } from '../layout/not-found-page.tsx'
import { page } from './page.tsx'
import { orderIdOf, versionOf } from './params.ts'
import { rootRoute } from './root-route.tsx'

const pageNotFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.pageNotFound(),
  loader: () => {
    throw notFound()
  },
  component: NotFoundPage,
})

/** The pages outside of games, accounts and settings. */
export const publicRoutes = [
  pageNotFoundRoute,
  page({
    path: paths.home(),
    screen: () => import('../../features/home/home-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.howToClaim(),
    screen: () => import('../../features/how-to-claim/how-to-claim-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.whereTheMoneyGoes(),
    screen: () => import('../../features/money/money-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.winnersAndGoodCauses(),
    screen: () => import('../../features/winners/winners-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.aboutUs(),
    screen: () => import('../../features/about/about-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.fairness(),
    screen: () => import('../../features/fairness/fairness-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.helpAndContactUs(),
    screen: () => import('../../features/contact/contact-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.feedback(),
    screen: () => import('../../features/feedback/feedback-screen.tsx'),
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.terms(),
    screen: () => import('../../features/terms/terms-screen.tsx'),
    params: versionOf,
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.privacyPolicy(),
    screen: () => import('../../features/privacy/privacy-screen.tsx'),
    params: versionOf,
    prerender: true,
    sitemap: true,
  }),
  page({
    path: paths.cookies(),
    screen: () => import('../../features/cookies/cookies-screen.tsx'),
    params: versionOf,
    prerender: true,
    sitemap: true,
  }),
  page({ path: paths.links(), screen: () => import('../../features/links/links-screen.tsx'), prerender: true }),
  page({
    path: paths.outbox(),
    // The demo's mails; without a demo there are none.
    beforeLoad: ({ context }) => {
      if (!context.config.testMode) throw notFound()
    },
    screen: () => import('../../features/links/outbox-screen.tsx'),
    prerender: true,
  }),
  page({
    path: '/checkout/$order',
    screen: () => import('../../features/checkout/checkout-screen.tsx'),
    params: orderIdOf,
    prerender: true,
  }),
]
