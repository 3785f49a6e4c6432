import type { ReactNode } from 'react'
import styles from './two-columns.module.css'

/** The main part on the left, its side panel on the right; one below the other on narrow screens. */
export function TwoColumns({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>{main}</div>
      <div className={styles['aside']}>{aside}</div>
    </div>
  )
}
