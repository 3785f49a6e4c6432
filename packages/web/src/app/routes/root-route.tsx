import { createRootRouteWithContext } from '@tanstack/react-router'
import { gamesQuery } from '../data/games.ts'
import { Document } from '../layout/document.tsx'
import type { AppParts } from '../providers.tsx'

/** The document round every page. The games are loaded for all of them, since the top bar lists them. */
export const rootRoute = createRootRouteWithContext<AppParts>()({
  loader: ({ context }) => context.queryClient.prefetchQuery(gamesQuery(context.api)),
  head: () => ({
    meta: [
      { title: titleOf() },
      { name: 'description', content: 'A provably fair lottery paid in bitcoin. Pick your numbers, watch the draw, check it yourself.' },
    ],
  }),
  component: Document,
})

/** @returns the title of a page in the browser's tab */
export function titleOf(page?: string): string {
  return page === undefined ? 'Fairball' : `${page} – Fairball`
}

/** @returns a route's head with this title */
export function titled(page: string) {
  return { meta: [{ title: titleOf(page) }] }
}
