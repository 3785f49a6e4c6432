import { maskMiddle } from '@fairball/domain/masking'
import { EditableCard, LoadingCard } from '../../../shared/forms/editable-card.tsx'
import { useSession } from '../../../shared/session/use-session.ts'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useWinnerConsent } from '../use-winner-consent.ts'
import { WinnerConsentForm } from './winner-consent-form.tsx'

/** A short name is hidden completely. */
const NAMELESS = '***'

/** Whether the player's wins are public under a masked name: off until the player agrees. */
export function WinnerConsent() {
  const { profile } = useSession()
  const consent = useWinnerConsent()
  if (consent.isLoadingError) return <LoadFailed onRetry={() => void consent.refetch()} />
  const saved = consent.data
  if (saved === undefined || profile === null)
    return <LoadingCard title={SETTINGS_TEXTS.winnersTitle} lead={SETTINGS_TEXTS.winnersLead} rows={1} />
  return (
    <EditableCard
      title={SETTINGS_TEXTS.winnersTitle}
      lead={SETTINGS_TEXTS.winnersLead}
      editText={SETTINGS_TEXTS.change}
      editLabel={SETTINGS_TEXTS.winnersChange}
      renderForm={(moves) => (
        <WinnerConsentForm
          saved={saved}
          shownAs={maskMiddle(profile.username) || NAMELESS}
          onCancel={moves.cancel}
          onSaved={moves.saved}
        />
      )}
    >
      <div>
        <ReadOnlyField label={SETTINGS_TEXTS.winnersShown}>
          {saved.is_shown ? SETTINGS_TEXTS.on : SETTINGS_TEXTS.off}
        </ReadOnlyField>
      </div>
    </EditableCard>
  )
}
