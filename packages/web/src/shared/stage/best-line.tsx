import { letterOf } from '@fairball/domain/line-letters'
import { BallRow } from '../../ui/ball-row.tsx'
import styles from './best-line.module.css'
import { STAGE_TEXTS } from './messages.ts'
import type { Outcome } from './outcome.ts'

/** The player's best line with its matches ringed, and how many lines won. */
export function BestLine({ outcome, winningLines }: { outcome: Outcome; winningLines: number }) {
  const { best, drawn, hasWon } = outcome
  if (best === null) return null
  const letter = letterOf(best.place)
  return (
    <div className={styles['best']}>
      <span className={styles['letter']} aria-hidden="true">
        {letter}
      </span>
      <BallRow places={best.numbers} label={STAGE_TEXTS.line(letter)} size={36} matched={drawn} />
      {hasWon && winningLines > 0 && <span className={styles['count']}>{STAGE_TEXTS.winningLines(winningLines)}</span>}
    </div>
  )
}
