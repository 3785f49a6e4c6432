import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../screen.tsx'
import { visitorsOnly } from './guards.ts'
import { useLoginKey, useProvider, useResetKey, useReturnPath } from './params.ts'
import { rootRoute } from './root-route.tsx'

const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email/$key',
  ssr: false,
  staticData: { title: () => 'Verify your email' },
  component: lazyScreen(
    () => import('../../features/accounts/verify-email-screen.tsx'),
    'VerifyEmailScreen',
    useResetKey,
  ),
})

/** Where the mail about a changed bitcoin address leads. */
const stopAddressChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/stop-address-change/$key',
  ssr: false,
  staticData: { title: () => 'Stop the address change' },
  component: lazyScreen(
    () => import('../../features/accounts/stop-address-change-screen.tsx'),
    'StopAddressChangeScreen',
    useResetKey,
  ),
})

/** Where a social network sends its answer to. */
const socialLoginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/social-login/$provider',
  ssr: false,
  staticData: { title: () => 'Log in' },
  component: lazyScreen(
    () => import('../../features/social/social-answer-screen.tsx'),
    'SocialAnswerScreen',
    useProvider,
  ),
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
  staticData: { title: () => 'Log in' },
  component: lazyScreen(() => import('../../features/accounts/login-screen.tsx'), 'LoginScreen', useReturnPath),
})

const loginSecureRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/login-secure/$key',
  validateSearch: validatePath,
  staticData: { title: () => 'Log in' },
  component: lazyScreen(
    () => import('../../features/accounts/login-secure-screen.tsx'),
    'LoginSecureScreen',
    useLoginKey,
  ),
})

const openAccountRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/open-an-account',
  validateSearch: validatePath,
  staticData: { title: () => 'Open an account' },
  component: lazyScreen(
    () => import('../../features/accounts/open-account-screen.tsx'),
    'OpenAccountScreen',
    useReturnPath,
  ),
})

const forgottenPasswordRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/forgotten-password',
  validateSearch: validatePath,
  staticData: { title: () => 'Forgotten password' },
  component: lazyScreen(
    () => import('../../features/accounts/forgotten-password-screen.tsx'),
    'ForgottenPasswordScreen',
    useReturnPath,
  ),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => visitorsRoute,
  path: '/reset-password/$key',
  staticData: { title: () => 'Reset password' },
  component: lazyScreen(
    () => import('../../features/accounts/reset-password-screen.tsx'),
    'ResetPasswordScreen',
    useResetKey,
  ),
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
