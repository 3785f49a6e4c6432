import { classNames } from './class-names.ts'
import styles from './spinner.module.css'

/**
 * A small turning ring; under reduced motion it pulses. It has no text: its surroundings have `aria-busy` or a status
 * text.
 */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles['spinner'], className)} aria-hidden="true" />
}

/** Three bouncing balls, for waits during which the whole page is empty. */
export function PageWait({ text = 'Loading' }: { text?: string }) {
  return (
    <div className={styles['page']} role="status">
      <span className={styles['dots']} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className={styles['text']}>{text}</span>
    </div>
  )
}
