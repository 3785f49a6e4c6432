import type { AnyRouter } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import type { DrawDetails, Game, RetiredGame } from '@fairball/contract/schemas/game'
import type { PageFacts } from './page-meta.ts'

/** @returns facts of the page the router shows: from its address and from its loaded data */
export function pageFacts(router: AnyRouter, queryClient: QueryClient, siteName: string): PageFacts {
  const { matches } = router.state
  const last = matches.at(-1)
  const params: PageFacts['params'] = last?.params ?? {}
  return {
    siteName,
    pattern: last?.fullPath ?? '',
    params,
    games: queryClient.getQueryData<Game[]>(['games']) ?? [],
    ended: queryClient.getQueryData<RetiredGame[]>(['retired-games']) ?? [],
    draw: queryClient.getQueryData<DrawDetails>(['draw', params['gameKey'], Number(params['number'])]) ?? null,
    isMissing:
      last?.routeId === '__root__' || matches.some((match) => match.status === 'notFound' || match._notFound === true),
  }
}
