import { useFormState } from 'react-hook-form'
import type { FormEvent } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Form, ToggleInput, useSchemaForm } from '../../../ui/form.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { saveErrorText } from '../save-errors.ts'
import { useSaveEmailPreferences } from '../use-email-preferences.ts'
import type { EmailPreferences } from '../use-email-preferences.ts'
import { SaveActions } from './save-actions.tsx'

/** Props of {@link EmailPreferencesForm}. */
export interface EmailPreferencesFormProps {
  saved: EmailPreferences
  onCancel: () => void
  onSaved: () => void
}

/** Every choice is a valid one. */
const RULES = formRules<EmailPreferences>(() => ({}))

/** Two switches: results and reminders, winners and causes. */
export function EmailPreferencesForm({ saved, onCancel, onSaved }: EmailPreferencesFormProps) {
  const saving = useSaveEmailPreferences()
  const { control, handleSubmit } = useSchemaForm<EmailPreferences>(RULES, saved)
  const { isDirty } = useFormState({ control })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty) void handleSubmit((values) => saving.mutate(values, { onSuccess: onSaved }))(event)
    else onCancel()
  }
  return (
    <Form onSubmit={submit}>
      {saving.isError && <Banner kind="danger">{saveErrorText(saving.error)}</Banner>}
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
      <SaveActions control={control} busy={saving.isPending} onCancel={onCancel} />
    </Form>
  )
}
