import { useGame } from '../../shared/data/games.ts'
import { useGameName } from '../../shared/data/game-looks.ts'
import { GameTabs, SectionTabs } from '../../shared/results-tabs.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { LatestResult } from './components/latest-result.tsx'
import { NextDraw } from './components/next-draw.tsx'
import { Plays } from './components/plays.tsx'
import { Wins } from './components/wins.tsx'
import { RESULTS_TEXTS } from './messages.ts'
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

/** The player's results in a game: the wins, and every play with its matches. */
export function ResultsScreen({ gameKey, page, winsPage, playId }: ResultsScreenProps) {
  const { data: game } = useGame(gameKey)
  const name = useGameName(gameKey)
  return (
    <div data-game={gameKey}>
      <div className={styles['switcher']}>
        <GameTabs gameKey={gameKey} section="results" />
      </div>
      <div className={styles['title']}>
        <PageTitle>{RESULTS_TEXTS.title(name)}</PageTitle>
      </div>
      <SectionTabs gameKey={gameKey} section="results" />
      <div className={styles['layout']}>
        <div className={styles['main']}>
          <LatestResult gameKey={gameKey} />
          <Wins gameKey={gameKey} winsPage={winsPage} playsPage={page} playId={playId} />
          <Plays gameKey={gameKey} page={page} winsPage={winsPage} playId={playId} />
        </div>
        <aside className={styles['side']}>
          {game !== undefined && <NextDraw game={game} />}
          <div className={styles['otherGames']}>
            <GameTabs gameKey={gameKey} section="results" isList />
          </div>
        </aside>
      </div>
    </div>
  )
}
