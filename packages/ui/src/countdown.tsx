import type { ReactNode } from 'react'
import styles from './countdown.module.css'

const UNITS = [
  ['days', 'Days'],
  ['hours', 'Hours'],
  ['mins', 'Mins'],
  ['secs', 'Sec'],
] as const

/** A part of the time that is left. */
export type CountdownPart = (typeof UNITS)[number][0]

/** Props of {@link Countdown}. */
interface CountdownProps {
  /** Makes a part in two digits. */
  part: (name: CountdownPart) => ReactNode
  /** A name for assistive technology: "Time until the draw". */
  label: string
}

/**
 * Four boxes: Days, Hours, Mins, Sec. The digits change without motion, and screen readers do not announce every
 * second: `role="timer"` is read on demand.
 */
export function Countdown({ part, label }: CountdownProps) {
  return (
    <div className={styles['boxes']} role="timer" aria-label={label} aria-live="off">
      {UNITS.map(([name, unit]) => (
        <span key={name} className={styles['box']}>
          <b className={styles['digits']}>{part(name)}</b>
          <span className={styles['unit']}>{unit}</span>
        </span>
      ))}
    </div>
  )
}
