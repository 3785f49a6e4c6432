import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect } from 'react'
import { useController, useForm } from 'react-hook-form'
import type { Control, DefaultValues, FieldPath, FieldValues, Resolver, UseFormReturn } from 'react-hook-form'
import type { ComponentProps, ReactNode } from 'react'
import { Checkbox, Toggle } from './checkbox.tsx'
import { CodeField } from './code-field.tsx'
import { SelectField, TextAreaField, TextField } from './field.tsx'
import { PasswordField } from './password-field.tsx'
import { classNames } from './class-names.ts'
import styles from './form.module.css'

/** The schema of a form: anything of the Standard Schema kind, such as a zod schema. */
type FormSchema = Parameters<typeof standardSchemaResolver>[0]

/** The type of the server's errors at fields: no rule of the form removes them, only another value of the field. */
export const SERVER_SAID = 'server'

/**
 * A form that checks its values with a schema: when a field is left, and from then on as it is typed. A field that was
 * left is checked again when another one changes, because its error may depend on that one.
 *
 * The React Compiler does not render components again for equal props, and the form object stays the same while its
 * state changes. So never pass the whole form to a child that reads `formState`: pass `control` and read with
 * `useFormState`, `useWatch` or the inputs of this file.
 */
export function useSchemaForm<Values extends FieldValues>(
  schema: FormSchema,
  defaultValues: DefaultValues<Values>,
): UseFormReturn<Values> {
  // The resolver's own type follows the schema's output; the values' type is declared by the caller for the same
  // schema.
  const resolver = standardSchemaResolver(schema) as unknown as Resolver<Values>
  const form = useForm<Values>({ resolver, defaultValues, mode: 'onTouched' })
  const { subscribe, getFieldState, trigger } = form
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ name: changed, values }) => {
          // The keys of an object are text; these are the form's own.
          const names = Object.keys(values) as FieldPath<Values>[]
          const isStale = (name: FieldPath<Values>) => {
            const { isTouched, error } = getFieldState(name)
            return name !== changed && isTouched && error?.type !== SERVER_SAID
          }
          const stale = names.filter(isStale)
          if (stale.length > 0) void trigger(stale)
        },
      }),
    [subscribe, getFieldState, trigger],
  )
  return form
}

/**
 * A form with its fields below each other. The browser's own validation bubbles are off; the fields show their errors.
 */
export function Form({ className, ...form }: ComponentProps<'form'>) {
  return <form noValidate {...form} className={classNames(styles['form'], className)} />
}

/** The buttons at the end of a form. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}

/** Ties an input to a form: its control and the name of the value. */
interface Bound<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
}

// Props that the form manages (value, change, blur, error) are left out of the inputs' props.
type Free<Component extends (props: never) => ReactNode> = Omit<
  Parameters<Component>[0],
  'value' | 'checked' | 'onChange' | 'onBlur' | 'name' | 'ref' | 'error'
>

/** A line of text in a form. */
export function TextInput<Values extends FieldValues>({
  control,
  name,
  ...input
}: Bound<Values> & Free<typeof TextField>) {
  const { field, fieldState } = useController({ control, name })
  return <TextField {...input} {...field} error={fieldState.error?.message} />
}

/** A text of several lines in a form. */
export function TextAreaInput<Values extends FieldValues>({
  control,
  name,
  ...input
}: Bound<Values> & Free<typeof TextAreaField>) {
  const { field, fieldState } = useController({ control, name })
  return <TextAreaField {...input} {...field} error={fieldState.error?.message} />
}

/** A password in a form, with an eye that shows it for 5 seconds. */
export function PasswordInput<Values extends FieldValues>({
  control,
  name,
  ...input
}: Bound<Values> & Free<typeof PasswordField>) {
  const { field, fieldState } = useController({ control, name })
  return <PasswordField {...input} {...field} error={fieldState.error?.message} />
}

/** A choice from a list in a form; the value is text or a number, as its default value is. */
export function SelectInput<Values extends FieldValues>({
  control,
  name,
  ...input
}: Bound<Values> & Free<typeof SelectField<string | number>>) {
  const { field, fieldState } = useController({ control, name })
  return <SelectField {...input} {...field} error={fieldState.error?.message} />
}

/** A six-digit code in a form; the value is text. */
export function CodeInput<Values extends FieldValues>({
  control,
  name,
  ...input
}: Bound<Values> & Free<typeof CodeField>) {
  const { field, fieldState } = useController({ control, name })
  return <CodeField {...input} {...field} error={fieldState.error?.message} />
}

/** A box to tick in a form. */
export function CheckboxInput<Values extends FieldValues>({
  control,
  name,
  ...input
}: Bound<Values> & Free<typeof Checkbox>) {
  const { field, fieldState } = useController({ control, name })
  return <Checkbox {...input} {...bound(field)} error={fieldState.error?.message} />
}

/** A switch in a form. */
export function ToggleInput<Values extends FieldValues>({
  control,
  name,
  ...input
}: Bound<Values> & Free<typeof Toggle>) {
  const { field, fieldState } = useController({ control, name })
  return <Toggle {...input} {...bound(field)} error={fieldState.error?.message} />
}

function bound<Field extends { value: unknown }>({ value, ...field }: Field) {
  return { ...field, checked: value === true }
}
