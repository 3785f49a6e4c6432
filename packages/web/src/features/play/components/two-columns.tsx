import type { ReactNode } from 'react'
import styles from './two-columns.module.css'

/** What is done on the left, and what goes with it on the right; one below the other where there is no room. */
export function TwoColumns({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>{main}</div>
      <div className={styles['aside']}>{aside}</div>
    </div>
  )
}
