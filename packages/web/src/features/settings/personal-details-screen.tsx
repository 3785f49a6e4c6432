import { useState } from 'react'
import { EditableCard, LoadingCard } from '../../shared/forms/editable-card.tsx'
import { FORM_TEXTS } from '../../shared/forms/messages.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import type { SelectOption } from '@fairball/ui/field.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { PersonalDetailsForm } from './components/personal-details-form.tsx'
import { UnverifiedEmail } from './components/unverified-email.tsx'
import { WinnerConsent } from './components/winner-consent.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import { isNewEmail } from './personal-details-rules.ts'
import styles from './personal-details-screen.module.css'
import { useCurrencies, usePersonalDetails, useTimezones } from './use-personal-details.ts'

/** Username, email address, time zone and currency: read-only, Edit, then Save or Cancel. */
export function PersonalDetailsScreen(_props: object) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.personalTitle}</PageTitle>
      <div className={styles['blocks']}>
        <EmailNotice />
        <Details />
        <WinnerConsent />
      </div>
    </>
  )
}

function Details() {
  const { profile } = useSession()
  const details = usePersonalDetails()
  const timezones = useTimezones()
  const currencies = useCurrencies()
  const [isEmailChanged, setIsEmailChanged] = useState(false)

  const saved = details.data
  if (saved === undefined || timezones.data === undefined || currencies.data === undefined || profile === null) {
    const failed = [details, timezones, currencies].filter((query) => query.isError)
    if (failed.length === 0) return <LoadingCard title={SETTINGS_TEXTS.personalCard} rows={4} />
    return <LoadFailed onRetry={() => failed.forEach((query) => void query.refetch())} />
  }
  const timezoneOptions = timezones.data.map(({ id, label }) => ({ value: id, label }))
  const currencyOptions = currencies.data.map(({ id, code }) => ({ value: id, label: code }))
  return (
    <EditableCard
      title={SETTINGS_TEXTS.personalCard}
      savedText={isEmailChanged ? SETTINGS_TEXTS.emailChanged : FORM_TEXTS.saved}
      renderForm={(moves) => (
        <PersonalDetailsForm
          saved={saved}
          isSocial={profile.is_social_account}
          isEmailLocked={profile.is_social_account && !profile.is_two_fa_enabled && saved.email !== ''}
          timezones={timezoneOptions}
          currencies={currencyOptions}
          onCancel={moves.cancel}
          onSaved={(now) => {
            setIsEmailChanged(isNewEmail(now.email, saved.email))
            moves.saved()
          }}
        />
      )}
    >
      <div>
        <ReadOnlyField label={SETTINGS_TEXTS.username}>{saved.username}</ReadOnlyField>
        <ReadOnlyField label={SETTINGS_TEXTS.email}>{saved.email || SETTINGS_TEXTS.notSet}</ReadOnlyField>
        <ReadOnlyField label={SETTINGS_TEXTS.timezone}>{labelOf(timezoneOptions, saved.timezone_id)}</ReadOnlyField>
        <ReadOnlyField label={SETTINGS_TEXTS.currency}>{labelOf(currencyOptions, saved.currency_id)}</ReadOnlyField>
      </div>
    </EditableCard>
  )
}

/** Known with the session: it stands there before the details do. */
function EmailNotice() {
  const { profile } = useSession()
  return profile !== null && !profile.is_email_verified && <UnverifiedEmail />
}

function labelOf(options: readonly SelectOption[], value: number): string {
  return options.find((option) => option.value === value)?.label ?? SETTINGS_TEXTS.notSet
}
