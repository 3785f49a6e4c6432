import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../screen.tsx'
import { visitorsOnly } from './guards.ts'
import { useLoginKey, useProvider, useResetKey, useReturnPath } from './params.ts'
import { rootRoute } from './root-route.tsx'

// Every page carries its routes: where these screens lie is only looked up when one is opened.
const screens = () => import('./account-screens.ts')

const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email/$key',
  ssr: false,
  component: lazyScreen(async () => (await screens()).verifyEmailScreen(), 'VerifyEmailScreen', useResetKey),
})

/** Where the mail about a changed bitcoin address leads. */
const stopAddressChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/stop-address-change/$key',
  ssr: false,
  component: lazyScreen(
    async () => (await screens()).stopAddressChangeScreen(),
    'StopAddressChangeScreen',
    useResetKey,
  ),
})

/** Where a social network sends its answer to. */
const socialLoginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/social-login/$provider',
  ssr: false,
  component: lazyScreen(async () => (await screens()).socialAnswerScreen(), 'SocialAnswerScreen', useProvider),
})

/** `?path=` says where to go after signing in. It comes from outside: the hooks that read it follow only paths on this site. */
function validatePath(search: Record<string, unknown>): { path?: string } {
  return typeof search['path'] === 'string' ? { path: search['path'] } : {}
}

/** Pages for those who are not signed in. They are not rendered on the server, which cannot know that. */
const visitorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'visitors',
  ssr: false,
  beforeLoad: visitorsOnly,
})

const loginRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/login',
  validateSearch: validatePath,
  component: lazyScreen(async () => (await screens()).loginScreen(), 'LoginScreen', useReturnPath),
})

const loginSecureRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/login-secure/$key',
  validateSearch: validatePath,
  component: lazyScreen(async () => (await screens()).loginSecureScreen(), 'LoginSecureScreen', useLoginKey),
})

const openAccountRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/open-an-account',
  validateSearch: validatePath,
  component: lazyScreen(async () => (await screens()).openAccountScreen(), 'OpenAccountScreen', useReturnPath),
})

const forgottenPasswordRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/forgotten-password',
  validateSearch: validatePath,
  component: lazyScreen(
    async () => (await screens()).forgottenPasswordScreen(),
    'ForgottenPasswordScreen',
    useReturnPath,
  ),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/reset-password/$key',
  component: lazyScreen(async () => (await screens()).resetPasswordScreen(), 'ResetPasswordScreen', useResetKey),
})

/** The pages for signing in and out of mails. */
export const accountRoutes = [
  verifyEmailRoute,
  stopAddressChangeRoute,
  socialLoginRoute,
  visitorsRoute.addChildren([
    loginRoute,
    loginSecureRoute,
    openAccountRoute,
    forgottenPasswordRoute,
    resetPasswordRoute,
  ]),
]
