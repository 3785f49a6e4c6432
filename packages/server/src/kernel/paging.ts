import { PAGE_SIZE } from '@fairball/contract/schemas/paging'

/** The rows of a page in a query: `limit` and `offset`. Pages count from 1. */
export function pageRange(page: number): { limit: number; offset: number } {
  return { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
}

/** How many pages `rows` rows fill; 0 for an empty list. */
export function totalPages(rows: number): number {
  return Math.ceil(rows / PAGE_SIZE)
}
