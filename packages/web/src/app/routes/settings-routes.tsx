import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { paths } from '../../shared/paths.ts'
import { checkedPage, guarded, playersOnly } from './guards.ts'
import { page } from './page.tsx'
import { pageOf } from './params.ts'
import { rootRoute } from './root-route.tsx'

/** The settings' own navigation around every page. The server renders it, so that it is there before the scripts are. */
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  // Without a path, because the address of the settings alone has no page.
  id: 'settings',
  ...(import.meta.env.SSR && { staticData: { screen: 'src/app/layout/settings-layout.tsx' } }),
  component: lazyRouteComponent(() => import('../layout/settings-layout.tsx'), 'SettingsLayout'),
})

/** The pages in it, for players only. */
const playersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  id: 'players',
  ssr: false,
  // Checks the page of a list before the session: the guards of the pages themselves run after this one.
  beforeLoad: (opening) =>
    guarded(async () => {
      checkedPage((opening.params as { page?: string }).page)
      await playersOnly(opening)
    }),
})

/** The specification lists this address without a page: the personal details replace it. */
const infoRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/general/info',
  beforeLoad: () => {
    throw redirect({ href: paths.personalDetails(), replace: true })
  },
})

const pages = [
  page({
    path: `${paths.tickets()}/{-$page}`,
    under: playersRoute,
    screen: () => import('../../features/settings/my-tickets-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.myGames(),
    under: playersRoute,
    screen: () => import('../../features/settings/my-games-screen.tsx'),
  }),
  page({
    path: `${paths.messages()}/{-$page}`,
    under: playersRoute,
    screen: () => import('../../features/settings/messages-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.personalDetails(),
    under: playersRoute,
    screen: () => import('../../features/settings/personal-details-screen.tsx'),
  }),
  page({
    path: `${paths.security()}/{-$page}`,
    under: playersRoute,
    screen: () => import('../../features/settings/security-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.passwordChange(),
    under: playersRoute,
    // An account that logs in through a social network has no password here.
    beforeLoad: ({ context }) => {
      if (context.session?.state().profile?.is_social_account === true) throw redirect({ href: '/', replace: true })
    },
    screen: () => import('../../features/settings/password-change-screen.tsx'),
  }),
  page({
    path: paths.emailPreferences(),
    under: playersRoute,
    screen: () => import('../../features/settings/email-preferences-screen.tsx'),
  }),
  page({
    path: paths.responsiblePlay(),
    under: playersRoute,
    screen: () => import('../../features/responsible-play/responsible-play-screen.tsx'),
  }),
  page({
    path: paths.personalData(),
    under: playersRoute,
    screen: () => import('../../features/personal-data/personal-data-screen.tsx'),
  }),
  page({
    path: paths.balance(),
    under: playersRoute,
    screen: () => import('../../features/settings/balance-screen.tsx'),
  }),
  page({
    path: `${paths.transactions()}/{-$page}`,
    under: playersRoute,
    screen: () => import('../../features/settings/transaction-history-screen.tsx'),
    params: pageOf,
  }),
  page({
    path: paths.cryptoAccount(),
    under: playersRoute,
    screen: () => import('../../features/settings/crypto-account-details-screen.tsx'),
  }),
]

/** The settings. */
export const settingsRoutes = settingsRoute.addChildren([infoRoute, playersRoute.addChildren(pages)])
