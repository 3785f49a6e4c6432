import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './data-table.module.css'

/** One column: its heading and what it shows of a row. */
export interface Column<Row> {
  heading: string
  cell: (row: Row) => ReactNode
  /** Amounts stand on the right and line up. */
  align?: 'end'
}

/** Props of {@link DataTable}. */
interface DataTableProps<Row> {
  /** What the table holds, for assistive technology. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
}

/** A table that becomes stacked rows where it has no more room than a window under 641 px, each value with its heading. The roles are spelled out because `display: grid` takes them away. */
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
