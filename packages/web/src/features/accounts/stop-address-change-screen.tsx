import { errorText } from '../../shared/api.ts'
import { paths } from '../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { AuthPage, FootLine } from './components/auth-page.tsx'
import { isBadKey } from './bad-key.ts'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useStopAddressChange } from './use-accounts.ts'

/**
 * Reverts a changed bitcoin address with the key of the mail about it. It waits for a press, because mail scanners open
 * links.
 */
export function StopAddressChangeScreen({ resetKey }: { resetKey: string }) {
  return (
    <AuthPage
      title={ACCOUNT_TEXTS.stopTitle}
      lead={ACCOUNT_TEXTS.stopLead}
      foot={
        <FootLine>
          <Link href={paths.helpAndContactUs()}>{ACCOUNT_TEXTS.contactSupport}</Link>
        </FootLine>
      }
    >
      <Stop addressKey={resetKey} />
    </AuthPage>
  )
}

function Stop({ addressKey }: { addressKey: string }) {
  const stopping = useStopAddressChange(addressKey)
  if (stopping.isSuccess) {
    return (
      <>
        <Banner kind="success" live>
          {ACCOUNT_TEXTS.stopSuccess}
        </Banner>
        <p>{ACCOUNT_TEXTS.stopNext}</p>
        <div>
          <LinkButton href={paths.forgottenPassword()}>{ACCOUNT_TEXTS.stopNewPassword}</LinkButton>
        </div>
      </>
    )
  }
  if (stopping.isError && isBadKey(stopping.error)) {
    return (
      <>
        <Banner kind="danger">{ACCOUNT_TEXTS.stopBadLink}</Banner>
        <p>{ACCOUNT_TEXTS.stopBadLinkText}</p>
        <div>
          <LinkButton href={paths.forgottenPassword()}>{ACCOUNT_TEXTS.stopNewPassword}</LinkButton>
        </div>
      </>
    )
  }
  return (
    <>
      {stopping.isError && <Banner kind="danger">{errorText(stopping.error)}</Banner>}
      <p>{ACCOUNT_TEXTS.stopText}</p>
      <div>
        <Button variant="danger" busy={stopping.isPending} onClick={() => stopping.mutate()}>
          {ACCOUNT_TEXTS.stopButton}
        </Button>
      </div>
    </>
  )
}
