import { BallRow } from '@fairball/ui/ball-row.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import styles from './compared-balls.module.css'

/** Props of {@link ComparedBalls}. */
interface ComparedBallsProps {
  /** As the operator signed them, in the order drawn; null before. */
  published: readonly number[] | null
  /** As this browser computed them; null before. */
  recalculated: readonly number[] | null
  /** The number of empty slots where there are none yet. */
  pick: number
}

/** The balls that were published beside those recalculated here. */
export function ComparedBalls({ published, recalculated, pick }: ComparedBallsProps) {
  // Nothing is shown here before the operator has published the numbers.
  const shown = published === null ? null : recalculated
  const isSame = published !== null && shown !== null && published.join() === shown.join()
  return (
    <div className={styles['compared']} data-same={published === null || shown === null ? undefined : isSame}>
      <Balls title={PROOF_TEXTS.published} label={PROOF_TEXTS.publishedBalls} numbers={published} pick={pick} />
      <p className={styles['sign']}>
        {published !== null && shown !== null && (
          <>
            <span aria-hidden="true">{isSame ? '=' : '≠'}</span>
            <VisuallyHidden>{isSame ? PROOF_TEXTS.equals : PROOF_TEXTS.differs}</VisuallyHidden>
          </>
        )}
      </p>
      <Balls title={PROOF_TEXTS.recalculated} label={PROOF_TEXTS.recalculatedBalls} numbers={shown} pick={pick} />
    </div>
  )
}

function Balls({
  title,
  label,
  numbers,
  pick,
}: {
  title: string
  label: string
  numbers: readonly number[] | null
  pick: number
}) {
  return (
    <div className={styles['balls']}>
      <p className={styles['of']}>{title}</p>
      <BallRow places={numbers ?? Array.from({ length: pick }, () => null)} size={48} label={label} />
    </div>
  )
}
