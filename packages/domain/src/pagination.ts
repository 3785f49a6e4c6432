import { assert } from './assert.ts'

/** Rows on one page of every paged list (decisions section 2). */
const ROWS_PER_PAGE = 10
/** Number of pages up to which all are shown (spec section 9). */
const ALL_SHOWN = 6
const POSITIVE_INTEGER = /^[1-9][0-9]*$/

/** One of the page links: a page, or the gap between two. */
type PageLink = number | 'ellipsis'

/**
 * The page links of a list (spec section 2): all pages when there are 6 or fewer; otherwise the first, the last, the
 * current one with its neighbours, and an ellipsis for every gap.
 *
 * @param page the current page, from 1; past the end it counts as the last
 * @param totalPages from 0
 */
export function pageLinks(page: number, totalPages: number): PageLink[] {
  const pages = Array.from({ length: totalPages }, (_, place) => place + 1)
  if (totalPages <= ALL_SHOWN) return pages
  const present = Math.max(1, Math.min(page, totalPages))
  const shown = pages.filter((link) => link === 1 || link === totalPages || Math.abs(link - present) <= 1)
  return shown.flatMap((link, place) => (link - (shown[place - 1] ?? 0) > 1 ? ['ellipsis', link] : [link]))
}

/**
 * Reads a page parameter: a positive integer without sign or leading zero; absent means 1. Null for anything else,
 * which redirects to /page-not-found (spec section 2).
 */
export function parsePage(text: string | undefined | null): number | null {
  if (text === undefined || text === null) return 1
  const page = POSITIVE_INTEGER.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(page) ? page : null
}

/** Number of pages that rows fill; 0 for none (decisions section 2). */
export function pageCount(rows: number): number {
  assert(Number.isSafeInteger(rows) && rows >= 0, `not a number of rows: ${rows}`)
  return Math.ceil(rows / ROWS_PER_PAGE)
}
