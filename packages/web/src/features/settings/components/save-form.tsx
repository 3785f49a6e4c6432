import type { UseMutationResult } from '@tanstack/react-query'
import { useFormState } from 'react-hook-form'
import type { Control, FieldPath, FieldValues, UseFormHandleSubmit, UseFormSetError } from 'react-hook-form'
import type { FormEvent, ReactNode } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Form } from '../../../ui/form.tsx'
import { fieldErrorsOf, saveErrorText } from '../save-errors.ts'
import { SaveActions } from './save-actions.tsx'

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
  /** Something outside the form speaks against saving, such as a name that is taken. */
  isBlocked?: boolean
  onCancel: () => void
  onSaved: (saved: Saved) => void
  /** The fields. */
  children: ReactNode
}

const NO_FIELD = {}

/** A form of the settings: Save sends what was changed and shows at the fields what the server refuses; with nothing changed it just leaves. */
export function SaveForm<Values extends FieldValues, Saved>({
  control,
  handleSubmit,
  setError,
  saving,
  fieldOf = NO_FIELD,
  isBlocked = false,
  onCancel,
  onSaved,
  children,
}: SaveFormProps<Values, Saved>) {
  const { isDirty } = useFormState({ control })
  const save = (values: Values) =>
    saving.mutate(values, {
      onSuccess: onSaved,
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, fieldOf)) setError(name, { message })
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty) void handleSubmit(save)(event)
    else onCancel()
  }
  return (
    <Form onSubmit={submit}>
      {saving.isError && <Banner kind="danger">{saveErrorText(saving.error)}</Banner>}
      {children}
      <SaveActions control={control} busy={saving.isPending} onCancel={onCancel} isBlocked={isBlocked} />
    </Form>
  )
}
