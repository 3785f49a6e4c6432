import { useFormState } from 'react-hook-form'
import type { Control, FieldValues } from 'react-hook-form'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** Props of {@link SubmitButton}. */
export interface SubmitButtonProps<Values extends FieldValues> {
  control: Control<Values>
  /** What the button starts is on its way. */
  busy: boolean
  /** Something the form's rules do not see speaks against sending it. */
  isBlocked?: boolean
  children: ReactNode
}

/**
 * Sends a form, as wide as the form. It is disabled while any field is empty or invalid (specification, section 5), and with it Enter sends
 * nothing; the fields say what is missing when they are left.
 */
export function SubmitButton<Values extends FieldValues>({
  control,
  busy,
  isBlocked = false,
  children,
}: SubmitButtonProps<Values>) {
  const { isValid } = useFormState({ control })
  return (
    <Button type="submit" busy={busy} disabled={isBlocked || !isValid} block>
      {children}
    </Button>
  )
}
