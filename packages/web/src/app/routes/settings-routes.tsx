import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { firstView } from '../first-view.ts'
import { paths } from '../paths.ts'
import { lazyScreen } from '../screen.tsx'
import { checkedPage, playersOnly } from './guards.ts'
import { useNothing, usePage } from './params.ts'
import { rootRoute } from './root-route.tsx'

// Every page carries its routes: where the screens of the settings lie is only looked up when one is opened.
const screens = () => import('./settings-screens.ts')

/** The settings: players only, with their own navigation round every page. */
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  // Without a path: the address of the settings alone is no page.
  id: 'settings',
  ssr: false,
  // A page of a list that cannot be is none for anybody, and it is this that says so: the guards of the pages themselves come after it.
  beforeLoad: async (opening) => {
    await firstView
    checkedPage((opening.params as { page?: string }).page)
    await playersOnly(opening)
  },
  component: lazyRouteComponent(() => import('../layout/settings-layout.tsx'), 'SettingsLayout'),
})

const myGamesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/general/my-games',
  component: lazyScreen(async () => (await screens()).myGamesScreen(), 'MyGamesScreen', useNothing),
})

const messagesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/general/messages/{-$page}',
  component: lazyScreen(async () => (await screens()).messagesScreen(), 'MessagesScreen', usePage),
})

const personalDetailsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/profile-and-settings/personal-details',
  component: lazyScreen(async () => (await screens()).personalDetailsScreen(), 'PersonalDetailsScreen', useNothing),
})

const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/profile-and-settings/security/{-$page}',
  component: lazyScreen(async () => (await screens()).securityScreen(), 'SecurityScreen', usePage),
})

const passwordChangeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/profile-and-settings/password-change',
  // An account that signs in through a social network has no password here.
  beforeLoad: ({ context }) => {
    if (context.session?.state().profile?.is_social_account === true) throw redirect({ href: '/', replace: true })
  },
  component: lazyScreen(async () => (await screens()).passwordChangeScreen(), 'PasswordChangeScreen', useNothing),
})

const emailPreferencesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/profile-and-settings/email-preferences',
  component: lazyScreen(async () => (await screens()).emailPreferencesScreen(), 'EmailPreferencesScreen', useNothing),
})

const responsiblePlayRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/profile-and-settings/responsible-play',
  component: lazyScreen(async () => (await screens()).responsiblePlayScreen(), 'ResponsiblePlayScreen', useNothing),
})

const personalDataRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/profile-and-settings/personal-data',
  component: lazyScreen(async () => (await screens()).personalDataScreen(), 'PersonalDataScreen', useNothing),
})

/** The specification lists this address and says nothing of a page: what there is to know of the player stands in the personal details. */
const infoRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/general/info',
  beforeLoad: () => {
    throw redirect({ href: paths.personalDetails(), replace: true })
  },
})

const transactionHistoryRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/funds-and-payments/transaction-history/{-$page}',
  component: lazyScreen(async () => (await screens()).transactionHistoryScreen(), 'TransactionHistoryScreen', usePage),
})

const cryptoAccountDetailsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/settings/funds-and-payments/crypto-account-details',
  component: lazyScreen(
    async () => (await screens()).cryptoAccountDetailsScreen(),
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
  responsiblePlayRoute,
  personalDataRoute,
  infoRoute,
  transactionHistoryRoute,
  cryptoAccountDetailsRoute,
])
