import type { Play } from '@fairball/contract/schemas/game'
import { paths } from '../shared/paths.ts'
import { Link } from '../ui/link.tsx'
import { usePlayReceipt } from './play-receipt.ts'

/** The words of the link. */
const CHECK_DRAW = 'Check this draw yourself'

/** Leads from a play to the proof of its draw. Before the draw a play does not name it: its receipt does. */
export default function PlayProof({ gameKey, play }: { gameKey: string; play: Pick<Play, 'id' | 'draw'> }) {
  const receipt = usePlayReceipt(play)
  const number = play.draw?.number ?? receipt.data?.draw ?? null
  return number === null ? null : (
    <p>
      <Link href={paths.proof(gameKey, number)}>{CHECK_DRAW}</Link>
    </p>
  )
}
