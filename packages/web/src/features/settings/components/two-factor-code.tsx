import { useId, useState } from 'react'
import type { FormEvent } from 'react'
import { twofaCodeProblem } from '@fairball/domain/validation'
import { Button } from '@fairball/ui/button.tsx'
import { CodeField } from '@fairball/ui/code-field.tsx'
import { Form, FormActions } from '@fairball/ui/form.tsx'
import { StillNeeded } from '@fairball/ui/still-needed.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useVerifyTwofa } from '../use-security.ts'

/** Asks for the first code, which switches two-factor on. A wrong one is cleared. */
export function TwoFactorCode({ onSwitchedOn }: { onSwitchedOn: (recoveryCodes: readonly string[]) => void }) {
  const [code, setCode] = useState('')
  const verifying = useVerifyTwofa()
  const isValid = twofaCodeProblem(code) === null
  const noteId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !verifying.isPending) verifying.mutate(code, { onSuccess: onSwitchedOn, onError: () => setCode('') })
  }
  const type = (typed: string) => {
    setCode(typed)
    if (verifying.isError) verifying.reset()
  }
  return (
    <Form onSubmit={submit}>
      <CodeField
        label={SETTINGS_TEXTS.code}
        hint={SETTINGS_TEXTS.twofaCodeAsk}
        error={verifying.isError ? SETTINGS_TEXTS.twofaInvalid : undefined}
        value={code}
        onChange={type}
        autoFocus
      />
      <StillNeeded id={noteId} names={isValid ? '' : SETTINGS_TEXTS.code} />
      <FormActions>
        <Button type="submit" busy={verifying.isPending} disabled={!isValid} aria-describedby={noteId}>
          {SETTINGS_TEXTS.verify}
        </Button>
      </FormActions>
    </Form>
  )
}
