import { errorText } from '../../shared/api.ts'
import { paths } from '../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { AuthPage, FootLine } from './components/auth-page.tsx'
import { ResetPasswordForm } from './components/reset-password-form.tsx'
import { isBadKey } from './bad-key.ts'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useResetLink } from './use-accounts.ts'

/** Sets a new password with the key of a mail: the link is checked first. */
export function ResetPasswordScreen({ resetKey }: { resetKey: string }) {
  return (
    <AuthPage
      title={ACCOUNT_TEXTS.resetTitle}
      foot={
        <FootLine>
          <Link href={paths.login()}>{ACCOUNT_TEXTS.logIn}</Link>
        </FootLine>
      }
    >
      <Reset resetKey={resetKey} />
    </AuthPage>
  )
}

function Reset({ resetKey }: { resetKey: string }) {
  const link = useResetLink(resetKey)
  if (link.isPending) {
    return (
      <Loading label={ACCOUNT_TEXTS.resetPending}>
        <p>{ACCOUNT_TEXTS.resetPending}</p>
        <Skeleton shape="button" />
      </Loading>
    )
  }
  if (link.isError) {
    return (
      <>
        <Banner kind="danger">{isBadKey(link.error) ? ACCOUNT_TEXTS.resetBadLink : errorText(link.error)}</Banner>
        <div>
          <LinkButton href={paths.forgottenPassword()}>{ACCOUNT_TEXTS.resetNewLink}</LinkButton>
        </div>
        <p>
          <Link href={paths.helpAndContactUs()}>{ACCOUNT_TEXTS.contactSupport}</Link>
        </p>
      </>
    )
  }
  return <ResetPasswordForm resetKey={resetKey} needsCode={link.data.is_two_fa_enabled} />
}
