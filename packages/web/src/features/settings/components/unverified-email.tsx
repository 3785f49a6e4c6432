import { errorText } from '../../../shared/api.ts'
import { useResendVerification } from '../../../shared/data/resend-verification.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'

/** Says that payouts wait for a verified email address, and sends a new link. */
export function UnverifiedEmail() {
  const resend = useResendVerification()
  if (resend.isSuccess) {
    return (
      <Banner kind="success" live>
        {SETTINGS_TEXTS.resent}
      </Banner>
    )
  }
  return (
    <Banner
      kind="warning"
      action={
        <Button variant="secondary" size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
          {SETTINGS_TEXTS.resend}
        </Button>
      }
    >
      {resend.isError ? errorText(resend.error) : SETTINGS_TEXTS.cryptoUnverified}
    </Banner>
  )
}
