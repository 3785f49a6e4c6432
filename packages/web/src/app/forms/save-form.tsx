import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFormState } from 'react-hook-form'
import type { Control, FieldPath, FieldValues, UseFormHandleSubmit, UseFormSetError } from 'react-hook-form'
import type { FormEvent, ReactNode } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions, FormNote } from '../../ui/form.tsx'
import { FORM_TEXTS } from './messages.ts'
import { fieldErrorsOf, saveErrorText } from './save-errors.ts'

/** Props of {@link SaveForm}. */
export interface SaveFormProps<Values extends FieldValues, Saved> {
  /** This and the next two are of the form; the form itself is never handed on (see `useSchemaForm`). */
  control: Control<Values>
  handleSubmit: UseFormHandleSubmit<Values>
  setError: UseFormSetError<Values>
  /** The mutation that saves the values. */
  saving: UseMutationResult<Saved, Error, Values>
  /** Which field shows what the server refuses: by the error's code, or by the field's name on the wire. */
  fieldOf?: Readonly<Record<string, FieldPath<Values>>>
  /** The field that only shows who saves, such as a password: filling it in alone changes nothing. */
  proofField?: FieldPath<Values>
  /** Something outside the form speaks against saving, such as a name that is taken. */
  isBlocked?: boolean
  onCancel: () => void
  onSaved: (saved: Saved) => void
  /** The fields. */
  children: ReactNode
}

const NO_FIELD = {}

/**
 * A form of the settings (specification, sections 4 and 5). Save sends what was changed and shows at the fields what the server refuses; with
 * nothing changed it just leaves, and while a field is empty or invalid it is disabled. The first field gets the focus.
 */
export function SaveForm<Values extends FieldValues, Saved>({
  control,
  handleSubmit,
  setError,
  saving,
  fieldOf = NO_FIELD,
  proofField,
  isBlocked = false,
  onCancel,
  onSaved,
  children,
}: SaveFormProps<Values, Saved>) {
  const { dirtyFields, isValid } = useFormState({ control })
  const hasChanges = Object.entries(dirtyFields).some(([name, isDirty]) => isDirty === true && name !== proofField)
  const canSave = isValid && !isBlocked
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])

  const save = (values: Values) =>
    saving.mutate(values, {
      onSuccess: onSaved,
      onError: (error) => {
        for (const [index, [name, message]] of fieldErrorsOf(error, fieldOf).entries())
          setError(name, { message }, { shouldFocus: index === 0 })
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!canSave || saving.isPending) return
    if (hasChanges) void handleSubmit(save)(event)
    else onCancel()
  }
  return (
    <Form ref={form} onSubmit={submit}>
      {saving.isError && <Banner kind="danger">{saveErrorText(saving.error)}</Banner>}
      {children}
      <FormActions>
        <Button type="submit" busy={saving.isPending} disabled={!canSave}>
          {FORM_TEXTS.save}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {FORM_TEXTS.cancel}
        </Button>
      </FormActions>
      {!canSave && <FormNote>{FORM_TEXTS.saveNeeds}</FormNote>}
    </Form>
  )
}
