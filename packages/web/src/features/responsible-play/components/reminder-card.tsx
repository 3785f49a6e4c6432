import { useController } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { EditableCard } from '../../../shared/forms/editable-card.tsx'
import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { RadioChips } from '@fairball/ui/chips.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import { useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { PLAY_LIMIT_TEXTS } from '../messages.ts'
import { useSaveLimits } from '../use-save-limits.ts'

/** The minutes between reminders to choose from. */
const CHOICES = [15, 30, 60, 120]
/** Stands for no reminders. */
const OFF = 0

interface ReminderValues {
  minutes: number
}

/** Every choice is a valid one. */
const RULES = formRules<ReminderValues>({ minutes: PLAY_LIMIT_TEXTS.reminderEvery }, () => ({}))

/** Interval between reminders; null for none. */
export function ReminderCard({ minutes }: { minutes: number | null }) {
  const saved = minutes ?? OFF
  return (
    <EditableCard
      title={PLAY_LIMIT_TEXTS.reminderTitle}
      lead={PLAY_LIMIT_TEXTS.reminderLead}
      editLabel={PLAY_LIMIT_TEXTS.reminderEdit}
      renderForm={(moves) => <ReminderForm saved={saved} onCancel={moves.cancel} onSaved={moves.saved} />}
    >
      <div>
        <ReadOnlyField label={PLAY_LIMIT_TEXTS.reminderEvery}>{nameOf(saved)}</ReadOnlyField>
      </div>
    </EditableCard>
  )
}

function ReminderForm({ saved, onCancel, onSaved }: { saved: number; onCancel: () => void; onSaved: () => void }) {
  const saving = useSaveLimits<ReminderValues>(({ minutes }) => ({
    reminder_minutes: minutes === OFF ? null : minutes,
  }))
  const { control, handleSubmit, setError } = useSchemaForm<ReminderValues>(RULES, { minutes: saved })
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
      <MinutesChips control={control} saved={saved} />
    </SaveForm>
  )
}

function MinutesChips({ control, saved }: { control: Control<ReminderValues>; saved: number }) {
  const { field } = useController({ control, name: 'minutes' })
  // Another number of minutes may have been set through the API.
  const choices = [...new Set([OFF, ...CHOICES, saved])].toSorted((a, b) => a - b)
  return (
    <RadioChips
      legend={PLAY_LIMIT_TEXTS.reminderEvery}
      options={choices.map((value) => ({ value, label: nameOf(value) }))}
      chosen={field.value}
      onChange={field.onChange}
    />
  )
}

function nameOf(minutes: number): string {
  return minutes === OFF ? PLAY_LIMIT_TEXTS.reminderOff : PLAY_LIMIT_TEXTS.reminderMinutes(minutes)
}
