import type { Game } from '../../../shared/data/games.ts'
import { rangeOf } from '../../../shared/data/games.ts'
import { CheckCircleIcon, ClockIcon, PieIcon, PersonIcon } from '../../../ui/basic-icons.tsx'
import { HOME_TEXTS } from '../messages.ts'
import styles from './trust-points.module.css'

const ICONS = [CheckCircleIcon, ClockIcon, PieIcon, PersonIcon]

/** The first facts for a newcomer, in one row. */
export function TrustPoints({ games }: { games: readonly Game[] }) {
  return (
    <ul className={styles['points']}>
      {HOME_TEXTS.trust(rangeOf(games, 'prize_pool')).map(([title, text], index) => {
        const Icon = ICONS[index] ?? CheckCircleIcon
        return (
          <li key={title} className={styles['point']}>
            <Icon size={32} />
            <p className={styles['words']}>
              <strong>{title}</strong>
              <span>{text}</span>
            </p>
          </li>
        )
      })}
    </ul>
  )
}
