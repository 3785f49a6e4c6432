import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { latestDrawsQuery } from '../shared/data/latest-draws.ts'
import type { Api } from '../shared/api.ts'
import { useApi } from '../shared/api.ts'

/** The newest settled draw, with what is said of how it came about. Nothing is verified here. */
export interface NewestDraw {
  readonly gameKey: string
  readonly number: number
  /** In the order drawn. */
  readonly numbers: readonly number[]
  readonly startAt: number
  /** Lines in it, and when their list was sealed, epoch seconds; null until that is known. */
  readonly lines: number | null
  readonly sealedAt: number | null
}

/** @returns the newest settled draw of all games; null before there is one, undefined until that is known */
export function useNewestDraw(): NewestDraw | null | undefined {
  const api = useApi()
  const latest = useQuery(latestDrawsQuery(api))
  const newest = latest.data?.[0] ?? null
  const details = useQuery({
    ...sealQuery(api, newest?.game_key ?? '', newest?.draw.number ?? 0),
    enabled: newest !== null,
  })
  if (newest === null) return latest.isPending ? undefined : null
  return {
    gameKey: newest.game_key,
    number: newest.draw.number,
    numbers: newest.draw.numbers,
    startAt: newest.draw.datetime,
    lines: details.data?.lines ?? null,
    sealedAt: details.data?.sealedAt ?? null,
  }
}

/** Fetches the newest settled draw before its page is rendered; a failure leaves the pictures without figures. */
export async function prefetchNewestDraw(api: Api, queryClient: QueryClient): Promise<void> {
  await queryClient.prefetchQuery(latestDrawsQuery(api))
  const newest = queryClient.getQueryData(latestDrawsQuery(api).queryKey)?.[0]
  if (newest !== undefined) await queryClient.prefetchQuery(sealQuery(api, newest.game_key, newest.draw.number))
}

function sealQuery(api: Api, key: string, number: number) {
  return queryOptions({
    queryKey: ['sealed-draw', key, number],
    queryFn: async ({ signal }) => {
      const { entries, statements } = await api.call('getDraw', { params: { key, number }, signal })
      return { lines: entries, sealedAt: statements.findLast(({ type }) => type === 'close')?.at ?? null }
    },
    staleTime: Infinity,
  })
}
