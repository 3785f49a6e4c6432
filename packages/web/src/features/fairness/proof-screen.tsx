import { queryOptions } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Api } from '../../shared/api.ts'
import { useGameName } from '../../shared/data/game-looks.ts'
import SealedNote from '../../proof/sealed-note.tsx'
import { useConfig } from '../../shared/config.ts'
import { paths } from '../../shared/paths.ts'
import { usePlayerView } from '../../shared/player-view.ts'
import { useScannedCode } from '../../shared/scanned-ticket.ts'
import { pageNotFound } from '../../shared/screen.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { ProofReport } from './components/proof-report.tsx'
import { PROOF_TEXTS } from './messages.ts'
import styles from './proof-screen.module.css'
import { isNoDraw, useDrawProof } from './use-proof.ts'
import { VERIFIER_ADDRESS } from './verifier-file.ts'
import type { ProofState } from './use-proof.ts'

const ScannedTicket = lazy(() => import('./components/scanned-ticket.tsx'))

/** Props of {@link ProofScreen}. */
export interface ProofScreenProps {
  gameKey: string
  /** The draw's number in its game, from 1. */
  number: number
}

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
  const code = useScannedCode(paths.proof(gameKey, number))
  return (
    <div data-game={gameKey} className={styles['page']}>
      <div>
        <p className={styles['links']}>
          <Link href={paths.draw(gameKey, number)}>{PROOF_TEXTS.toDraw(number)}</Link>
          <Link href={paths.fairness()}>{PROOF_TEXTS.toFairness}</Link>
        </p>
        <PageTitle lead={PROOF_TEXTS.lead}>{PROOF_TEXTS.title(name, number)}</PageTitle>
      </div>
      <OnPaper address={paths.proof(gameKey, number)} state={state} />
      <Suspense>{code !== null && <ScannedTicket code={code} state={state} />}</Suspense>
      <SealedNote of={{ game: gameKey, draw: number }} />
      <noscript>
        <p>
          {PROOF_TEXTS.noScript} <Link href={VERIFIER_ADDRESS}>{PROOF_TEXTS.noScriptVerifier}</Link>
        </p>
      </noscript>
      <div className={styles['report']}>
        <ProofReport state={state} onCheckAgain={checkAgain} />
      </div>
    </div>
  )
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
