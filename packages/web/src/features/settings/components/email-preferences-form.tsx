import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { ToggleInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useSaveEmailPreferences } from '../use-email-preferences.ts'
import type { EmailPreferences } from '../use-email-preferences.ts'

/** Props of {@link EmailPreferencesForm}. */
interface EmailPreferencesFormProps {
  saved: EmailPreferences
  onCancel: () => void
  onSaved: () => void
}

/** Every choice is a valid one. */
const RULES = formRules<EmailPreferences>(
  {
    is_lottery_games_active: SETTINGS_TEXTS.lotteryGames,
    is_winners_and_good_causes_active: SETTINGS_TEXTS.winnersAndCauses,
  },
  () => ({}),
)

/** Two switches: results and reminders, winners and causes. */
export function EmailPreferencesForm({ saved, onCancel, onSaved }: EmailPreferencesFormProps) {
  const saving = useSaveEmailPreferences()
  const { control, handleSubmit, setError } = useSchemaForm<EmailPreferences>(RULES, saved)
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
        name="is_lottery_games_active"
        label={SETTINGS_TEXTS.lotteryGames}
        hint={SETTINGS_TEXTS.lotteryGamesHint}
      />
      <ToggleInput
        control={control}
        name="is_winners_and_good_causes_active"
        label={SETTINGS_TEXTS.winnersAndCauses}
        hint={SETTINGS_TEXTS.winnersAndCausesHint}
      />
    </SaveForm>
  )
}
