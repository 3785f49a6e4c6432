import { paths } from '../../app/paths.ts'
import { useSession } from '../../app/session/use-session.ts'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Mono } from '../../ui/mono.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { CryptoAccountForm } from './components/crypto-account-form.tsx'
import { EditButton } from './components/edit-button.tsx'
import { UnverifiedEmail } from './components/unverified-email.tsx'
import styles from './crypto-account-details-screen.module.css'
import { SETTINGS_TEXTS } from './messages.ts'
import { useCryptoAccount } from './use-crypto-account.ts'
import { useEditing } from './use-editing.ts'

/** The bitcoin address winnings are paid to: read-only, Edit, then Save or Cancel. */
export function CryptoAccountDetailsScreen(_props: object) {
  return (
    <>
      <PageTitle lead={SETTINGS_TEXTS.cryptoLead}>{SETTINGS_TEXTS.cryptoTitle}</PageTitle>
      <Account />
    </>
  )
}

function Account() {
  const { profile } = useSession()
  const account = useCryptoAccount()
  const editing = useEditing()
  if (account.isLoadingError) return <LoadFailed onRetry={() => void account.refetch()} />

  const isSocial = profile?.is_social_account ?? false
  // Accounts without a password show a code instead, which takes two-factor (specification, section 4).
  const canEdit = !isSocial || profile?.is_two_fa_enabled === true
  const isLoaded = account.data !== undefined && profile !== null
  return (
    <div className={styles['blocks']}>
      {editing.hasSaved && (
        <Banner kind="success" live>
          {SETTINGS_TEXTS.cryptoSaved}
        </Banner>
      )}
      {profile?.is_email_verified === false && <UnverifiedEmail />}
      <Card
        title={SETTINGS_TEXTS.cryptoCard}
        actions={isLoaded && canEdit ? <EditButton editing={editing} /> : undefined}
      >
        {!isLoaded ? (
          <Loading>
            <Skeleton />
            <Skeleton shape="button" />
          </Loading>
        ) : editing.isEditing ? (
          <CryptoAccountForm
            saved={account.data}
            isSocial={isSocial}
            onCancel={editing.cancel}
            onSaved={editing.saved}
          />
        ) : (
          <SavedAddress address={account.data} />
        )}
        {isLoaded && !canEdit && (
          <Banner kind="info" action={<Link href={paths.security()}>{SETTINGS_TEXTS.toSecurity}</Link>}>
            {SETTINGS_TEXTS.socialNeedsTwofa}
          </Banner>
        )}
        <p className={styles['note']}>{SETTINGS_TEXTS.cryptoDelay}</p>
      </Card>
    </div>
  )
}

function SavedAddress({ address }: { address: string | null }) {
  if (address === null) return <p>{SETTINGS_TEXTS.btcAddressNone}</p>
  return (
    <div className={styles['address']}>
      <Mono text={address} />
      <CopyButton text={address} label="address" />
    </div>
  )
}
