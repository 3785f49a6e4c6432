import { useWatch } from 'react-hook-form'
import type { Control, FieldValues } from 'react-hook-form'
import type { FormRules } from './form-rules.ts'
import styles from './form.module.css'

/** What a form still needs before it can be sent, in words; empty once nothing is missing. */
export function useStillNeeded<Values extends FieldValues>(control: Control<Values>, rules: FormRules<Values>): string {
  // Every field has a default value, so the whole of them is there. Not `compute`: that would keep the rules of the first render.
  const values = useWatch({ control }) as Values
  return rules.missing(values).join(', ')
}

/** Why a disabled button does not work yet: the names of what is missing. The button's description, by its id. */
export function StillNeeded({ id, names }: { id: string; names: string }) {
  if (names === '') return null
  return (
    <p id={id} className={styles['note']}>
      Still needed: {names}.
    </p>
  )
}
