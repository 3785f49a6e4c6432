import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Form, FormActions, PasswordInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { resetPasswordRules } from '../account-rules.ts'
import type { ResetPasswordValues } from '../account-rules.ts'
import { ACCOUNT_TEXTS } from '../messages.ts'
import { useResetPassword } from '../use-accounts.ts'
import { CodeOrRecovery } from './code-or-recovery.tsx'
import { Failure } from './failure.tsx'
import { PasswordStrength } from './password-strength.tsx'

/**
 * The new password twice, and a code or a recovery code if the account has two-factor. Typing removes the last message.
 */
export function ResetPasswordForm({ resetKey, needsCode }: { resetKey: string; needsCode: boolean }) {
  const resetting = useResetPassword(resetKey)
  const [usesRecovery, setUsesRecovery] = useState(false)
  const rules = resetPasswordRules(needsCode, usesRecovery)
  const { control, handleSubmit, reset, resetField, setFocus } = useSchemaForm<ResetPasswordValues>(rules, {
    password: '',
    passwordConfirm: '',
    code: '',
    recoveryCode: '',
  })
  const clearCode = () => {
    if (!needsCode) return
    resetField('code')
    resetField('recoveryCode')
    setFocus(usesRecovery ? 'recoveryCode' : 'code')
  }
  const clearMessage = () => {
    if (!resetting.isPending) resetting.reset()
  }
  const changeWay = () => {
    resetField('code')
    resetField('recoveryCode')
    clearMessage()
    setUsesRecovery(!usesRecovery)
  }
  const send = (values: ResetPasswordValues) =>
    resetting.mutate(values, { onSuccess: () => reset(), onError: clearCode })

  return (
    <Form onSubmit={handleSubmit(send)} onInput={clearMessage}>
      {resetting.isError && (
        <Banner kind="danger">
          <Failure error={resetting.error} />
        </Banner>
      )}
      {resetting.isSuccess && (
        <Banner
          kind="success"
          live
          action={
            <LinkButton size="small" href={paths.login()}>
              {ACCOUNT_TEXTS.logIn}
            </LinkButton>
          }
        >
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
      {needsCode && (
        <CodeOrRecovery
          control={control}
          codeName="code"
          recoveryName="recoveryCode"
          label={ACCOUNT_TEXTS.resetCode}
          usesRecovery={usesRecovery}
          onChangeWay={changeWay}
        />
      )}
      <FormActions>
        <SubmitButton control={control} rules={rules} busy={resetting.isPending}>
          {ACCOUNT_TEXTS.resetButton}
        </SubmitButton>
      </FormActions>
    </Form>
  )
}

function TypedStrength({ control }: { control: Control<ResetPasswordValues> }) {
  return <PasswordStrength password={useWatch({ control, name: 'password' })} />
}
