import { lazy, Suspense } from 'react'
import { useConfig } from './config.ts'
import { useSession } from './session/use-session.ts'

// Nothing of it is loaded where no social network is configured.
const SocialButtons = lazy(() => import('../features/social/social-buttons.tsx'))

/**
 * The buttons for logging in through a social network, for a visitor who is known not to be signed in. Empty where none is configured.
 *
 * @param path where the login leads
 */
export function SocialLogin({ path }: { path: string }) {
  const { google, facebook } = useConfig().socialLogins
  const { status } = useSession()
  if ((google === null && facebook === null) || status !== 'anonymous') return null
  return (
    <Suspense>
      <SocialButtons path={path} />
    </Suspense>
  )
}
