import { ApiError } from '@fairball/contract/client'
import { errorText } from '../../app/api.ts'
import { paths } from '../../app/paths.ts'
import { useSession } from '../../app/session/use-session.ts'
import { Banner } from '../../ui/banner.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { AuthPage } from './components/auth-page.tsx'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useEmailVerification } from './use-accounts.ts'

/** Verifies the e-mail address with the key of the mail: pending, then done or a link that does not work. */
export function VerifyEmailScreen({ resetKey }: { resetKey: string }) {
  return (
    <AuthPage title={ACCOUNT_TEXTS.verifyTitle}>
      <Verification resetKey={resetKey} />
    </AuthPage>
  )
}

function Verification({ resetKey }: { resetKey: string }) {
  const verification = useEmailVerification(resetKey)
  if (verification.isPending) {
    return (
      <Loading label={ACCOUNT_TEXTS.verifyPending}>
        <p>{ACCOUNT_TEXTS.verifyPending}</p>
        <Skeleton shape="button" />
      </Loading>
    )
  }
  if (verification.isError) return <Failed error={verification.error} />
  return (
    <>
      <Banner kind="success" live>
        {ACCOUNT_TEXTS.verifySuccess}
      </Banner>
      <NextPage />
    </>
  )
}

function Failed({ error }: { error: Error }) {
  const isBadLink = error instanceof ApiError && (error.code === 'INVALID_KEY' || error.code === 'INVALID_PAYLOAD')
  return (
    <>
      <Banner kind="danger">{isBadLink ? ACCOUNT_TEXTS.verifyBadLink : errorText(error)}</Banner>
      {isBadLink && <p>{ACCOUNT_TEXTS.verifyNewLink}</p>}
      <NextPage />
    </>
  )
}

/** Players go on to their details, others to the login. */
function NextPage() {
  const { status } = useSession()
  const isPlayer = status === 'player'
  return (
    <div>
      <LinkButton href={isPlayer ? paths.personalDetails() : paths.login()}>
        {isPlayer ? ACCOUNT_TEXTS.toPersonalDetails : ACCOUNT_TEXTS.logIn}
      </LinkButton>
    </div>
  )
}
