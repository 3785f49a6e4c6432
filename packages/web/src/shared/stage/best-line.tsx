import { BallRow } from '@fairball/ui/ball-row.tsx'
import styles from './best-line.module.css'
import { LineLetter } from './line-letter.tsx'
import { STAGE_TEXTS } from './messages.ts'
import type { Outcome } from './outcome.ts'

/** The player's best line with its matches ringed, and how many lines won: 0 while that is not known of a win. */
export function BestLine({ outcome, winningLines }: { outcome: Outcome; winningLines: number }) {
  const { best, drawn, hasWon } = outcome
  if (best === null) return null
  return (
    <div className={styles['best']}>
      <LineLetter name={best.name} className={styles['letter']} />
      <BallRow places={best.numbers} label={STAGE_TEXTS.line(best.name)} size={36} matched={drawn} />
      {hasWon && (
        <span className={styles['count']}>{winningLines > 0 ? STAGE_TEXTS.winningLines(winningLines) : null}</span>
      )}
    </div>
  )
}
