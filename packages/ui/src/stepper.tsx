import { useState } from 'react'
import { MinusIcon, PlusIcon } from './icons.tsx'
import styles from './stepper.module.css'

/** Digits that can be typed: no count has as many. */
const MOST_DIGITS = 6

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
 * A count with – and +, which can also be typed: it counts once Enter is pressed or the field is left. It goes no lower
 * than `min` and no higher than `max`; a button at its limit keeps the focus, so it is marked, not disabled.
 */
export function Stepper({ label, value, min = 0, max, onChange }: StepperProps) {
  // What is being typed; null when the field shows the value.
  const [typed, setTyped] = useState<string | null>(null)
  const finish = () => {
    const wanted = typed === null || typed === '' ? value : Math.min(max, Math.max(min, Number(typed)))
    setTyped(null)
    if (wanted !== value) onChange(wanted)
  }
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
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        className={styles['value']}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value.replace(/\D/gu, '').slice(0, MOST_DIGITS))}
        onFocus={(event) => event.target.select()}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
      />
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
