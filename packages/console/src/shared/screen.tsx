import { useEffect } from 'react'
import type { ReactNode } from 'react'
import styles from './screen.module.css'

/** Props of {@link Screen}. */
interface ScreenProps {
  title: string
  /** A sentence under the title. */
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the console: its title, which the window has too, and its content. */
export function Screen({ title, lead, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} – Operator console`
  }, [title])
  return (
    <div className={styles['screen']}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <h1 className={styles['title']}>{title}</h1>
          {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page under a heading of its own. */
export function Part({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles['part']}>
      <div className={styles['partHead']}>
        <h2 className={styles['partTitle']}>{title}</h2>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}

/** Two columns of parts, one where there is no room. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles['columns']}>{children}</div>
}

/** A sentence in place of an empty list. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className={styles['nothing']}>{children}</p>
}
