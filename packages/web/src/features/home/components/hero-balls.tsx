import { Ball } from '../../../ui/ball.tsx'
import type { GameKey } from '@fairball/domain/games'
import styles from './hero-balls.module.css'

const BALLS: readonly { world: GameKey | undefined; number: number; onField?: true }[] = [
  { world: undefined, number: 41, onField: true },
  { world: 'mega-ball', number: 9 },
  { world: 'treasure', number: 23 },
  { world: 'ether-lotto', number: 7 },
  { world: 'bitcoin-hero', number: 38 },
  { world: 'super-game', number: 16 },
]

/** A heap of balls in the corner of the hero: decoration without meaning. */
export function HeroBalls() {
  return (
    <div className={styles['heap']} aria-hidden="true">
      {BALLS.map(({ world, number, onField = false }) => (
        <span key={number} className={styles['place']}>
          <Ball number={number} world={world} onField={onField} size="fluid" />
        </span>
      ))}
    </div>
  )
}
