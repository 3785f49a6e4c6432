import { useFormState } from 'react-hook-form'
import type { Control, FieldValues } from 'react-hook-form'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import styles from './save-actions.module.css'

/** Props of {@link SaveActions}. */
export interface SaveActionsProps<Values extends FieldValues> {
  control: Control<Values>
  busy: boolean
  onCancel: () => void
  /** Something outside the form speaks against saving, such as a name that is taken. */
  isBlocked?: boolean
}

/** Save and Cancel. Save waits until the fields are valid; with nothing changed it just leaves (specification, sections 4 and 5). */
export function SaveActions<Values extends FieldValues>({
  control,
  busy,
  onCancel,
  isBlocked = false,
}: SaveActionsProps<Values>) {
  const { isDirty, isValid } = useFormState({ control })
  const cannotSave = isDirty && (!isValid || isBlocked)
  return (
    <>
      <FormActions>
        <Button type="submit" busy={busy} disabled={cannotSave}>
          {SETTINGS_TEXTS.save}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {SETTINGS_TEXTS.cancel}
        </Button>
      </FormActions>
      {cannotSave && <p className={styles['note']}>{SETTINGS_TEXTS.saveNeeds}</p>}
    </>
  )
}
