import { useState } from 'react'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PERSONAL_DATA_TEXTS } from '../messages.ts'
import { CloseAccountForm } from './close-account-form.tsx'
import styles from './personal-data.module.css'

/** The section to close the account: which data is erased and kept, what is paid, and the form. */
export function CloseAccount() {
  const { profile } = useSession()
  const [stage, setStage] = useState<'reading' | 'asking' | 'cancelled'>('reading')
  const isSocial = profile?.is_social_account ?? false
  // Accounts without a password need a code instead, which requires two-factor.
  const canClose = !isSocial || profile?.is_two_fa_enabled === true
  return (
    <Card title={PERSONAL_DATA_TEXTS.closeTitle} lead={PERSONAL_DATA_TEXTS.closeLead} className={styles['danger']}>
      <div className={styles['sections']}>
        {PERSONAL_DATA_TEXTS.closeSections.map(({ title, text }) => (
          <div key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
        ))}
      </div>
      {!canClose && (
        <Banner kind="info" action={<Link href={paths.security()}>{PERSONAL_DATA_TEXTS.toSecurity}</Link>}>
          {PERSONAL_DATA_TEXTS.needsTwofa}
        </Banner>
      )}
      {canClose && stage === 'asking' && (
        <CloseAccountForm isSocial={isSocial} onCancel={() => setStage('cancelled')} />
      )}
      {canClose && stage !== 'asking' && (
        <div>
          <Button variant="danger" autoFocus={stage === 'cancelled'} onClick={() => setStage('asking')}>
            {PERSONAL_DATA_TEXTS.closeStart}
          </Button>
        </div>
      )}
    </Card>
  )
}
