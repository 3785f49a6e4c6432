import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../screen.tsx'
import { checkedPage, playersOnly } from './guards.ts'
import { useNothing, usePage } from './params.ts'
import { rootRoute } from './root-route.tsx'

/** The settings: players only, with their own navigation round every page. */
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  ssr: false,
  beforeLoad: playersOnly,
  component: lazyRouteComponent(() => import('../layout/settings-layout.tsx'), 'SettingsLayout'),
})

const myGamesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/general/my-games',
  staticData: { title: () => 'My games' },
  component: lazyScreen(() => import('../../features/settings/my-games-screen.tsx'), 'MyGamesScreen', useNothing),
})

const messagesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/general/messages/{-$page}',
  staticData: { title: () => 'Messages' },
  beforeLoad: ({ params }) => {
    checkedPage(params.page)
  },
  component: lazyScreen(() => import('../../features/settings/messages-screen.tsx'), 'MessagesScreen', usePage),
})

const personalDetailsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/personal-details',
  staticData: { title: () => 'Personal details' },
  component: lazyScreen(
    () => import('../../features/settings/personal-details-screen.tsx'),
    'PersonalDetailsScreen',
    useNothing,
  ),
})

const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/security',
  staticData: { title: () => 'Security' },
  component: lazyScreen(() => import('../../features/settings/security-screen.tsx'), 'SecurityScreen', useNothing),
})

const passwordChangeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/password-change',
  staticData: { title: () => 'Password change' },
  // An account that signs in through a social network has no password here.
  beforeLoad: ({ context }) => {
    if (context.session?.state().profile?.is_social_account === true) throw redirect({ href: '/', replace: true })
  },
  component: lazyScreen(
    () => import('../../features/settings/password-change-screen.tsx'),
    'PasswordChangeScreen',
    useNothing,
  ),
})

const emailPreferencesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/email-preferences',
  staticData: { title: () => 'Email preferences' },
  component: lazyScreen(
    () => import('../../features/settings/email-preferences-screen.tsx'),
    'EmailPreferencesScreen',
    useNothing,
  ),
})

const transactionHistoryRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/funds-and-payments/transaction-history/{-$page}',
  staticData: { title: () => 'Transaction history' },
  beforeLoad: ({ params }) => {
    checkedPage(params.page)
  },
  component: lazyScreen(
    () => import('../../features/settings/transaction-history-screen.tsx'),
    'TransactionHistoryScreen',
    usePage,
  ),
})

const cryptoAccountDetailsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/funds-and-payments/crypto-account-details',
  staticData: { title: () => 'Crypto account details' },
  component: lazyScreen(
    () => import('../../features/settings/crypto-account-details-screen.tsx'),
    'CryptoAccountDetailsScreen',
    useNothing,
  ),
})

/** The pages of the settings. */
export const settingsRoutes = settingsRoute.addChildren([
  myGamesRoute,
  messagesRoute,
  personalDetailsRoute,
  securityRoute,
  passwordChangeRoute,
  emailPreferencesRoute,
  transactionHistoryRoute,
  cryptoAccountDetailsRoute,
])
