import { useFormState, useWatch } from 'react-hook-form'
import type { Control, FieldValues } from 'react-hook-form'
import type { FormRules } from './form-rules.ts'
import styles from './form.module.css'
import unseen from './visually-hidden.module.css'

/** The names of the values that a form still needs, as text; empty once nothing is missing. */
export function useStillNeeded<Values extends FieldValues>(control: Control<Values>, rules: FormRules<Values>): string {
  // Every field has a default value, so all values are present. Not `compute`, which would keep the rules of the first
  // render.
  const values = useWatch({ control }) as Values
  return rules.missing(values).join(', ')
}

/** @returns whether a field of the form was left: before, nobody needs to read what is missing */
export function useIsTouched<Values extends FieldValues>(control: Control<Values>): boolean {
  return Object.keys(useFormState({ control }).touchedFields).length > 0
}

/**
 * The reason why a button is disabled: the names of the missing values. It stands above the button and describes it by
 * its id, also while it is not shown.
 */
export function StillNeeded({ id, names, isShown = true }: { id: string; names: string; isShown?: boolean }) {
  if (names === '') return null
  return (
    <p id={id} className={isShown ? styles['note'] : unseen['hidden']}>
      Still needed: {names}.
    </p>
  )
}
