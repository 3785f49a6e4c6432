import { createRootRouteWithContext } from '@tanstack/react-router'
import { gamesQuery } from '../../shared/data/games.ts'
import { Document } from '../layout/document.tsx'
import type { AppParts } from '../providers.tsx'

/** The document around every page. The games are loaded for all of them, since the top bar lists them. */
export const rootRoute = createRootRouteWithContext<AppParts>()({
  loader: ({ context }) => context.queryClient.prefetchQuery(gamesQuery(context.api)),
  component: Document,
})
