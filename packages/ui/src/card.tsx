import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './card.module.css'

/** Props of {@link Card}. */
interface CardProps {
  title?: ReactNode
  /** A sentence under the title. */
  lead?: ReactNode
  /** Small buttons or a link beside the title. */
  actions?: ReactNode
  /** Heading level of the title. Default 2. */
  level?: 2 | 3
  /** Id of the section, for links that lead to it. */
  id?: string
  children?: ReactNode
  className?: string | undefined
}

/** A panel on the page. Panels are not nested. */
export function Card({ title, lead, actions, level = 2, id, children, className }: CardProps) {
  const Heading = `h${level}` as const
  return (
    <section id={id} className={classNames(styles['card'], className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles['head']}>
          <div className={styles['words']}>
            {title !== undefined && <Heading className={styles['title']}>{title}</Heading>}
            {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
          </div>
          {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
