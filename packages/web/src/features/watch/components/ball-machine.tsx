import type { ShownBall } from '@fairball/domain/draw-phase'
import { Ball } from '../../../ui/ball.tsx'
import { drumOf } from '../drum.ts'
import type { DrumBall } from '../drum.ts'
import type { Arrivals } from '../use-arrivals.ts'
import styles from './ball-machine.module.css'

/**
 * The drum with its balls, all numbers of the game less those that are drawn: decoration, what it shows is said elsewhere. It swings while balls are
 * drawn, and each ball that is drawn rises out of it. For those who asked for less motion it stands still.
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
  const { rings, diameter } = drumOf(pool)
  return (
    <div className={styles['machine']} aria-hidden="true">
      <div className={styles['neck']} />
      <div className={styles['drum']} data-mixing={isMixing || undefined}>
        {rings.map((ring) => (
          <svg key={ring[0]?.number} viewBox="-50 -50 100 100" className={styles['ring']} focusable="false">
            {ring
              .filter(({ number }) => !balls.includes(number))
              .map((ball) => (
                <DrumBallShape key={ball.number} ball={ball} diameter={diameter} />
              ))}
          </svg>
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

/** Parts of a ball's diameter: its body, which leaves a little air, the disc with the number, and the digits. */
const [BODY, DISC, DIGITS] = [0.94, 0.72, 0.4] as const

function DrumBallShape({ ball: { number, x, y }, diameter }: { ball: DrumBall; diameter: number }) {
  return (
    <g>
      <circle cx={x} cy={y} r={(diameter * BODY) / 2} className={styles['body']} />
      <circle cx={x} cy={y} r={(diameter * DISC) / 2} className={styles['disc']} />
      <text x={x} y={y} fontSize={diameter * DIGITS} className={styles['digits']}>
        {number}
      </text>
    </g>
  )
}
