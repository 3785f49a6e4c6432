import type { ReactNode } from 'react'
import { useSite } from './site.ts'
import styles from './entrance.module.css'

/** A page for somebody who is not signed in: one panel below the ink bar. */
export function Entrance({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  const { name, is_demo } = useSite()
  return (
    <>
      <header className={styles['bar']}>
        <strong>Operator console</strong>
        <span>{name}</span>
        {is_demo && <span className={styles['test']}>Test mode</span>}
      </header>
      <main className={styles['main']}>
        <div className={styles['panel']}>
          <h1 className={styles['title']}>{title}</h1>
          <p className={styles['lead']}>{lead}</p>
          {children}
        </div>
      </main>
    </>
  )
}
