import { EditableCard, LoadingCard } from '../../shared/forms/editable-card.tsx'
import { paths } from '../../shared/paths.ts'
import { ADDRESS_TEXTS } from '../../shared/payout/address-texts.ts'
import { CryptoAccountForm } from '../../shared/payout/crypto-account-form.tsx'
import { useSession } from '../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { LightningAccount } from './components/lightning-account.tsx'
import { PayFirst } from './components/pay-first.tsx'
import { UnverifiedEmail } from './components/unverified-email.tsx'
import styles from './crypto-account-details-screen.module.css'
import { SETTINGS_TEXTS } from './messages.ts'
import { usePayoutDetails } from './use-payout-details.ts'

/** Where winnings are paid: the bitcoin address, the Lightning address, and which comes first. */
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
  const account = usePayoutDetails()
  if (account.isLoadingError) return <LoadFailed onRetry={() => void account.refetch()} />

  const details = account.data
  if (details === undefined || profile === null) return <LoadingCard title={SETTINGS_TEXTS.cryptoCard} rows={2} />

  const isSocial = profile.is_social_account
  // Accounts without a password show a code instead, which takes two-factor (specification, section 4).
  const canEdit = !isSocial || profile.is_two_fa_enabled
  const { btc_address: address, lightning, lightning_kinds: kinds } = details
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
        <SavedAddress address={address} hasLightning={lightning !== null} />
      </EditableCard>
      {(kinds.length > 0 || lightning !== null) && (
        <LightningAccount details={details} isSocial={isSocial} canEdit={canEdit} />
      )}
      {lightning !== null && <PayFirst details={details} isSocial={isSocial} canEdit={canEdit} />}
    </div>
  )
}

function SavedAddress({ address, hasLightning }: { address: string | null; hasLightning: boolean }) {
  if (address === null) return <p>{hasLightning ? SETTINGS_TEXTS.btcAddressNoneYet : SETTINGS_TEXTS.btcAddressNone}</p>
  return (
    <div className={styles['address']}>
      <Mono text={address} />
      <CopyButton text={address} label="address" />
    </div>
  )
}
