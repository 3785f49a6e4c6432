import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { errorText } from '../../../app/api.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeInput, Form, FormActions, PasswordInput, useSchemaForm } from '../../../ui/form.tsx'
import { resetPasswordRules } from '../account-rules.ts'
import type { ResetPasswordValues } from '../account-rules.ts'
import { ACCOUNT_TEXTS } from '../messages.ts'
import { useResetPassword } from '../use-accounts.ts'
import { PasswordStrength } from './password-strength.tsx'

/** The new password twice, and a code where the account has two-factor. Typing takes the last message away. */
export function ResetPasswordForm({ resetKey, needsCode }: { resetKey: string; needsCode: boolean }) {
  const resetting = useResetPassword(resetKey)
  const { control, handleSubmit, reset, resetField } = useSchemaForm<ResetPasswordValues>(
    resetPasswordRules(needsCode),
    {
      password: '',
      passwordConfirm: '',
      code: '',
    },
  )
  const send = (values: ResetPasswordValues) =>
    resetting.mutate(values, { onSuccess: () => reset(), onError: () => resetField('code') })
  const clearMessage = () => {
    if (!resetting.isPending) resetting.reset()
  }

  return (
    <Form onSubmit={handleSubmit(send)} onInput={clearMessage}>
      {resetting.isError && <Banner kind="danger">{errorText(resetting.error)}</Banner>}
      {resetting.isSuccess && (
        <Banner kind="success" live>
          {ACCOUNT_TEXTS.resetSuccess}
        </Banner>
      )}
      <PasswordInput control={control} name="password" label={ACCOUNT_TEXTS.password} autoComplete="new-password" />
      <TypedStrength control={control} />
      <PasswordInput
        control={control}
        name="passwordConfirm"
        label={ACCOUNT_TEXTS.passwordConfirm}
        autoComplete="new-password"
      />
      {needsCode && <CodeInput control={control} name="code" label={ACCOUNT_TEXTS.resetCode} />}
      <FormActions>
        <Button type="submit" busy={resetting.isPending} block>
          {ACCOUNT_TEXTS.resetButton}
        </Button>
      </FormActions>
    </Form>
  )
}

function TypedStrength({ control }: { control: Control<ResetPasswordValues> }) {
  return <PasswordStrength password={useWatch({ control, name: 'password' })} />
}
