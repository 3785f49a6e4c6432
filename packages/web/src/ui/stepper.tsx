import { MinusIcon, PlusIcon } from './icons.tsx'
import styles from './stepper.module.css'

/** Props of {@link Stepper}. */
interface StepperProps {
  /** A name for assistive technology: "Lucky dip lines". */
  label: string
  value: number
  /** Minimum. Default 0. */
  min?: number
  max: number
  onChange: (value: number) => void
}

/**
 * A small count with – and +. It goes no lower than `min` and no higher than `max`; a button at its limit keeps the
 * focus, so it is marked, not disabled.
 */
export function Stepper({ label, value, min = 0, max, onChange }: StepperProps) {
  return (
    <div role="group" aria-label={label} className={styles['stepper']}>
      <button
        type="button"
        className={styles['button']}
        aria-label={`Fewer: ${label}`}
        aria-disabled={value <= min}
        onClick={() => value > min && onChange(value - 1)}
      >
        <MinusIcon size={18} />
      </button>
      <output className={styles['value']}>{value}</output>
      <button
        type="button"
        className={styles['button']}
        aria-label={`More: ${label}`}
        aria-disabled={value >= max}
        onClick={() => value < max && onChange(value + 1)}
      >
        <PlusIcon size={18} />
      </button>
    </div>
  )
}
