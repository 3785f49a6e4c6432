import { errorText } from '../../../shared/api.ts'
import { useResendVerification } from '../../../shared/data/resend-verification.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'

import styles from './unverified-email.module.css'

/** Informs players whose email address is not verified, and sends the email again. Nothing for everyone else. */
export function UnverifiedEmail() {
  const { profile } = useSession()
  const resend = useResendVerification()
  if (profile === null || profile.is_email_verified) return null
  return (
    <div className={styles['place']}>
      {resend.isSuccess ? (
        <Banner kind="success" live>
          {ORDER_TEXTS.resent}
        </Banner>
      ) : (
        <Banner kind={resend.isError ? 'danger' : 'warning'}>
          {resend.isError && <>{errorText(resend.error)} </>}
          {ORDER_TEXTS.emailUnverified}
          <button
            type="button"
            className={styles['resend']}
            aria-busy={resend.isPending || undefined}
            onClick={() => !resend.isPending && resend.mutate()}
          >
            {ORDER_TEXTS.resend}
          </button>
        </Banner>
      )}
    </div>
  )
}
