import { notFound } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import type { Api } from './api.ts'

/** Arguments of a screen's `load`. */
export interface LoadContext {
  api: Api
  queryClient: QueryClient
}

/**
 * Fills the query cache for the first view of a screen, on the server and before a page changes. A failed load does not
 * fail the page: the screen fetches again and shows the error. Only `pageNotFound()` ends in the 404 page.
 */
export type ScreenLoader<Props = object> = (context: LoadContext, props: Props) => Promise<void>

/** The parts of an address that vary, by the names the routes give them. */
export type PageParams = Readonly<Record<string, string | undefined>>

/**
 * @returns the value to throw inside a `load` when the address names something that does not exist; the server answers
 * 404
 */
export function pageNotFound() {
  return notFound()
}
