import { classNames } from './class-names.ts'
import styles from './spinner.module.css'

/** A small turning ring; under reduced motion it pulses. It says nothing itself: its surroundings carry `aria-busy` or a status text. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles['spinner'], className)} aria-hidden="true" />
}

/** Three bouncing balls, for waits that leave the whole page empty. */
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
