import { useWatch } from 'react-hook-form'
import type { Control, FieldValues } from 'react-hook-form'
import type { FormRules } from './form-rules.ts'
import styles from './form.module.css'

/** The names of the values that a form still needs, as text; empty once nothing is missing. */
export function useStillNeeded<Values extends FieldValues>(control: Control<Values>, rules: FormRules<Values>): string {
  // Every field has a default value, so all values are present. Not `compute`, which would keep the rules of the first
  // render.
  const values = useWatch({ control }) as Values
  return rules.missing(values).join(', ')
}

/** The reason why a button is disabled: the names of the missing values. It describes the button by its id. */
export function StillNeeded({ id, names }: { id: string; names: string }) {
  if (names === '') return null
  return (
    <p id={id} className={styles['note']}>
      Still needed: {names}.
    </p>
  )
}
