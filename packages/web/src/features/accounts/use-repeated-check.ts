import { useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form'

/**
 * Checks a repeated value again when the one it repeats changes, once it was filled in: its message would be about the value from before.
 *
 * @param form the parts of the form that this needs
 * @param names the value, and the field that repeats it
 */
export function useRepeatedCheck<Values extends FieldValues>(
  { control, trigger, getFieldState }: Pick<UseFormReturn<Values>, 'control' | 'trigger' | 'getFieldState'>,
  { of, repeated }: { of: FieldPath<Values>; repeated: FieldPath<Values> },
): void {
  const value: PathValue<Values, FieldPath<Values>> = useWatch({ control, name: of })
  useEffect(() => {
    if (getFieldState(repeated).isTouched) void trigger(repeated)
  }, [value, getFieldState, trigger, repeated])
}
