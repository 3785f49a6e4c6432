/** Pages of lists: `_page` counts from 1, ten rows a page (decisions, section 2). */
import * as z from 'zod/mini'

/** How many rows a page has. */
export const PAGE_SIZE = 10
/** The last page that can be asked for. */
export const PAGE_MAX = 1_000_000

const PAGE_MESSAGE = `Must be a positive whole number, at most ${PAGE_MAX}.`

/** `_page` as the query carries it, a text; comes out as a positive whole number. */
const page = z.pipe(
  z.string(PAGE_MESSAGE).check(z.regex(/^(?:[1-9][0-9]{0,5}|1000000)$/, PAGE_MESSAGE)),
  z.transform(Number),
)

/** The query of a paged list; the first page when it names none. */
export const pagedQuery = z.object({ _page: z._default(page, 1) })
