import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

/** Text for assistive technology only. */
export function VisuallyHidden({ children, live = false }: { children: ReactNode; live?: boolean }) {
  return (
    <span className={styles['hidden']} {...(live && { 'aria-live': 'polite', 'aria-atomic': true })}>
      {children}
    </span>
  )
}
