import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { CodeInput, PasswordInput } from '../../../ui/form.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'

/** Asks for what shows that it is the player: the password, or for accounts without one a code of the authenticator app. */
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
    return <CodeInput control={control} name={name} label={SETTINGS_TEXTS.code} hint={SETTINGS_TEXTS.codeHint} />
  }
  return (
    <PasswordInput
      control={control}
      name={name}
      label={SETTINGS_TEXTS.password}
      hint={SETTINGS_TEXTS.passwordHint}
      autoComplete="current-password"
    />
  )
}
