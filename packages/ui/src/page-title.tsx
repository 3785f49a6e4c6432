import type { ReactNode } from 'react'
import styles from './page-title.module.css'

/** The page's one `h1`, with an optional lead under it and content beside it. */
export function PageTitle({ children, lead, aside }: { children: ReactNode; lead?: ReactNode; aside?: ReactNode }) {
  return (
    <header className={styles['head']}>
      <div className={styles['words']}>
        <h1>{children}</h1>
        {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
      </div>
      {aside}
    </header>
  )
}

/** A section's `h2`, with a link or buttons on its right. */
export function SectionTitle({ children, aside, id }: { children: ReactNode; aside?: ReactNode; id?: string }) {
  return (
    <header className={styles['section']}>
      <h2 id={id}>{children}</h2>
      {aside}
    </header>
  )
}
