import { EditableCard, LoadingCard } from '../../shared/forms/editable-card.tsx'
import { paths } from '../../shared/paths.ts'
import { ADDRESS_TEXTS } from '../../shared/payout/address-texts.ts'
import { CryptoAccountForm } from '../../shared/payout/crypto-account-form.tsx'
import { useCryptoAccount } from '../../shared/data/crypto-account.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { Banner } from '../../ui/banner.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Mono } from '../../ui/mono.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { UnverifiedEmail } from './components/unverified-email.tsx'
import styles from './crypto-account-details-screen.module.css'
import { SETTINGS_TEXTS } from './messages.ts'

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
  if (account.isLoadingError) return <LoadFailed onRetry={() => void account.refetch()} />

  const address = account.data
  if (address === undefined || profile === null) return <LoadingCard title={SETTINGS_TEXTS.cryptoCard} rows={2} />

  const isSocial = profile.is_social_account
  // Accounts without a password show a code instead, which takes two-factor (specification, section 4).
  const canEdit = !isSocial || profile.is_two_fa_enabled
  return (
    <div className={styles['blocks']}>
      {!profile.is_email_verified && <UnverifiedEmail />}
      <EditableCard
        title={SETTINGS_TEXTS.cryptoCard}
        canEdit={canEdit}
        savedText={SETTINGS_TEXTS.cryptoSaved}
        renderForm={(moves) => (
          <CryptoAccountForm saved={address} isSocial={isSocial} onCancel={moves.cancel} onSaved={moves.saved} />
        )}
        note={
          <>
            {!canEdit && (
              <Banner kind="info" action={<Link href={paths.security()}>{SETTINGS_TEXTS.toSecurity}</Link>}>
                {ADDRESS_TEXTS.socialNeedsTwofa}
              </Banner>
            )}
            <p className={styles['note']}>{SETTINGS_TEXTS.cryptoDelay}</p>
          </>
        }
      >
        <SavedAddress address={address} />
      </EditableCard>
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
