import { createRoute } from '@tanstack/react-router'
import { paths } from '../../shared/paths.ts'
import { guarded, visitorsOnly } from './guards.ts'
import { page } from './page.tsx'
import { loginKeyOf, mailKeyOf, providerOf, returnPathOf } from './params.ts'
import { rootRoute } from './root-route.tsx'

/** Pages for visitors who are not logged in, which the server cannot know. */
const visitorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'visitors',
  ssr: false,
  beforeLoad: (opening) => guarded(() => visitorsOnly(opening)),
})

/** Pages to log in, and the targets of links in mails. */
export const accountRoutes = [
  page({
    path: '/verify-email/$key',
    screen: () => import('../../features/accounts/verify-email-screen.tsx'),
    params: mailKeyOf,
  }),
  page({
    path: '/stop-address-change/$key',
    screen: () => import('../../features/accounts/stop-address-change-screen.tsx'),
    params: mailKeyOf,
  }),
  page({
    path: '/social-login/$provider',
    screen: () => import('../../features/social/social-answer-screen.tsx'),
    params: providerOf,
  }),
  visitorsRoute.addChildren([
    page({
      path: paths.login(),
      under: visitorsRoute,
      screen: () => import('../../features/accounts/login-screen.tsx'),
      params: returnPathOf,
      sitemap: true,
    }),
    page({
      path: '/login-secure/$key',
      under: visitorsRoute,
      screen: () => import('../../features/accounts/login-secure-screen.tsx'),
      params: loginKeyOf,
    }),
    page({
      path: paths.openAccount(),
      under: visitorsRoute,
      screen: () => import('../../features/accounts/open-account-screen.tsx'),
      params: returnPathOf,
      sitemap: true,
    }),
    page({
      path: paths.forgottenPassword(),
      under: visitorsRoute,
      screen: () => import('../../features/accounts/forgotten-password-screen.tsx'),
      params: returnPathOf,
    }),
    page({
      path: '/reset-password/$key',
      under: visitorsRoute,
      screen: () => import('../../features/accounts/reset-password-screen.tsx'),
      params: mailKeyOf,
    }),
  ]),
]
