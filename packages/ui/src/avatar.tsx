import { classNames } from './class-names.ts'
import styles from './avatar.module.css'

/** A ball with a smile, in the colours of a game, for people without a picture. Decoration: the name is beside it. */
export function Avatar({ world, size = 'fluid' }: { world?: string; size?: 36 | 64 | 'fluid' }) {
  return (
    <span className={styles['avatar']} data-game={world} data-size={size} aria-hidden="true">
      <span className={classNames(styles['face'])}>
        <svg viewBox="0 0 100 100" fill="none" stroke="currentColor" strokeWidth="7" strokeLinecap="round">
          <path d="M37 30l3 12M62 27l3 12M27 60c8 18 38 21 47-3" />
        </svg>
      </span>
    </span>
  )
}
