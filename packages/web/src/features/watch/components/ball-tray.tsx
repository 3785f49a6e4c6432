import { useState } from 'react'
import type { ShownBall } from '@fairball/domain/draw-phase'
import { Ball } from '../../../ui/ball.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import { countDrawn } from '../watch-state.ts'
import styles from './ball-tray.module.css'

/** The balls of the draw in a row, in the order drawn. Those drawn while somebody watches fall in; those known before do not. */
export function BallTray({ balls, pick }: { balls: readonly ShownBall[] | null; pick: number }) {
  if (balls === null) return <Tray balls={Array.from({ length: pick }, () => false)} known={pick} />
  return <WatchedTray balls={balls} />
}

function WatchedTray({ balls }: { balls: readonly ShownBall[] }) {
  const [known] = useState(() => countDrawn(balls))
  return <Tray balls={balls} known={known} />
}

function Tray({ balls, known }: { balls: readonly ShownBall[]; known: number }) {
  const drawn = countDrawn(balls)
  const places = balls.map((ball, index) => ({ ball, place: index + 1 }))
  const last = balls[drawn - 1]
  return (
    <>
      <ul className={styles['tray']} aria-label={WATCH_TEXTS.balls}>
        {places.map(({ ball, place }) => (
          <li key={place} className={styles['place']}>
            <Ball
              number={typeof ball === 'number' ? ball : undefined}
              state={typeof ball === 'number' ? 'drawn' : ball ? 'rolling' : 'hidden'}
              size="fluid"
              drop={typeof ball === 'number' && place > known}
            />
          </li>
        ))}
      </ul>
      <VisuallyHidden live>
        {drawn > known && typeof last === 'number' ? WATCH_TEXTS.ballDrawn(drawn, last) : ''}
      </VisuallyHidden>
    </>
  )
}
