import { lazy, Suspense } from 'react'
import { usePlays } from '../use-results.ts'
import styles from './latest-result.module.css'

const OwnResult = lazy(() => import('../../../shared/stage/own-result.tsx'))

/** How the newest draw that the player was in ended. */
export function LatestResult({ gameKey }: { gameKey: string }) {
  // The plays to come are before those drawn, of which the newest is first.
  const newest = usePlays(gameKey, 1).data?.results.find(({ draw }) => draw !== null)?.draw
  if (newest === null || newest === undefined) return null
  return (
    <div className={styles['latest']}>
      <Suspense>
        <OwnResult key={newest.number} gameKey={gameKey} number={newest.number} />
      </Suspense>
    </div>
  )
}
