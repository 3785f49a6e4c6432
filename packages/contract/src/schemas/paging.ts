/** Pages of lists: `_page` counts from 1, ten rows a page (decisions, section 2). */
import * as z from 'zod/mini'

/** How many rows a page has. */
export const PAGE_SIZE = 10
/** No list is longer: pages from this one on are empty. */
const FARTHEST_PAGE = 100_000_000

const PAGE_MESSAGE = 'Must be a positive whole number.'

/** `_page` as the query carries it, a text; comes out as a positive whole number. */
const page = z.pipe(
  z.string(PAGE_MESSAGE).check(z.regex(/^[1-9][0-9]*$/, PAGE_MESSAGE)),
  z.transform((text) => Math.min(Number(text), FARTHEST_PAGE)),
)

/** The query of a paged list; the first page when it names none. */
export const pagedQuery = z.object({ _page: z._default(page, 1) })
