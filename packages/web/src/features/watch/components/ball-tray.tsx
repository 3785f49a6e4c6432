import type { ShownBall } from '@fairball/domain/draw-phase'
import { Ball } from '../../../ui/ball.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import type { Arrivals } from '../use-arrivals.ts'
import styles from './ball-tray.module.css'

/**
 * The balls of the draw in a row, in the order drawn. Those drawn while the page is open fall in and are announced;
 * those known before are not.
 */
export function BallTray({ balls, arrivals }: { balls: readonly ShownBall[]; arrivals: Arrivals }) {
  const places = balls.map((ball, index) => ({ ball, place: index + 1 }))
  const arrived = places.slice(arrivals.from, arrivals.to)
  return (
    <>
      <ul className={styles['tray']} aria-label={WATCH_TEXTS.balls}>
        {places.map(({ ball, place }) => (
          <li key={place} className={styles['place']}>
            <PlacedBall ball={ball} isNew={place > arrivals.known} />
          </li>
        ))}
      </ul>
      <VisuallyHidden live>
        {arrived
          .flatMap(({ ball, place }) => (typeof ball === 'number' ? [WATCH_TEXTS.ballDrawn(place, ball)] : []))
          .join('. ')}
      </VisuallyHidden>
    </>
  )
}

function PlacedBall({ ball, isNew }: { ball: ShownBall; isNew: boolean }) {
  if (typeof ball === 'number') return <Ball number={ball} size="fluid" drop={isNew} className={styles['drawn']} />
  return <Ball state={ball ? 'rolling' : 'hidden'} size="fluid" />
}
