import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'
import { Anchor } from './link.tsx'
import styles from './pagination.module.css'

/** Props of {@link Pagination}. */
interface PaginationProps {
  /** The current page, from 1. */
  page: number
  /** Number of pages. */
  totalPages: number
  /** The items in order: page numbers, and an ellipsis for omitted pages. */
  items: readonly (number | 'ellipsis')[]
  /** The address of a page. */
  hrefOf: (page: number) => string
  /** The name of the list for assistive technology: "Draw history pages". */
  label: string
}

/** Links to the pages of a list. Nothing is rendered for a single page. */
export function Pagination({ page, totalPages, items, hrefOf, label }: PaginationProps) {
  if (totalPages <= 1) return null
  return (
    <nav aria-label={label} className={styles['nav']}>
      <ul className={styles['list']}>
        {page > 1 && (
          <li>
            <Anchor className={styles['item']} href={hrefOf(page - 1)} rel="prev" aria-label="Previous page">
              <ChevronLeftIcon size={20} />
            </Anchor>
          </li>
        )}
        {items.map((item, index) =>
          item === 'ellipsis' ? (
            <li key={`before-${items[index + 1]}`} className={styles['gap']} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={item}>
              <Anchor
                className={styles['item']}
                href={hrefOf(item)}
                aria-label={`Page ${item}`}
                aria-current={item === page ? 'page' : undefined}
              >
                {item}
              </Anchor>
            </li>
          ),
        )}
        {page < totalPages && (
          <li>
            <Anchor className={styles['item']} href={hrefOf(page + 1)} rel="next" aria-label="Next page">
              <ChevronRightIcon size={20} />
            </Anchor>
          </li>
        )}
      </ul>
    </nav>
  )
}
