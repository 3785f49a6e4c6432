import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './definition-list.module.css'

/** One term and its value. */
export interface Definition {
  term: string
  value: ReactNode
}

/** Terms on the left, values on the right, numbers aligned. `ruled` puts a line between the rows. */
export function DefinitionList({ items, ruled = false }: { items: readonly Definition[]; ruled?: boolean }) {
  return (
    <dl className={classNames(styles['list'], ruled && styles['ruled'])}>
      {items.map((item) => (
        <div key={item.term} className={styles['row']}>
          <dt>{item.term}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  )
}
