import { errorText } from '../../shared/api.ts'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { isBadKey } from './bad-key.ts'
import { AuthPage } from './components/auth-page.tsx'
import { ACCOUNT_TEXTS } from './messages.ts'
import styles from './verify-email-screen.module.css'
import { useEmailVerification, useTicketToCome } from './use-accounts.ts'

/** Verifies the email address with the key of the mail: pending, then verified or a bad link. */
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
      <NextPage hasTicket />
    </>
  )
}

function Failed({ error }: { error: Error }) {
  const { profile } = useSession()
  const isBadLink = isBadKey(error)
  return (
    <>
      <Banner kind="danger">{isBadLink ? ACCOUNT_TEXTS.verifyBadLink : errorText(error)}</Banner>
      {isBadLink && <p>{wayOut(profile?.is_email_verified ?? null)}</p>}
      <NextPage />
      <p>
        <Link href={paths.helpAndContactUs()}>{ACCOUNT_TEXTS.contactSupport}</Link>
      </p>
    </>
  )
}

/** The remedy for a bad link: none if the address is verified, otherwise a new link; null for a visitor. */
function wayOut(isVerified: boolean | null): string {
  if (isVerified === null) return ACCOUNT_TEXTS.verifyLogIn
  return isVerified ? ACCOUNT_TEXTS.verifyAlready : ACCOUNT_TEXTS.verifyNewLink
}

/** Players continue to their details, others to the login. */
function NextPage({ hasTicket = false }: { /** Whether a ticket to come is linked. */ hasTicket?: boolean }) {
  const { status } = useSession()
  const isPlayer = status === 'player'
  const ticket = useTicketToCome(hasTicket && isPlayer)
  return (
    <div className={styles['buttons']}>
      {ticket !== undefined && (
        <LinkButton href={paths.game(ticket.game_key, ticket.transaction_id)}>{ACCOUNT_TEXTS.backToTicket}</LinkButton>
      )}
      <LinkButton
        href={isPlayer ? paths.personalDetails() : paths.login()}
        variant={ticket === undefined ? 'primary' : 'secondary'}
      >
        {isPlayer ? ACCOUNT_TEXTS.toPersonalDetails : ACCOUNT_TEXTS.logIn}
      </LinkButton>
    </div>
  )
}
