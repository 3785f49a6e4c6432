import { exactTimeLabel } from '@fairball/domain/draw-time-label'
import { useClockValue } from '../../../shared/use-clock.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import type { Moment } from '../moments.ts'
import { PROOF_TEXTS } from '../proof-messages.ts'
import styles from './moments-card.module.css'

/** What happened to a draw, and when, to the second. @param moments null before they are known */
export function MomentsCard({ moments }: { moments: readonly Moment[] | null }) {
  return (
    <Card title={PROOF_TEXTS.moments}>
      <ol className={styles['moments']}>
        {(moments ?? UNKNOWN).map((moment) => (
          <li key={moment.name} className={styles['moment']} data-past={moment.at !== null}>
            <p className={styles['name']}>{moment.name}</p>
            <div className={styles['when']}>{moments === null ? <Pending /> : <When moment={moment} />}</div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const UNKNOWN: readonly Moment[] = [
  PROOF_TEXTS.rulesFixed,
  PROOF_TEXTS.entriesSealed,
  PROOF_TEXTS.randomNumber,
  PROOF_TEXTS.ballsDrawn,
].map((name) => ({ name, at: null, dueAt: null }))

function Pending() {
  return (
    <>
      <p>
        <Skeleton />
      </p>
      <p>
        <Skeleton />
      </p>
    </>
  )
}

function When({ moment: { at, dueAt } }: { moment: Moment }) {
  const { date, shortDate, utcOffsetAt } = usePlayerView()
  const year = useClockValue((now) => yearOf(now))
  const shown = at ?? dueAt
  if (shown === null) return null
  const day = yearOf(shown) === year ? shortDate(shown) : date(shown)
  return (
    <>
      <p>{at === null ? `${PROOF_TEXTS.due} ${day}` : day}</p>
      <p>{exactTimeLabel(shown, utcOffsetAt(shown))}</p>
    </>
  )
}

function yearOf(at: number): number {
  return new Date(at * 1000).getUTCFullYear()
}
