import { currentPasswordProblem, newPasswordProblem, passwordConfirmProblem } from '@fairball/domain/validation'
import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { PasswordInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useChangePassword } from '../use-password-change.ts'
import type { PasswordChangeValues } from '../use-password-change.ts'

const FIELD_OF = {
  INVALID_CREDENTIALS: 'currentPassword',
  INVALID_PASSWORD: 'newPassword',
  MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD: 'confirmPassword',
  current_password: 'currentPassword',
  new_password: 'newPassword',
  confirm_password: 'confirmPassword',
} as const

const RULES = formRules<PasswordChangeValues>(
  {
    currentPassword: SETTINGS_TEXTS.currentPassword,
    newPassword: SETTINGS_TEXTS.newPassword,
    confirmPassword: SETTINGS_TEXTS.confirmPassword,
  },
  ({ currentPassword, newPassword, confirmPassword }) => ({
    currentPassword: currentPasswordProblem(currentPassword),
    newPassword: newPasswordProblem(newPassword, currentPassword),
    confirmPassword: passwordConfirmProblem(newPassword, confirmPassword),
  }),
)

/** The current password, and the new one twice. */
export function PasswordChangeForm({ onCancel, onSaved }: { onCancel: () => void; onSaved: () => void }) {
  const saving = useChangePassword()
  const { control, handleSubmit, setError } = useSchemaForm<PasswordChangeValues>(RULES, {
    currentPassword: '',
    newPassword: '',
    confirmPassword: '',
  })

  return (
    <SaveForm
      control={control}
      rules={RULES}
      handleSubmit={handleSubmit}
      setError={setError}
      saving={saving}
      fieldOf={FIELD_OF}
      onCancel={onCancel}
      onSaved={onSaved}
    >
      <PasswordInput
        control={control}
        name="currentPassword"
        label={SETTINGS_TEXTS.currentPassword}
        autoComplete="current-password"
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
    </SaveForm>
  )
}
