import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { useFormState } from 'react-hook-form'
import type { Control, FieldPath, FieldValues, UseFormHandleSubmit, UseFormSetError } from 'react-hook-form'
import type { FormEvent, ReactNode } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Form, FormActions, SERVER_SAID } from '@fairball/ui/form.tsx'
import type { FormRules } from '@fairball/ui/form-rules.ts'
import { StillNeeded, useIsTouched, useStillNeeded } from '@fairball/ui/still-needed.tsx'
import { FORM_TEXTS } from './messages.ts'
import { fieldErrorsOf, saveErrorText } from './save-errors.ts'

/** Props of {@link SaveForm}. */
interface SaveFormProps<Values extends FieldValues, Saved> {
  /** This and the next three are of the form; the form itself is never handed on (see `useSchemaForm`). */
  control: Control<Values>
  rules: FormRules<Values>
  handleSubmit: UseFormHandleSubmit<Values>
  setError: UseFormSetError<Values>
  /** The mutation that saves the values. */
  saving: UseMutationResult<Saved, Error, Values>
  /** The field that shows a refusal: by the error's code, or by the field's name on the wire. */
  fieldOf?: Readonly<Record<string, FieldPath<Values>>>
  /** The field that only proves the player's identity, such as a password: filling it in alone changes nothing. */
  proofField?: FieldPath<Values>
  /** A requirement outside the form's rules, such as a free name; empty for none. */
  alsoNeeded?: string
  /**
   * Leaves the form; without it, the form is a part of its page: it has no Cancel, does not take the focus, and says what
   * it needs from the start.
   */
  onCancel?: (() => void) | undefined
  onSaved: (saved: Saved) => void
  /** The words of the button. Default "Save". */
  saveText?: string | undefined
  /** The fields. */
  children: ReactNode
}

const NO_FIELD = {}

/**
 * A form of the settings (specification, sections 4 and 5). Save sends the changes and shows the server's errors at
 * their fields; with nothing changed it just leaves, and while a field is empty or invalid it is disabled. The first
 * field gets the focus.
 */
export function SaveForm<Values extends FieldValues, Saved>({
  control,
  rules,
  handleSubmit,
  setError,
  saving,
  fieldOf = NO_FIELD,
  proofField,
  alsoNeeded = '',
  onCancel,
  onSaved,
  saveText = FORM_TEXTS.save,
  children,
}: SaveFormProps<Values, Saved>) {
  const { dirtyFields } = useFormState({ control })
  const missing = useStillNeeded(control, rules)
  const needed = [missing, alsoNeeded].filter((names) => names !== '').join(', ')
  const isTouched = useIsTouched(control)
  const noteId = useId()
  const hasChanges = Object.entries(dirtyFields).some(([name, isDirty]) => isDirty === true && name !== proofField)
  const canSave = needed === ''
  const form = useRef<HTMLFormElement>(null)
  const isOpened = onCancel !== undefined
  useEffect(() => {
    if (isOpened) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [isOpened])

  const save = (values: Values) =>
    saving.mutate(values, {
      onSuccess: onSaved,
      onError: (error) => {
        for (const [index, [name, message]] of fieldErrorsOf(error, fieldOf).entries())
          setError(name, { type: SERVER_SAID, message }, { shouldFocus: index === 0 })
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!canSave || saving.isPending) return
    if (hasChanges) void handleSubmit(save)(event)
    else onCancel?.()
  }
  return (
    <Form ref={form} onSubmit={submit}>
      {saving.isError && <Banner kind="danger">{saveErrorText(saving.error)}</Banner>}
      {children}
      <StillNeeded id={noteId} names={needed} isShown={isTouched || !isOpened} />
      <FormActions>
        <Button type="submit" block={!isOpened} busy={saving.isPending} disabled={!canSave} aria-describedby={noteId}>
          {saveText}
        </Button>
        {isOpened && (
          <Button variant="secondary" onClick={onCancel}>
            {FORM_TEXTS.cancel}
          </Button>
        )}
      </FormActions>
    </Form>
  )
}
