import type { ReactNode } from 'react'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { useGame } from './data/games.ts'
import { NextDrawPanel } from './next-draw-panel.tsx'
import styles from './results-frame.module.css'
import { GameTabs, SectionTabs } from './results-tabs.tsx'
import type { ResultsSection } from './results-tabs.tsx'
import { useSession } from './session/use-session.ts'

/** Props of {@link ResultsFrame}. */
interface ResultsFrameProps {
  gameKey: string
  section: ResultsSection
  title: string
  /** In place of a player's tabs. */
  forVisitors?: ReactNode
  children: ReactNode
}

/**
 * The frame of the pages about results: the games on top, the heading and the sections at the same height on each, and
 * the next draw beside the content, or below it on narrow screens.
 */
export function ResultsFrame({ gameKey, section, title, forVisitors, children }: ResultsFrameProps) {
  const { data: game } = useGame(gameKey)
  const isPlayer = useSession().status === 'player'
  return (
    <div data-game={gameKey}>
      <GameTabs gameKey={gameKey} section={section} />
      <div className={styles['title']}>
        <PageTitle>{title}</PageTitle>
      </div>
      <div className={styles['sections']}>
        {isPlayer ? <SectionTabs gameKey={gameKey} section={section} /> : forVisitors}
      </div>
      <div className={styles['layout']}>
        <div className={styles['main']}>{children}</div>
        <aside className={styles['side']}>
          {game !== undefined && <NextDrawPanel game={game} canPlay={isPlayer} />}
        </aside>
      </div>
    </div>
  )
}
