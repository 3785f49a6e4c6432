import { queryOptions } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Api } from '../../shared/api.ts'
import { useGameName } from '../../shared/data/game-looks.ts'
import { useGames } from '../../shared/data/games.ts'
import type { ProofState } from '../../proof/draw-check.ts'
import { useDrawProof } from '../../proof/use-draw-proof.ts'
import SealedNote from '../../proof/sealed-note.tsx'
import { useConfig } from '../../shared/config.ts'
import { paths } from '../../shared/paths.ts'
import { usePlayerView } from '../../shared/player-view.ts'
import { useScannedCode } from '../../shared/use-scanned-code.ts'
import { pageNotFound } from '../../shared/screen.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { ReplayButton, ReplayStage } from '../../shared/stage/replay-draw.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { ProofReport } from './components/proof-report.tsx'
import { PROOF_TEXTS } from './proof-messages.ts'
import styles from './proof-screen.module.css'
import { isNoDraw } from './no-draw.ts'
import { VERIFIER_ADDRESS } from './verifier-file.ts'

const ScannedTicket = lazy(() => import('./components/scanned-ticket.tsx'))

/** Props of {@link ProofScreen}. */
export interface ProofScreenProps {
  gameKey: string
  /** The draw's number in its game, from 1. */
  number: number
}

/** Balls of a draw, if its game is not offered any more. */
const USUAL_PICK = 6

/** Loads only whether there is such a draw; the browser fetches the data to verify. */
export const load: ScreenLoader<ProofScreenProps> = async ({ api, queryClient }, { gameKey, number }) => {
  try {
    await queryClient.ensureQueryData(drawExistsQuery(api, gameKey, number))
  } catch (error) {
    if (isNoDraw(error)) throw pageNotFound()
    throw error
  }
}

/** Checks a draw in the browser, and shows how its balls came about. */
export function ProofScreen({ gameKey, number }: ProofScreenProps) {
  const name = useGameName(gameKey)
  const { state, checkAgain } = useDrawProof(gameKey, number)
  const [isReplayed, setIsReplayed] = useState(false)
  const code = useScannedCode(paths.proof(gameKey, number))
  const pick = useGames().data?.find(({ key }) => key === gameKey)?.sets[0]?.n ?? USUAL_PICK
  return (
    <div data-game={gameKey} className={styles['page']}>
      <div className={styles['title']}>
        <p className={styles['links']}>
          <Link href={paths.draw(gameKey, number)}>{PROOF_TEXTS.toDraw(number)}</Link>
          <Link href={paths.fairness()}>{PROOF_TEXTS.toFairness}</Link>
        </p>
        <PageTitle>{PROOF_TEXTS.title(name, number)}</PageTitle>
      </div>
      <OnPaper address={paths.proof(gameKey, number)} state={state} />
      <Suspense>{code !== null && <ScannedTicket code={code} state={state} />}</Suspense>
      <noscript>
        <p>{PROOF_TEXTS.noScript}</p>
        <p>
          <Link href={VERIFIER_ADDRESS}>{PROOF_TEXTS.noScriptVerifier}</Link>
        </p>
      </noscript>
      <div className={styles['report']}>
        <ProofReport
          state={state}
          pick={pick}
          onCheckAgain={checkAgain}
          isScanned={code !== null}
          underVerdict={<SealedNote of={{ game: gameKey, draw: number }} isChecked={state.kind === 'done'} />}
          underFiles={isDrawn(state) && !isReplayed && <SeeAgain onReplay={() => setIsReplayed(true)} />}
        />
        {isReplayed && <ReplayStage gameKey={gameKey} number={number} />}
      </div>
    </div>
  )
}

/** Offers the draw once more. The stage is too wide for this column: it is below all. */
function SeeAgain({ onReplay }: { onReplay: () => void }) {
  const isPlayer = useSession().status === 'player'
  return (
    <div className={styles['again']}>
      <Card title={PROOF_TEXTS.seeAgain} lead={PROOF_TEXTS.seeAgainLead(isPlayer)}>
        <div>
          <ReplayButton variant="secondary" onClick={onReplay} />
        </div>
      </Card>
    </div>
  )
}

/** Whether the draw is over: its result was published, after the last ball. */
function isDrawn(state: ProofState): boolean {
  return state.kind === 'done' && state.proof.draws.some(({ facts }) => facts.published !== null)
}

/** Only on paper: which draw this was, and where it was checked. */
function OnPaper({ address, state }: { address: string; state: ProofState }) {
  const { publicUrl } = useConfig()
  const { dateTime } = usePlayerView()
  const startAt = state.kind === 'done' ? (state.proof.draws[0]?.facts.startAt ?? null) : null
  return (
    <div className={styles['paper']}>
      {startAt !== null && <p>{PROOF_TEXTS.printed(dateTime(startAt))}</p>}
      <p>
        {PROOF_TEXTS.printedAt} {publicUrl}
        {address}
      </p>
    </div>
  )
}

function drawExistsQuery(api: Api, gameKey: string, number: number) {
  return queryOptions({
    queryKey: ['draw-exists', gameKey, number],
    queryFn: async ({ signal }) => {
      await api.call('getFairnessDraw', { params: { game: gameKey, number }, signal })
      return true
    },
  })
}
