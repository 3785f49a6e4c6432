import type { ReactNode } from 'react'
import { DefinitionList } from './definition-list.tsx'
import type { Definition } from './definition-list.tsx'
import { classNames } from './class-names.ts'
import styles from './receipt.module.css'

/** Props of {@link Receipt}. */
interface ReceiptProps {
  title: string
  /** Every factor of the sum, in the order of the calculation. */
  items: readonly Definition[]
  totalLabel?: string
  /** The sum, with its currency. */
  total: string
  /** A second, smaller sum, such as the amount in bitcoin. */
  totalNote?: ReactNode
  /** The one primary button. */
  action?: ReactNode
  /** One plain sentence about the next step. */
  note?: ReactNode
  /** Heading level of the title. Default 2. */
  level?: 2 | 3
  className?: string | undefined
}

/** An order's summary in the shape of a ticket: the factors, a tear line, the total in display type, one button, one sentence. */
export function Receipt({
  title,
  items,
  totalLabel = 'Total',
  total,
  totalNote,
  action,
  note,
  level = 2,
  className,
}: ReceiptProps) {
  const Heading = `h${level}` as const
  return (
    <section className={classNames(styles['receipt'], className)}>
      <div className={styles['factors']}>
        <Heading className={styles['title']}>{title}</Heading>
        <DefinitionList items={items} />
      </div>
      <div className={styles['sum']}>
        <p className={styles['total']}>
          <span>{totalLabel}</span>
          <output className={styles['amount']}>{total}</output>
        </p>
        {totalNote !== undefined && <p className={styles['second']}>{totalNote}</p>}
        {action}
        {note !== undefined && <p className={styles['note']}>{note}</p>}
      </div>
    </section>
  )
}
