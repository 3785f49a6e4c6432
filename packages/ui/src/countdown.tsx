import type { ReactNode } from 'react'
import styles from './countdown.module.css'

/** Props of {@link Countdown}: the time left, already split, each part in two digits. */
interface CountdownProps {
  days: ReactNode
  hours: ReactNode
  mins: ReactNode
  secs: ReactNode
  /** A name for assistive technology: "Time until the draw". */
  label: string
}

/**
 * Four boxes: Days, Hours, Mins, Sec. The digits change without motion, and screen readers do not announce every
 * second: `role="timer"` is read on demand.
 */
export function Countdown({ days, hours, mins, secs, label }: CountdownProps) {
  return (
    <div className={styles['boxes']} role="timer" aria-label={label} aria-live="off">
      <Box value={days} unit="Days" />
      <Box value={hours} unit="Hours" />
      <Box value={mins} unit="Mins" />
      <Box value={secs} unit="Sec" />
    </div>
  )
}

function Box({ value, unit }: { value: ReactNode; unit: string }) {
  return (
    <span className={styles['box']}>
      <b className={styles['digits']}>{value}</b>
      <span className={styles['unit']}>{unit}</span>
    </span>
  )
}
