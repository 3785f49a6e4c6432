import { EditableCard, LoadingCard } from '../../shared/forms/editable-card.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { EmailPreferencesForm } from './components/email-preferences-form.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import { useEmailPreferences } from './use-email-preferences.ts'

/** The player's choice of mails, besides those that are always sent. */
export function EmailPreferencesScreen(_props: object) {
  return (
    <>
      <PageTitle lead={SETTINGS_TEXTS.preferencesNote}>{SETTINGS_TEXTS.preferencesTitle}</PageTitle>
      <Preferences />
    </>
  )
}

function Preferences() {
  const preferences = useEmailPreferences()
  if (preferences.isLoadingError) return <LoadFailed onRetry={() => void preferences.refetch()} />
  const saved = preferences.data
  if (saved === undefined) return <LoadingCard title={SETTINGS_TEXTS.preferencesCard} rows={2} />
  return (
    <EditableCard
      title={SETTINGS_TEXTS.preferencesCard}
      renderForm={(moves) => <EmailPreferencesForm saved={saved} onCancel={moves.cancel} onSaved={moves.saved} />}
    >
      <div>
        <ReadOnlyField label={SETTINGS_TEXTS.lotteryGames}>{stateText(saved.is_lottery_games_active)}</ReadOnlyField>
        <ReadOnlyField label={SETTINGS_TEXTS.winnersAndCauses}>
          {stateText(saved.is_winners_and_good_causes_active)}
        </ReadOnlyField>
      </div>
    </EditableCard>
  )
}

function stateText(isOn: boolean): string {
  return isOn ? SETTINGS_TEXTS.on : SETTINGS_TEXTS.off
}
