import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { CodeInput, PasswordInput } from '@fairball/ui/form.tsx'
import { FORM_TEXTS } from './messages.ts'

/** Asks for a proof of identity: the password, or for accounts without one a code of the authenticator app. */
export function ProofInput<Values extends FieldValues>({
  control,
  name,
  isSocial,
}: {
  control: Control<Values>
  name: FieldPath<Values>
  isSocial: boolean
}) {
  if (isSocial) {
    return <CodeInput control={control} name={name} label={FORM_TEXTS.code} hint={FORM_TEXTS.codeHint} />
  }
  return (
    <PasswordInput
      control={control}
      name={name}
      label={FORM_TEXTS.password}
      hint={FORM_TEXTS.passwordHint}
      autoComplete="current-password"
    />
  )
}
