import { useQuery } from '@tanstack/react-query'
import { parseNote } from '@fairball/domain/fairness/signed-note'
import { parseStatementOf, statementHash } from '@fairball/domain/fairness/statements'
import type { Play } from '@fairball/contract/schemas/game'
import { useApi } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'

/** The content of a play's signed receipt. */
interface PlayReceipt {
  /** SHA-256 of the receipt's statement, hex: a player who keeps it can show later which receipt was given. */
  hash: string
  /** The draw's number: before the draw, a play does not have it. */
  draw: number
}

/** @returns the query of a play's receipt, fetched once for all parts of a page */
export function usePlayReceipt(play: Pick<Play, 'id' | 'draw'>) {
  const api = useApi()
  return useQuery({ queryKey: ['receipt-of-play', play.id], queryFn: () => receiptOf(api, play), staleTime: Infinity })
}

/** Reads the draw out of the receipt, which names the statement that opened the draw. */
async function receiptOf(api: Api, { id, draw }: Pick<Play, 'id' | 'draw'>): Promise<PlayReceipt> {
  const { receipt } = await api.call('getReceipt', { params: { play_id: id } })
  const text = parseNote(receipt)?.text ?? ''
  const { open } = parseStatementOf('receipt', text)
  const hash = statementHash(text)
  if (draw !== null) return { hash, draw: draw.number }
  return { hash, draw: parseStatementOf('open', await api.call('getStatement', { params: { hash: open } })).draw }
}
