import { lazy, Suspense } from 'react'
import { useConfig } from '../config.ts'
import { useSession } from '../session/use-session.ts'
import styles from './social-login.module.css'

// Its code is loaded only if a social network is configured.
const SocialButtons = lazy(() => import('./social-buttons.tsx'))

/**
 * The buttons for logging in through a social network, for a visitor who is known not to be signed in; until then their
 * space. Nothing if none is configured.
 *
 * @param path target of the login
 */
export function SocialLogin({ path }: { path: string }) {
  const { socialLogins } = useConfig()
  const { status } = useSession()
  const networks = Object.values(socialLogins).filter((network) => network !== null).length
  if (networks === 0 || status === 'player') return null
  return (
    <div className={styles['room']} data-networks={networks}>
      {status === 'anonymous' && (
        <Suspense>
          <SocialButtons path={path} />
        </Suspense>
      )}
    </div>
  )
}
