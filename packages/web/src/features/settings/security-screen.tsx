import { lazy, Suspense } from 'react'
import { Card } from '@fairball/ui/card.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SecurityQuestion } from './components/security-question.tsx'
import { SessionsLoading } from './components/sessions-loading.tsx'
import { TwoFactor } from './components/two-factor.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import styles from './security-screen.module.css'

const ActiveSessions = lazy(async () => ({
  default: (await import('./components/active-sessions.tsx')).ActiveSessions,
}))

/** Two-factor authentication, the security question and the active sessions, which may have pages. */
export function SecurityScreen({ page }: { /** Of the active sessions. */ page: number }) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.securityTitle}</PageTitle>
      <div className={styles['blocks']}>
        <TwoFactor />
        <SecurityQuestion />
        <Suspense
          fallback={
            <Card title={SETTINGS_TEXTS.sessionsTitle} lead={SETTINGS_TEXTS.sessionsLead}>
              <SessionsLoading />
            </Card>
          }
        >
          <ActiveSessions page={page} />
        </Suspense>
      </div>
    </>
  )
}
