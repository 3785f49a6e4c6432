import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './progress-bar.module.css'

/** Props of {@link ProgressBar}. */
interface ProgressBarProps {
  /** The progress, between 0 and `max`. */
  value: number
  max: number
  /** A name for assistive technology. */
  label: string
  /** The value in words if the numbers alone are not enough: "4 of 6". */
  valueText?: string
  world?: string | undefined
  /** A count, such as of refused presses: a change makes the bar flash twice. 0 is no flash. */
  flash?: number
}

/** A bar 10 px high in the game's colour. */
export function ProgressBar({ value, max, label, valueText, world, flash = 0 }: ProgressBarProps) {
  const fill = useRef<HTMLSpanElement>(null)
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  // Set through the CSSOM: a style attribute in server-rendered HTML would need 'unsafe-inline' in the content security policy.
  useEffect(() => {
    fill.current?.style.setProperty('--share', String(share))
    // The key below makes a new element for each flash, whose share has to be set again.
  }, [share, flash])

  return (
    <div
      // A new key starts the animation again.
      key={flash}
      className={classNames(styles['bar'], flash > 0 && styles['flash'])}
      data-game={world}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={valueText}
    >
      <span ref={fill} className={styles['fill']} />
    </div>
  )
}
