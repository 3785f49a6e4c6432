import { useId } from 'react'
import type { FocusEvent, ReactNode, Ref } from 'react'
import { FieldError } from './field.tsx'
import { classNames } from './class-names.ts'
import styles from './checkbox.module.css'

/** Props of {@link Checkbox} and {@link Toggle}. */
interface CheckboxProps {
  label: ReactNode
  /** A sentence under the label. */
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  onBlur?: ((event: FocusEvent) => void) | undefined
  name?: string | undefined
  disabled?: boolean
  error?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** A box to tick, controlled by its owner. In a form use `CheckboxInput`. */
export function Checkbox(props: CheckboxProps) {
  return <Tick {...props} look="box" />
}

/** A switch, controlled by its owner. In a form use `ToggleInput`. */
export function Toggle(props: CheckboxProps) {
  return <Tick {...props} look="switch" />
}

function Tick({
  label,
  hint,
  checked,
  onChange,
  onBlur,
  name,
  disabled,
  error,
  ref,
  look,
}: CheckboxProps & { look: 'box' | 'switch' }) {
  const id = useId()
  const described = classNames(error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`)
  return (
    <div className={styles['row']}>
      <label className={styles['label']}>
        <input
          ref={ref}
          type="checkbox"
          role={look === 'switch' ? 'switch' : undefined}
          name={name}
          className={look === 'switch' ? styles['switch'] : styles['box']}
          checked={checked}
          disabled={disabled}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={described || undefined}
          onChange={(event) => onChange(event.target.checked)}
          onBlur={onBlur}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
