import { PageTitle } from '../../ui/page-title.tsx'
import { ActiveSessions } from './components/active-sessions.tsx'
import { SecurityQuestion } from './components/security-question.tsx'
import { TwoFactor } from './components/two-factor.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import styles from './security-screen.module.css'

/** Two-factor authentication, the security question and the active sessions. */
export function SecurityScreen(_props: object) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.securityTitle}</PageTitle>
      <div className={styles['blocks']}>
        <TwoFactor />
        <SecurityQuestion />
        <ActiveSessions />
      </div>
    </>
  )
}
