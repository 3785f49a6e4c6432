import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
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
  path: '/settings',
  ssr: false,
  beforeLoad: playersOnly,
  component: lazyRouteComponent(() => import('../layout/settings-layout.tsx'), 'SettingsLayout'),
})

const myGamesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/general/my-games',
  staticData: { title: () => 'My games' },
  component: lazyScreen(async () => (await screens()).myGamesScreen(), 'MyGamesScreen', useNothing),
})

const messagesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/general/messages/{-$page}',
  staticData: { title: () => 'Messages' },
  beforeLoad: ({ params }) => {
    checkedPage(params.page)
  },
  component: lazyScreen(async () => (await screens()).messagesScreen(), 'MessagesScreen', usePage),
})

const personalDetailsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/personal-details',
  staticData: { title: () => 'Personal details' },
  component: lazyScreen(async () => (await screens()).personalDetailsScreen(), 'PersonalDetailsScreen', useNothing),
})

const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/security/{-$page}',
  staticData: { title: () => 'Security' },
  beforeLoad: ({ params }) => {
    checkedPage(params.page)
  },
  component: lazyScreen(async () => (await screens()).securityScreen(), 'SecurityScreen', usePage),
})

const passwordChangeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/password-change',
  staticData: { title: () => 'Password change' },
  // An account that signs in through a social network has no password here.
  beforeLoad: ({ context }) => {
    if (context.session?.state().profile?.is_social_account === true) throw redirect({ href: '/', replace: true })
  },
  component: lazyScreen(async () => (await screens()).passwordChangeScreen(), 'PasswordChangeScreen', useNothing),
})

const emailPreferencesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/email-preferences',
  staticData: { title: () => 'Email preferences' },
  component: lazyScreen(async () => (await screens()).emailPreferencesScreen(), 'EmailPreferencesScreen', useNothing),
})

const responsiblePlayRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/responsible-play',
  staticData: { title: () => 'Responsible play' },
  component: lazyScreen(async () => (await screens()).responsiblePlayScreen(), 'ResponsiblePlayScreen', useNothing),
})

const personalDataRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile-and-settings/personal-data',
  staticData: { title: () => 'Personal data' },
  component: lazyScreen(async () => (await screens()).personalDataScreen(), 'PersonalDataScreen', useNothing),
})

/** The specification lists this address and says nothing of a page: what there is to know of the player stands in the personal details. */
const infoRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/general/info',
  beforeLoad: () => {
    throw redirect({ href: paths.personalDetails(), replace: true })
  },
})

const transactionHistoryRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/funds-and-payments/transaction-history/{-$page}',
  staticData: { title: () => 'Transaction history' },
  beforeLoad: ({ params }) => {
    checkedPage(params.page)
  },
  component: lazyScreen(async () => (await screens()).transactionHistoryScreen(), 'TransactionHistoryScreen', usePage),
})

const cryptoAccountDetailsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/funds-and-payments/crypto-account-details',
  staticData: { title: () => 'Crypto account details' },
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
