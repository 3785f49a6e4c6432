import { useId } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { FormRules } from './form-rules.ts'
import { StillNeeded, useStillNeeded } from './still-needed.tsx'

/** Props of {@link SubmitButton}. */
interface SubmitButtonProps<Values extends FieldValues> {
  control: Control<Values>
  rules: FormRules<Values>
  /** What the button starts is on its way. */
  busy: boolean
  /** What is needed that the rules of single fields do not see, by its name; empty for nothing. */
  alsoNeeded?: string
  children: ReactNode
}

/**
 * Sends a form, as wide as the form. It is disabled while any field is empty or invalid (specification, section 5), and with it Enter sends
 * nothing; under it stands what is missing.
 */
export function SubmitButton<Values extends FieldValues>({
  control,
  rules,
  busy,
  alsoNeeded = '',
  children,
}: SubmitButtonProps<Values>) {
  const missing = useStillNeeded(control, rules)
  const needed = alsoNeeded === '' ? missing : alsoNeeded
  const id = useId()
  return (
    <>
      <Button type="submit" busy={busy} disabled={needed !== ''} aria-describedby={id} block>
        {children}
      </Button>
      <StillNeeded id={id} names={needed} />
    </>
  )
}
