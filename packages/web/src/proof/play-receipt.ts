import { useQuery } from '@tanstack/react-query'
import type { Play } from '@fairball/contract/schemas/game'
import { useApi } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { findDraws } from './find-draws.ts'
import { readPaper } from './memory.ts'

/** The facts in the papers of a play. */
interface PlayReceipt {
  /** Hash of the newest receipt, hex, which later shows the receipt that was provided. Null before there is one. */
  hash: string | null
  /** The draw's number, which a play lacks before its draw. Null if it is not among the game's next draws. */
  draw: number | null
}

/** The play, and the place to look for its draw. */
interface WantedPlay extends Pick<Play, 'id' | 'draw'> {
  game: string
  /** Number of the game's next draw. */
  nextDraw: number
}

/** @returns the query of a play's papers, fetched once for all parts of a page */
export function usePlayReceipt(play: WantedPlay) {
  const api = useApi()
  return useQuery({
    queryKey: ['receipt-of-play', play.id],
    queryFn: () => receiptOf(api, play),
    staleTime: Infinity,
  })
}

async function receiptOf(api: Api, { id, draw, game, nextDraw }: WantedPlay): Promise<PlayReceipt> {
  const { promise, receipts } = await api.call('getReceipt', { params: { play_id: id } })
  const newest = readPaper(receipts.at(-1)?.note ?? '')
  const hash = newest?.hash ?? null
  if (draw !== null) return { hash, draw: draw.number }
  const opens = opensOf(newest?.statement ?? readPaper(promise)?.statement)
  const found = opens.length === 1 ? await findDraws(api, { game, opens, from: nextDraw }) : null
  return { hash, draw: found?.get(opens[0] ?? '')?.number ?? null }
}

function opensOf(paper: NonNullable<ReturnType<typeof readPaper>>['statement'] | undefined): string[] {
  if (paper === undefined) return []
  return paper.type === 'receipt' ? [paper.open] : paper.play.map(({ open }) => open)
}
