import { useId } from 'react'
import type { ChangeEvent, FocusEvent, HTMLInputTypeAttribute, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { AlertIcon } from './basic-icons.tsx'
import styles from './field.module.css'
import unseen from './visually-hidden.module.css'

/** The common props of fields: a label above, a hint, an error below. */
export interface FieldLook {
  label: string
  /** A sentence under the control, always visible. */
  hint?: ReactNode
  /** The error and the remedy; shown in the danger colour with an icon and tied to the control. */
  error?: string | undefined
  /** Content beside the label, such as a link. */
  aside?: ReactNode
  /** The label is only for assistive technology. */
  hideLabel?: boolean
  className?: string | undefined
}

/** The attributes that tie a control to its label, hint and error. */
interface ControlAttributes {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Label, control, hint and error of one field. The control gets the attributes that tie them together. */
export function Field({
  label,
  hint,
  error,
  aside,
  hideLabel = false,
  className,
  children,
}: FieldLook & { children: (control: ControlAttributes) => ReactNode }) {
  const id = useId()
  const described = classNames(error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`)
  return (
    <div className={classNames(styles['field'], className)}>
      <div className={classNames(styles['labels'], hideLabel && unseen['hidden'])}>
        <label htmlFor={id} className={styles['label']}>
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described || undefined,
      })}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint !== undefined && (
        <div id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </div>
      )}
    </div>
  )
}

/** The error text of a field or a group. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className={styles['error']}>
      <AlertIcon size={18} />
      <span>{children}</span>
    </p>
  )
}

/** The props of a text control from a form or its owner. */
export interface TextControl {
  name?: string | undefined
  value: string
  onChange: (value: string) => void
  onBlur?: ((event: FocusEvent) => void) | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** Native attributes that a text field passes on. */
export interface TextAttributes {
  type?: HTMLInputTypeAttribute
  autoComplete?: string
  inputMode?: 'text' | 'email' | 'numeric' | 'decimal' | 'search'
  maxLength?: number
  placeholder?: string
  readOnly?: boolean
  disabled?: boolean
  required?: boolean
  spellCheck?: boolean
  autoCapitalize?: 'none'
  autoFocus?: boolean
  /** Uses the monospace face, for addresses and ids. */
  mono?: boolean
}

/** A line of text, controlled by its owner. In a form use `TextInput`. */
export function TextField({
  label,
  hint,
  error,
  aside,
  hideLabel,
  className,
  value,
  onChange,
  onBlur,
  name,
  ref,
  mono = false,
  end,
  ...attributes
}: FieldLook &
  TextControl &
  TextAttributes & { /** Content at the end inside the control, such as a button. */ end?: ReactNode }) {
  return (
    <Field {...look({ label, hint, error, aside, hideLabel, className })}>
      {(control) => (
        <span className={styles['box']}>
          <input
            {...attributes}
            {...control}
            ref={ref}
            name={name}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
            className={classNames(styles['control'], mono && styles['mono'], end !== undefined && styles['withEnd'])}
          />
          {end !== undefined && <span className={styles['end']}>{end}</span>}
        </span>
      )}
    </Field>
  )
}

/** A text of several lines, controlled by its owner. In a form use `TextAreaInput`. */
export function TextAreaField({
  label,
  hint,
  error,
  aside,
  hideLabel,
  className,
  value,
  onChange,
  onBlur,
  name,
  ref,
  rows = 6,
  maxLength,
}: FieldLook &
  Omit<TextControl, 'ref'> & { ref?: Ref<HTMLTextAreaElement> | undefined; rows?: number; maxLength?: number }) {
  return (
    <Field {...look({ label, hint, error, aside, hideLabel, className })}>
      {(control) => (
        <textarea
          {...control}
          ref={ref}
          name={name}
          rows={rows}
          maxLength={maxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          className={classNames(styles['control'], styles['area'])}
        />
      )}
    </Field>
  )
}

/** A choice of a select. */
export interface SelectOption {
  value: string | number
  label: string
  disabled?: boolean
}

/** A native select, controlled by its owner. In a form use `SelectInput`. */
export function SelectField<Value extends string | number>({
  label,
  hint,
  error,
  aside,
  hideLabel,
  className,
  name,
  value,
  onChange,
  onBlur,
  ref,
  options,
  placeholder,
  disabled,
}: FieldLook & {
  name?: string | undefined
  value: Value
  onChange: (value: Value) => void
  onBlur?: ((event: FocusEvent) => void) | undefined
  ref?: Ref<HTMLSelectElement> | undefined
  options: readonly SelectOption[]
  /** The first entry, shown while nothing is chosen; its value is `''` or 0. */
  placeholder?: string
  disabled?: boolean
}) {
  const choose = (event: ChangeEvent<HTMLSelectElement>) => {
    const text = event.target.value
    // The element has only text; a numeric value is converted back to a number. The type is that of the value.
    onChange((typeof value === 'number' ? Number(text) : text) as Value)
  }
  return (
    <Field {...look({ label, hint, error, aside, hideLabel, className })}>
      {(control) => (
        <span className={classNames(styles['box'], styles['select'])}>
          <select
            {...control}
            ref={ref}
            name={name}
            value={value}
            onChange={choose}
            onBlur={onBlur}
            disabled={disabled}
            className={styles['control']}
          >
            {placeholder !== undefined && <option value={typeof value === 'number' ? 0 : ''}>{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
        </span>
      )}
    </Field>
  )
}

/** A settings value that is not being edited: a row of text. */
export function ReadOnlyField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['readonly']}>
      <span className={styles['readonlyLabel']}>{label}</span>
      <span className={styles['readonlyValue']}>{children}</span>
    </div>
  )
}

// `exactOptionalPropertyTypes` tells an absent property from an undefined one; a destructured prop is undefined.
function look(given: { [Key in keyof FieldLook]: FieldLook[Key] | undefined } & { label: string }): FieldLook {
  const { label, hint, error, aside, hideLabel, className } = given
  return {
    label,
    error,
    className,
    ...(hint !== undefined && { hint }),
    ...(aside !== undefined && { aside }),
    ...(hideLabel !== undefined && { hideLabel }),
  }
}
