import { Ball } from '@fairball/ui/ball.tsx'
import type { Game } from '../../../shared/data/games.ts'
import styles from './hero-balls.module.css'

/** The balls around the large one: whose look they have, by a game's place in the list, and the number on them. */
const BALLS = [
  [4, 9],
  [2, 23],
  [3, 7],
  [1, 38],
  [5, 16],
] as const

/** A heap of balls in the corner of the hero, in the colours of the games: decoration without meaning. */
export function HeroBalls({ games }: { games: readonly Game[] }) {
  return (
    <div className={styles['heap']} aria-hidden="true">
      <span className={styles['place']}>
        <Ball number={41} onField size="fluid" />
      </span>
      {BALLS.map(([look, number]) => (
        <span key={number} className={styles['place']}>
          <Ball number={number} world={games[look % games.length]?.key} size="fluid" />
        </span>
      ))}
    </div>
  )
}
