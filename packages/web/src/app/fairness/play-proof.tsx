import { useQuery } from '@tanstack/react-query'
import { parseNote } from '@fairball/domain/fairness/signed-note'
import { parseStatementOf } from '@fairball/domain/fairness/statements'
import type { Play } from '@fairball/contract/schemas/game'
import { useApi } from '../api.ts'
import type { Api } from '../api.ts'
import { paths } from '../paths.ts'
import { Link } from '../../ui/link.tsx'

/** The words of the link. */
const CHECK_DRAW = 'Check this draw yourself'

/** Leads from a play to the proof of its draw. Before the draw a play does not tell which one it is: its receipt does. */
export default function PlayProof({ gameKey, play }: { gameKey: string; play: Pick<Play, 'id' | 'draw'> }) {
  const api = useApi()
  const known = play.draw?.number ?? null
  const asked = useQuery({
    queryKey: ['draw-of-play', play.id],
    queryFn: () => drawOf(api, play.id),
    enabled: known === null,
  })
  const number = known ?? asked.data ?? null
  return number === null ? null : (
    <p>
      <Link href={paths.proof(gameKey, number)}>{CHECK_DRAW}</Link>
    </p>
  )
}

/** Reads the draw of a play out of its receipt, which names the statement that opened the draw. */
async function drawOf(api: Api, playId: string): Promise<number> {
  const { receipt } = await api.call('getReceipt', { params: { play_id: playId } })
  const { open } = parseStatementOf('receipt', parseNote(receipt)?.text ?? '')
  const text = await api.call('getStatement', { params: { hash: open } })
  return parseStatementOf('open', text).draw
}
