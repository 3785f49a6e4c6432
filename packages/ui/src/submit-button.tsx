import { useId } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { FormRules } from './form-rules.ts'
import { StillNeeded, useIsTouched, useStillNeeded } from './still-needed.tsx'

/** Props of {@link SubmitButton}. */
interface SubmitButtonProps<Values extends FieldValues> {
  control: Control<Values>
  rules: FormRules<Values>
  /** The action of the button is in progress. */
  busy: boolean
  /** The name of a requirement outside the rules of single fields; empty for none. */
  alsoNeeded?: string
  children: ReactNode
}

/**
 * Sends a form, as wide as the form. It is disabled while any field is empty or invalid (specification, section 5), and
 * then Enter sends nothing; once a field was left, the missing values are listed above it.
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
  const isTouched = useIsTouched(control)
  const id = useId()
  return (
    <>
      <StillNeeded id={id} names={needed} isShown={isTouched} />
      <Button type="submit" busy={busy} disabled={needed !== ''} aria-describedby={id} block>
        {children}
      </Button>
    </>
  )
}
