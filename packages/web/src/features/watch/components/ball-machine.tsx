import type { ShownBall } from '@fairball/domain/draw-phase'
import { Ball } from '../../../ui/ball.tsx'
import type { Arrivals } from '../use-arrivals.ts'
import styles from './ball-machine.module.css'

/** How many balls lie in the drum. It is a picture: a real drum would hold the whole pool. */
const SHOWN = 12

/**
 * The drum with its balls: decoration, what it shows is said elsewhere. It mixes while balls are drawn, and each ball that is drawn rises out of it. For
 * those who asked for less motion it stands still.
 *
 * @param pool the highest number of the game
 */
export function BallMachine({
  balls,
  pool,
  isMixing,
  arrivals,
}: {
  balls: readonly ShownBall[]
  pool: number
  isMixing: boolean
  arrivals: Arrivals
}) {
  const last = arrivals.to > arrivals.from ? balls[arrivals.to - 1] : undefined
  return (
    <div className={styles['machine']} aria-hidden="true">
      <div className={styles['neck']} />
      <div className={styles['drum']} data-mixing={isMixing || undefined}>
        {numbersInDrum(pool).map((number) => (
          <span key={number} className={styles['place']} data-drawn={balls.includes(number) || undefined}>
            <Ball number={number} size="fluid" />
          </span>
        ))}
      </div>
      {typeof last === 'number' && (
        <span key={last} className={styles['risen']}>
          <Ball number={last} size="fluid" />
        </span>
      )}
      <span className={styles['foot']} />
    </div>
  )
}

/** Numbers from all over the pool. */
function numbersInDrum(pool: number): number[] {
  return Array.from({ length: Math.min(SHOWN, pool) }, (_, index) => 1 + Math.floor((index * pool) / SHOWN))
}
