import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { paths } from '../../shared/paths.ts'
import { checkedPage, guarded, playersOnly } from './guards.ts'
import { page } from './page.tsx'
import { pageOf } from './params.ts'
import { rootRoute } from './root-route.tsx'

/** The settings: players only, with their own navigation around every page. */
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  // Without a path, because the address of the settings alone has no page.
  id: 'settings',
  ssr: false,
  ...(import.meta.env.SSR && { staticData: { screen: 'src/app/layout/settings-layout.tsx' } }),
  // Checks the page of a list before the session: the guards of the pages themselves run after this one.
  beforeLoad: (opening) =>
    guarded(async () => {
      checkedPage((opening.params as { page?: string }).page)
      await playersOnly(opening)
    }),
  component: lazyRouteComponent(() => import('../layout/settings-layout.tsx'), 'SettingsLayout'),
})

/** The specification lists this address without a page: the personal details replace it. */
const infoRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/general/info',
  beforeLoad: () => {
    throw redirect({ href: paths.personalDetails(), replace: true })
  },
})

/** The pages of the settings. */
export const settingsRoutes = settingsRoute.addChildren([
  infoRoute,
  page({
    path: `${paths.tickets()}/{-$page}`,
    under: settingsRoute,
    screen: () => import('../../features/settings/my-tickets-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.myGames(),
    under: settingsRoute,
    screen: () => import('../../features/settings/my-games-screen.tsx'),
  }),
  page({
    path: `${paths.messages()}/{-$page}`,
    under: settingsRoute,
    screen: () => import('../../features/settings/messages-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.personalDetails(),
    under: settingsRoute,
    screen: () => import('../../features/settings/personal-details-screen.tsx'),
  }),
  page({
    path: `${paths.security()}/{-$page}`,
    under: settingsRoute,
    screen: () => import('../../features/settings/security-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.passwordChange(),
    under: settingsRoute,
    // An account that logs in through a social network has no password here.
    beforeLoad: ({ context }) => {
      if (context.session?.state().profile?.is_social_account === true) throw redirect({ href: '/', replace: true })
    },
    screen: () => import('../../features/settings/password-change-screen.tsx'),
  }),
  page({
    path: paths.emailPreferences(),
    under: settingsRoute,
    screen: () => import('../../features/settings/email-preferences-screen.tsx'),
  }),
  page({
    path: paths.responsiblePlay(),
    under: settingsRoute,
    screen: () => import('../../features/responsible-play/responsible-play-screen.tsx'),
  }),
  page({
    path: paths.personalData(),
    under: settingsRoute,
    screen: () => import('../../features/personal-data/personal-data-screen.tsx'),
  }),
  page({
    path: paths.balance(),
    under: settingsRoute,
    screen: () => import('../../features/settings/balance-screen.tsx'),
  }),
  page({
    path: `${paths.transactions()}/{-$page}`,
    under: settingsRoute,
    screen: () => import('../../features/settings/transaction-history-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.cryptoAccount(),
    under: settingsRoute,
    screen: () => import('../../features/settings/crypto-account-details-screen.tsx'),
  }),
])
