import { useClockValue } from '../../shared/use-clock.ts'
import { errorText } from '../../shared/api.ts'
import { paths } from '../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { isBadKey } from './bad-key.ts'
import { AuthPage, FootLine } from './components/auth-page.tsx'
import { LoginSecureForm } from './components/login-secure-form.tsx'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useSecondStep } from './use-accounts.ts'

/** Props of {@link LoginSecureScreen}. */
export interface LoginSecureScreenProps {
  loginKey: string
  /** Where to go after it; null leads to the personal details. */
  path: string | null
}

/** The second step of a login, for which there are five minutes. */
export function LoginSecureScreen({ loginKey, path }: LoginSecureScreenProps) {
  return (
    <AuthPage
      title={ACCOUNT_TEXTS.secureTitle}
      lead={ACCOUNT_TEXTS.secureLead}
      foot={
        <FootLine>
          <Link href={paths.helpAndContactUs()}>{ACCOUNT_TEXTS.secureHelp}</Link>
        </FootLine>
      }
    >
      <SecondStep loginKey={loginKey} path={path} />
    </AuthPage>
  )
}

function SecondStep({ loginKey, path }: LoginSecureScreenProps) {
  const step = useSecondStep(loginKey)
  const expiresAt = step.data?.expiresAt
  const isExpired = useClockValue((now) => expiresAt !== undefined && now >= expiresAt)
  if (step.isPending) {
    return (
      <Loading>
        <Skeleton />
        <Skeleton shape="block" />
        <Skeleton shape="button" />
      </Loading>
    )
  }
  if (step.isError || isExpired) {
    const hasFailed = step.isError && !isBadKey(step.error)
    return (
      <>
        <Banner kind="danger">{hasFailed ? errorText(step.error) : ACCOUNT_TEXTS.secureExpired}</Banner>
        <div>
          <LinkButton href={paths.login(path ?? undefined)}>{ACCOUNT_TEXTS.secureTryAgain}</LinkButton>
        </div>
      </>
    )
  }
  return (
    <LoginSecureForm
      loginKey={loginKey}
      path={path}
      expiresAt={step.data.expiresAt}
      hasCode={step.data.is_two_fa_enabled}
      hasQuestion={step.data.is_security_question_enabled}
    />
  )
}
