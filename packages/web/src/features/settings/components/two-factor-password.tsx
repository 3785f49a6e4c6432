import { useId, useState } from 'react'
import type { FormEvent } from 'react'
import { ApiError } from '@fairball/contract/client'
import { currentPasswordProblem } from '@fairball/domain/validation'
import { Button } from '@fairball/ui/button.tsx'
import { Form, FormActions } from '@fairball/ui/form.tsx'
import { PasswordField } from '@fairball/ui/password-field.tsx'
import { StillNeeded } from '@fairball/ui/still-needed.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { isServerFailure, useVerifyPassword } from '../use-security.ts'

const TOO_MANY_REQUESTS = 429

/** Asks for the password before two-factor can be set up. */
export function TwoFactorPassword({ onVerified }: { onVerified: () => void }) {
  const [password, setPassword] = useState('')
  const verifying = useVerifyPassword()
  const isValid = currentPasswordProblem(password) === null
  const noteId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !verifying.isPending) verifying.mutate(password, { onSuccess: onVerified })
  }
  const type = (typed: string) => {
    setPassword(typed)
    if (verifying.isError) verifying.reset()
  }
  return (
    <Form onSubmit={submit}>
      <PasswordField
        label={SETTINGS_TEXTS.password}
        hint={SETTINGS_TEXTS.twofaPassword}
        error={verifying.isError ? failureText(verifying.error) : undefined}
        autoComplete="current-password"
        value={password}
        onChange={type}
        autoFocus
      />
      <StillNeeded id={noteId} names={isValid ? '' : SETTINGS_TEXTS.password} />
      <FormActions>
        <Button type="submit" busy={verifying.isPending} disabled={!isValid} aria-describedby={noteId}>
          {SETTINGS_TEXTS.verify}
        </Button>
      </FormActions>
    </Form>
  )
}

function failureText(error: Error): string {
  if (isServerFailure(error)) return SETTINGS_TEXTS.verifyServerError
  // The password was not checked, so calling it invalid would be wrong.
  if (error instanceof ApiError && error.status === TOO_MANY_REQUESTS) return error.message
  return SETTINGS_TEXTS.verifyInvalid
}
