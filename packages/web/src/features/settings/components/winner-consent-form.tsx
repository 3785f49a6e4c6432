import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { ToggleInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useSaveWinnerConsent } from '../use-winner-consent.ts'
import type { WinnerConsent } from '../use-winner-consent.ts'

/** Props of {@link WinnerConsentForm}. */
interface WinnerConsentFormProps {
  saved: WinnerConsent
  /** The player's name as shown publicly. */
  shownAs: string
  onCancel: () => void
  onSaved: () => void
}

/** Either choice is a valid one. */
const RULES = formRules<WinnerConsent>({ is_shown: SETTINGS_TEXTS.winnersShown }, () => ({}))

/** One switch, with the published data and its consequences. */
export function WinnerConsentForm({ saved, shownAs, onCancel, onSaved }: WinnerConsentFormProps) {
  const saving = useSaveWinnerConsent()
  const { control, handleSubmit, setError } = useSchemaForm<WinnerConsent>(RULES, saved)
  return (
    <SaveForm
      control={control}
      rules={RULES}
      handleSubmit={handleSubmit}
      setError={setError}
      saving={saving}
      onCancel={onCancel}
      onSaved={onSaved}
    >
      <ToggleInput
        control={control}
        name="is_shown"
        label={SETTINGS_TEXTS.winnersShown}
        hint={SETTINGS_TEXTS.winnersHint(shownAs)}
      />
    </SaveForm>
  )
}
