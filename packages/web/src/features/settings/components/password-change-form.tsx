import { useFormState } from 'react-hook-form'
import type { FormEvent } from 'react'
import { currentPasswordProblem, newPasswordProblem, passwordConfirmProblem } from '@fairball/domain/validation'
import { Banner } from '../../../ui/banner.tsx'
import { Form, PasswordInput, useSchemaForm } from '../../../ui/form.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { fieldErrorsOf, saveErrorText } from '../save-errors.ts'
import { useChangePassword } from '../use-password-change.ts'
import type { PasswordChangeValues } from '../use-password-change.ts'
import { SaveActions } from './save-actions.tsx'

const FIELD_OF = {
  INVALID_CREDENTIALS: 'currentPassword',
  INVALID_PASSWORD: 'newPassword',
  MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD: 'confirmPassword',
  current_password: 'currentPassword',
  new_password: 'newPassword',
  confirm_password: 'confirmPassword',
} as const

const RULES = formRules<PasswordChangeValues>(({ currentPassword, newPassword, confirmPassword }) => ({
  currentPassword: currentPasswordProblem(currentPassword),
  newPassword: newPasswordProblem(newPassword, currentPassword),
  confirmPassword: passwordConfirmProblem(newPassword, confirmPassword),
}))

/** The current password, and the new one twice. */
export function PasswordChangeForm({ onCancel, onSaved }: { onCancel: () => void; onSaved: () => void }) {
  const saving = useChangePassword()
  const { control, handleSubmit, setError } = useSchemaForm<PasswordChangeValues>(RULES, {
    currentPassword: '',
    newPassword: '',
    confirmPassword: '',
  })
  const { isDirty } = useFormState({ control })

  const save = (values: PasswordChangeValues) =>
    saving.mutate(values, {
      onSuccess: onSaved,
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, FIELD_OF)) setError(name, { message })
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
      <PasswordInput
        control={control}
        name="currentPassword"
        label={SETTINGS_TEXTS.currentPassword}
        autoComplete="current-password"
        autoFocus
      />
      <PasswordInput
        control={control}
        name="newPassword"
        label={SETTINGS_TEXTS.newPassword}
        autoComplete="new-password"
      />
      <PasswordInput
        control={control}
        name="confirmPassword"
        label={SETTINGS_TEXTS.confirmPassword}
        autoComplete="new-password"
      />
      <SaveActions control={control} busy={saving.isPending} onCancel={onCancel} />
    </Form>
  )
}
