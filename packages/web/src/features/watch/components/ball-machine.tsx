import { Ball } from '../../../ui/ball.tsx'
import styles from './ball-machine.module.css'

const NUMBERS = [3, 8, 12, 17, 21, 24, 29, 33, 35]

/** The drum with its balls: decoration. It turns while balls are drawn, not for those who asked for less motion. */
export function BallMachine({ isTurning }: { isTurning: boolean }) {
  return (
    <div className={styles['machine']} aria-hidden="true">
      <div className={styles['drum']} data-turning={isTurning || undefined}>
        {NUMBERS.map((number) => (
          <span key={number} className={styles['place']}>
            <Ball number={number} size="fluid" />
          </span>
        ))}
      </div>
      <span className={styles['foot']} />
    </div>
  )
}
