import { HOME_TEXTS } from '../messages.ts'
import { useDrawTime } from '../../../shared/player-view.ts'
import styles from './next-draw.module.css'

/** The time of the next draw, in the player's time zone: "Draw: Tonight at 8:00 PM". */
export function NextDraw({ startAt }: { startAt: number }) {
  const { full } = useDrawTime(startAt)
  return <p className={styles['when']}>{HOME_TEXTS.nextDraw(full)}</p>
}
