import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './data-table.module.css'

/** One column: its heading and its cell for a row. */
export interface Column<Row> {
  heading: string
  cell: (row: Row) => ReactNode
  /** Amounts are aligned on the right. */
  align?: 'end'
}

/** Props of {@link DataTable}. */
interface DataTableProps<Row> {
  /** A caption for assistive technology. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
}

/**
 * A table that becomes stacked rows, each value with its heading, if it has no more room than in a window under 641 px.
 * The roles are explicit because `display: grid` removes them.
 */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className={styles['place']}>
      <table className={styles['table']} role="table">
        <caption className={styles['caption']}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.heading}
                scope="col"
                role="columnheader"
                className={classNames(column.align && styles['end'])}
              >
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <td
                  key={column.heading}
                  role="cell"
                  data-heading={column.heading}
                  className={classNames(column.align && styles['end'])}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
