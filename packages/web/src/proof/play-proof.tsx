import type { Play } from '@fairball/contract/schemas/game'
import { useGame } from '../shared/data/games.ts'
import { paths } from '../shared/paths.ts'
import { Link } from '@fairball/ui/link.tsx'
import { usePlayReceipt } from './play-receipt.ts'

/** The words of the link. */
const CHECK_DRAW = 'Check this draw yourself'

/** Links from a play to the proof of its draw. Before the draw only the play's papers say which one it is. */
export default function PlayProof({ gameKey, play }: { gameKey: string; play: Pick<Play, 'id' | 'draw'> }) {
  const nextDraw = useGame(gameKey).data?.next_draw.number
  if (play.draw !== null) return <ProofLink gameKey={gameKey} number={play.draw.number} />
  return nextDraw === undefined ? null : <ComingProof gameKey={gameKey} play={play} nextDraw={nextDraw} />
}

function ComingProof({ gameKey, play, nextDraw }: Parameters<typeof PlayProof>[0] & { nextDraw: number }) {
  const number = usePlayReceipt({ ...play, game: gameKey, nextDraw }).data?.draw ?? null
  return number === null ? null : <ProofLink gameKey={gameKey} number={number} />
}

function ProofLink({ gameKey, number }: { gameKey: string; number: number }) {
  return (
    <p>
      <Link href={paths.proof(gameKey, number)}>{CHECK_DRAW}</Link>
    </p>
  )
}
