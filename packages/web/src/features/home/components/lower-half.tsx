import type { Game } from '../../../shared/data/games.ts'
import { AllGames } from './all-games.tsx'
import { CheckBand } from './check-band.tsx'
import { CheckNumbers } from './check-numbers.tsx'
import { LatestResults } from './latest-results.tsx'
import { ReturnsPanel } from './returns-panel.tsx'
import styles from './lower-half.module.css'

/** The part below the first view: all games, and what is under them. It is in the HTML from the start; its script loads after that of the first view. */
export function LowerHalf({ games, firstKey }: { games: readonly Game[]; firstKey: string }) {
  return (
    <>
      <AllGames games={games} />
      <CheckBand />
      <CheckNumbers games={games} firstKey={firstKey} />
      <div className={styles['pair']}>
        <LatestResults games={games} />
        <ReturnsPanel games={games} />
      </div>
    </>
  )
}
