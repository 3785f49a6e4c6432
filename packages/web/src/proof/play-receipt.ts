import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import type { WantedPlay } from './receipt-of-play.ts'

/** Delay before a play without a receipt is asked about again, in ms: it has one within ten minutes of its payment. */
const ASK_AGAIN_MS = 15_000

/** The query of a play's papers, fetched once for all parts of a page. The code that reads them loads with it. */
export function playReceiptQuery(api: Api, play: WantedPlay) {
  return queryOptions({
    queryKey: ['receipt-of-play', play.id, play.draw?.number ?? null],
    queryFn: async () => await (await import('./receipt-of-play.ts')).receiptOfPlay(api, play),
    staleTime: ({ state }) => (state.data?.hash == null ? 0 : Infinity),
  })
}

/** @returns the query of a play's papers; null asks for none. It asks again until there is a receipt. */
export function usePlayReceipt(play: WantedPlay | null) {
  const api = useApi()
  return useQuery({
    ...playReceiptQuery(api, play ?? { id: '', draw: null, game: '', nextDraw: 1 }),
    enabled: play !== null,
    refetchInterval: ({ state }) => (state.data?.hash === null ? ASK_AGAIN_MS : false),
  })
}
