import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { ReadOnlyField } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { EditButton } from './components/edit-button.tsx'
import { EmailPreferencesForm } from './components/email-preferences-form.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import { useEditing } from './use-editing.ts'
import { useEmailPreferences } from './use-email-preferences.ts'

/** Which mails the player wants, besides those that always come. */
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
  const editing = useEditing()
  if (preferences.isLoadingError) return <LoadFailed onRetry={() => void preferences.refetch()} />
  const saved = preferences.data
  if (saved === undefined) {
    return (
      <Card title={SETTINGS_TEXTS.preferencesCard}>
        <Loading>
          <Skeleton />
          <Skeleton />
        </Loading>
      </Card>
    )
  }
  return (
    <Card title={SETTINGS_TEXTS.preferencesCard} actions={<EditButton editing={editing} />}>
      {editing.hasSaved && (
        <Banner kind="success" live>
          {SETTINGS_TEXTS.saved}
        </Banner>
      )}
      {editing.isEditing ? (
        <EmailPreferencesForm saved={saved} onCancel={editing.cancel} onSaved={editing.saved} />
      ) : (
        <div>
          <ReadOnlyField label={SETTINGS_TEXTS.lotteryGames}>{stateText(saved.is_lottery_games_active)}</ReadOnlyField>
          <ReadOnlyField label={SETTINGS_TEXTS.winnersAndCauses}>
            {stateText(saved.is_winners_and_good_causes_active)}
          </ReadOnlyField>
        </div>
      )}
    </Card>
  )
}

function stateText(isOn: boolean): string {
  return isOn ? SETTINGS_TEXTS.on : SETTINGS_TEXTS.off
}
