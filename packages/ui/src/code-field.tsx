import { Field } from './field.tsx'
import type { FieldLook, TextControl } from './field.tsx'
import { classNames } from './class-names.ts'
import styles from './code-field.module.css'

/** Digits of a two-factor code. */
const CODE_LENGTH = 6

/**
 * A six-digit code, controlled by its owner: one input drawn as six slots, so that it is a plain field for pasting,
 * autofill and screen readers. In a form use `CodeInput`. Characters other than digits are dropped while typing.
 */
export function CodeField({
  name,
  value,
  onChange,
  onBlur,
  ref,
  autoFocus,
  ...look
}: FieldLook & TextControl & { autoFocus?: boolean }) {
  return (
    <Field {...look}>
      {(control) => (
        <span className={styles['box']}>
          <input
            {...control}
            ref={ref}
            name={name}
            className={styles['input']}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            maxLength={CODE_LENGTH}
            autoFocus={autoFocus}
            value={value}
            onChange={(event) => onChange(event.target.value.replaceAll(/\D/gu, '').slice(0, CODE_LENGTH))}
            onBlur={onBlur}
          />
          <span className={styles['slots']} aria-hidden="true">
            {Array.from({ length: CODE_LENGTH }, (_, slot) => (
              <span
                key={slot}
                className={classNames(
                  styles['slot'],
                  slot === Math.min(value.length, CODE_LENGTH - 1) && styles['next'],
                  look.error !== undefined && styles['wrong'],
                )}
              >
                {value[slot]}
              </span>
            ))}
          </span>
        </span>
      )}
    </Field>
  )
}
