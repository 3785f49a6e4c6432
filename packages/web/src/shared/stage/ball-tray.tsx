import type { ShownBall } from '@fairball/domain/draw-phase'
import { Ball } from '@fairball/ui/ball.tsx'
import { classNames } from '@fairball/ui/class-names.ts'
import type { BallArrivals } from './arrivals.ts'
import styles from './ball-tray.module.css'
import { STAGE_TEXTS } from './messages.ts'

/** The balls of the draw in a row, in the order drawn. Those drawn while the page is open fall in. */
export function BallTray({
  balls,
  arrivals,
  className,
}: {
  balls: readonly ShownBall[]
  arrivals: BallArrivals
  className?: string | undefined
}) {
  return (
    <ul className={classNames(styles['tray'], className)} aria-label={STAGE_TEXTS.balls}>
      {balls.map((ball, index) => (
        // A place is identified by its index: the first place stays the first whatever it shows.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className={styles['place']}>
          <PlacedBall ball={ball} isNew={index >= arrivals.known} />
        </li>
      ))}
    </ul>
  )
}

function PlacedBall({ ball, isNew }: { ball: ShownBall; isNew: boolean }) {
  if (typeof ball === 'number') return <Ball number={ball} size="fluid" drop={isNew} className={styles['drawn']} />
  return <Ball state={ball ? 'rolling' : 'hidden'} size="fluid" />
}
