import type { KeyboardEvent, ReactNode } from 'react'
import { TextField } from '@fairball/ui/field.tsx'
import { Anchor } from '@fairball/ui/link.tsx'
import { Pagination } from '@fairball/ui/pagination.tsx'
import { classNames } from '@fairball/ui/class-names.ts'
import { pageLinks } from '@fairball/domain/pagination'
import { isShortcutOn } from '../keyboard/preferences.ts'
import { goTo } from '../address.ts'
import { usePageNumber, usePlace } from '../navigation.tsx'
import { matches, sorted } from './order.ts'
import type { SortValue } from './order.ts'
import styles from './console-table.module.css'

/** One column. */
export interface Column<Row> {
  /** its name in the address */
  readonly key: string
  readonly heading: string
  readonly cell: (row: Row) => ReactNode
  /** what the rows are sorted by; a column without it is not sorted */
  readonly sort?: (row: Row) => SortValue
  /** amounts are on the right */
  readonly align?: 'end'
}

/** Props of {@link ConsoleTable}. */
interface ConsoleTableProps<Row> {
  /** A caption for assistive technology. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The page of a row: its first cell leads there. */
  hrefOf?: (row: Row) => string | null
  /** The text that a row is found by; a table with it has a field that filters. */
  textOf?: (row: Row) => string
  /** Number of pages, for a list that has more than one. */
  totalPages?: number
  /** In place of an empty table. */
  empty: ReactNode
  /** Tells the tables of one page apart in its address. */
  name?: string
}

/**
 * A dense table: sorted and filtered by the address, so both survive a link and the back button. Arrows move between
 * its rows. Where there is no room it becomes stacked rows; the roles are explicit because `display: grid` removes them.
 */
export function ConsoleTable<Row>(props: ConsoleTableProps<Row>) {
  const { caption, columns, rows, rowKey, hrefOf, textOf, totalPages = 1, empty, name = '' } = props
  const place = usePlace()
  const page = usePageNumber()
  const [sortName, filterName] = [name === '' ? 'sort' : `${name}_sort`, name === '' ? 'filter' : `${name}_filter`]
  const { [sortName]: sort = '', [filterName]: filter = '' } = place.query
  const found = textOf === undefined ? rows : rows.filter((row) => matches(textOf(row), filter))
  const column = columns.find(({ key }) => key === sort.replace(/^-/u, ''))
  const shown = column?.sort === undefined ? found : sorted(found, column.sort, sort.startsWith('-'))
  const isFiltered = textOf !== undefined && (rows.length > 5 || filter !== '')
  return (
    <div className={styles['place']}>
      {isFiltered && <Filter name={filterName} value={filter} />}
      {shown.length === 0 ? (
        <p className={styles['empty']}>{filter === '' ? empty : `Nothing here has “${filter}” in it.`}</p>
      ) : (
        <table className={styles['table']} role="table" onKeyDown={moveByArrow}>
          <caption className={styles['caption']}>{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((one) => (
                <Heading key={one.key} column={one} sort={sort} hrefOf={(next) => place.with({ [sortName]: next })} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {shown.map((row) => (
              <Cells key={rowKey(row)} row={row} columns={columns} href={hrefOf?.(row) ?? null} />
            ))}
          </tbody>
        </table>
      )}
      <Pagination
        page={page}
        totalPages={totalPages}
        items={pageLinks(page, totalPages)}
        hrefOf={(next) => place.with({ _page: String(next) })}
        label={`${caption}: pages`}
      />
    </div>
  )
}

function Cells<Row>({ row, columns, href }: { row: Row; columns: readonly Column<Row>[]; href: string | null }) {
  return (
    <tr role="row" data-opens={href !== null || undefined}>
      {columns.map(({ key, heading, cell, align }, index) => (
        <td key={key} role="cell" data-heading={heading} className={classNames(align && styles['end'])}>
          {index === 0 && href !== null ? (
            <Anchor href={href} className={styles['open']} data-row-link>
              {cell(row)}
            </Anchor>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

function Heading<Row>(props: { column: Column<Row>; sort: string; hrefOf: (sort: string) => string }) {
  const { column, sort, hrefOf } = props
  const isSorted = sort.replace(/^-/u, '') === column.key
  const isDown = sort.startsWith('-')
  const next = isSorted && !isDown ? `-${column.key}` : column.key
  return (
    <th
      scope="col"
      role="columnheader"
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
      className={classNames(column.align && styles['end'])}
    >
      {column.sort === undefined ? (
        column.heading
      ) : (
        <Anchor href={hrefOf(next)} className={styles['sort']}>
          {column.heading}
          <span aria-hidden="true">{isSorted ? (isDown ? ' ↓' : ' ↑') : ''}</span>
        </Anchor>
      )}
    </th>
  )
}

function Filter({ name, value }: { name: string; value: string }) {
  const place = usePlace()
  return (
    <TextField
      className={styles['filter']}
      label="Filter these rows"
      value={value}
      onChange={(filter) => goTo(place.with({ [name]: filter }), { replace: true })}
      spellCheck={false}
    />
  )
}

/** Up, Down, Home and End go from row to row; Enter is the link's own. */
function moveByArrow(event: KeyboardEvent<HTMLTableElement>) {
  if (!isShortcutOn('tables') || event.altKey || event.ctrlKey || event.metaKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const { target } = event
  const row = target instanceof Element ? target.closest('tr') : null
  const at = links.findIndex((link) => link.closest('tr') === row)
  const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }
  const next = links[steps[event.key] ?? -1]
  if (next === undefined || (target instanceof Element && target.matches('input, select, textarea'))) return
  event.preventDefault()
  next.focus()
}
