import { notFound } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import type { Api } from './api.ts'

/** What a screen's `load` has at hand. */
export interface LoadContext {
  api: Api
  queryClient: QueryClient
}

/**
 * Fills the query cache with what the first view of a screen needs, on the server and before a page changes. A failed load is no failure of
 * the page: the screen asks again and shows what is wrong. Only `pageNotFound()` ends in the 404 page.
 */
export type ScreenLoader<Props = object> = (context: LoadContext, props: Props) => Promise<void>

/** The parts of an address that vary, by the names the routes give them. */
export type PageParams = Readonly<Record<string, string | undefined>>

/** @returns what to throw inside a `load` when the address names something that does not exist; the server answers 404 */
export function pageNotFound() {
  return notFound()
}
