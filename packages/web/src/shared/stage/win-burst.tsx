import { Ball } from '@fairball/ui/ball.tsx'
import styles from './win-burst.module.css'

/** The directions of the balls, by the styles. */
const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** One short burst of balls in the game's colour, over its container. Decoration: the words announce the win. */
export function WinBurst() {
  return (
    <div className={styles['burst']} aria-hidden="true">
      {PLACES.map((place) => (
        <span key={place} className={styles['ball']}>
          <Ball size={36} />
        </span>
      ))}
    </div>
  )
}
