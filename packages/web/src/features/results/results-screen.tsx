import { useEffect } from 'react'
import { useGameName } from '../../shared/data/game-looks.ts'
import { useNavigate } from '../../shared/navigation.tsx'
import { paths } from '../../shared/paths.ts'
import { ResultsFrame } from '../../shared/results-frame.tsx'
import type { ScreenLoader } from '../../shared/screen.ts'
import { LatestResult } from './components/latest-result.tsx'
import { Plays } from './components/plays.tsx'
import { Wins } from './components/wins.tsx'
import { RESULTS_TEXTS } from './messages.ts'
import { askForResults, useOtherPage } from './use-results.ts'
import styles from './results-screen.module.css'

/** Props of {@link ResultsScreen}. */
export interface ResultsScreenProps {
  gameKey: string
  /** Page of the plays, from 1. */
  page: number
  /** Page of the wins, from 1. */
  winsPage: number
  /** The open play, null without one. */
  playId: string | null
}

/** Asks for the first lists. */
export const load: ScreenLoader<ResultsScreenProps> = (context, { gameKey }) => askForResults(context, gameKey)

/** The player's results in a game: the wins, and every play with its matches. */
export function ResultsScreen({ gameKey, page, winsPage, playId }: ResultsScreenProps) {
  const name = useGameName(gameKey)
  const navigate = useNavigate()
  // Links to a play name the page it was on; plays to come stand first, so it moves to a later one.
  const otherPage = useOtherPage(gameKey, page, playId)
  useEffect(() => {
    if (otherPage === null || playId === null) return
    navigate(paths.results(gameKey, otherPage, playId, winsPage), { replace: true })
  }, [otherPage, gameKey, playId, winsPage, navigate])
  return (
    <ResultsFrame gameKey={gameKey} section="results" title={RESULTS_TEXTS.title(name)}>
      <div className={styles['sections']}>
        <LatestResult gameKey={gameKey}>
          <Wins gameKey={gameKey} winsPage={winsPage} playsPage={page} playId={playId} />
          <Plays gameKey={gameKey} page={page} winsPage={winsPage} playId={playId} />
        </LatestResult>
      </div>
    </ResultsFrame>
  )
}
