import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import type { WantedPlay } from './receipt-of-play.ts'

/**
 * Delay before a play without a receipt is asked about again, in ms. Where few play it has one within half a minute of its
 * payment, and in any case within ten minutes.
 */
const ASK_AGAIN_MS = 5_000
const LATER_MS = 15_000
/** Answers after which it is asked about less often. */
const SOON_ANSWERS = 12

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
    refetchInterval: ({ state }) => {
      if (state.data?.hash !== null) return false
      return state.dataUpdateCount < SOON_ANSWERS ? ASK_AGAIN_MS : LATER_MS
    },
  })
}
