import { useState } from 'react'
import { useSession } from '../../app/session/use-session.ts'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { ReadOnlyField } from '../../ui/field.tsx'
import type { SelectOption } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { EditButton } from './components/edit-button.tsx'
import { PersonalDetailsForm } from './components/personal-details-form.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import { isNewEmail } from './personal-details-rules.ts'
import styles from './personal-details-screen.module.css'
import { useEditing } from './use-editing.ts'
import { useCurrencies, usePersonalDetails, useTimezones } from './use-personal-details.ts'
import type { PersonalDetails } from './use-personal-details.ts'

/** Username, e-mail address, time zone and currency: read-only, Edit, then Save or Cancel. */
export function PersonalDetailsScreen(_props: object) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.personalTitle}</PageTitle>
      <Details />
    </>
  )
}

function Details() {
  const { profile } = useSession()
  const details = usePersonalDetails()
  const timezones = useTimezones()
  const currencies = useCurrencies()
  const editing = useEditing()
  const [isEmailChanged, setIsEmailChanged] = useState(false)

  const saved = details.data
  if (saved === undefined || timezones.data === undefined || currencies.data === undefined || profile === null) {
    const failed = [details, timezones, currencies].filter((query) => query.isError)
    if (failed.length === 0) return <DetailsSkeleton />
    return <LoadFailed onRetry={() => failed.forEach((query) => void query.refetch())} />
  }
  const timezoneOptions = timezones.data.map(({ id, label }) => ({ value: id, label }))
  const currencyOptions = currencies.data.map(({ id, code }) => ({ value: id, label: code }))
  const onSaved = (now: PersonalDetails) => {
    setIsEmailChanged(isNewEmail(now.email, saved.email))
    editing.saved()
  }
  return (
    <div className={styles['blocks']}>
      {editing.hasSaved && (
        <Banner kind="success" live>
          {isEmailChanged ? SETTINGS_TEXTS.emailChanged : SETTINGS_TEXTS.saved}
        </Banner>
      )}
      <Card title={SETTINGS_TEXTS.personalCard} actions={<EditButton editing={editing} />}>
        {editing.isEditing ? (
          <PersonalDetailsForm
            saved={saved}
            isSocial={profile.is_social_account}
            timezones={timezoneOptions}
            currencies={currencyOptions}
            onCancel={editing.cancel}
            onSaved={onSaved}
          />
        ) : (
          <div>
            <ReadOnlyField label={SETTINGS_TEXTS.username}>{saved.username}</ReadOnlyField>
            <ReadOnlyField label={SETTINGS_TEXTS.email}>{saved.email || SETTINGS_TEXTS.notSet}</ReadOnlyField>
            <ReadOnlyField label={SETTINGS_TEXTS.timezone}>{labelOf(timezoneOptions, saved.timezone_id)}</ReadOnlyField>
            <ReadOnlyField label={SETTINGS_TEXTS.currency}>{labelOf(currencyOptions, saved.currency_id)}</ReadOnlyField>
          </div>
        )}
      </Card>
    </div>
  )
}

function DetailsSkeleton() {
  return (
    <Card title={SETTINGS_TEXTS.personalCard}>
      <Loading>
        {Array.from({ length: 4 }, (_, row) => (
          <Skeleton key={row} shape="block" className={styles['row']} />
        ))}
      </Loading>
    </Card>
  )
}

function labelOf(options: readonly SelectOption[], value: number): string {
  return options.find((option) => option.value === value)?.label ?? SETTINGS_TEXTS.notSet
}
