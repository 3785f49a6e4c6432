/** Pages of lists: `_page` counts from 1, ten rows a page (decisions, section 2). */
import * as z from 'zod/mini'

/** Number of rows of a page. */
export const PAGE_SIZE = 10
/** Maximum page: no list is longer. */
const FARTHEST_PAGE = 100_000_000

const PAGE_MESSAGE = 'Must be a positive whole number.'

/** `_page` of a query, a text; parsed to a positive whole number. */
const page = z.pipe(
  z.string(PAGE_MESSAGE).check(z.regex(/^[1-9][0-9]*$/, PAGE_MESSAGE)),
  z.transform((text) => Math.min(Number(text), FARTHEST_PAGE)),
)

/** The query of a paged list; the first page by default. */
export const pagedQuery = z.object({ _page: z._default(page, 1) })
