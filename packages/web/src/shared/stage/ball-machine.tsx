import type { ShownBall } from '@fairball/domain/draw-phase'
import { Ball } from '@fairball/ui/ball.tsx'
import type { BallArrivals } from './arrivals.ts'
import styles from './ball-machine.module.css'
import { drumOf } from './drum.ts'
import type { DrumBall } from './drum.ts'

/**
 * The drum with its balls, all numbers of the game except the drawn ones: decoration, its content is text elsewhere. It
 * swings during the draw, and each drawn ball rises out of it. With reduced motion it does not move.
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
  arrivals: BallArrivals
}) {
  const last = arrivals.to > arrivals.from ? balls[arrivals.to - 1] : undefined
  const { rings, diameter } = drumOf(pool)
  return (
    <div className={styles['machine']} aria-hidden="true">
      <div className={styles['neck']} />
      <div className={styles['drum']} data-mixing={isMixing || undefined} data-rings={rings.length}>
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
