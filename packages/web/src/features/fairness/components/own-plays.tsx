import type { OwnPlay } from '../../../proof/prove.ts'
import { Mono } from '@fairball/ui/mono.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import type { MarkState } from './outcome-mark.tsx'
import styles from './own-plays.module.css'

/** The places of the player's own plays, according to the papers that this browser keeps. */
export function OwnPlays({ plays }: { plays: readonly OwnPlay[] }) {
  return (
    <section className={styles['own']}>
      <h4>{PROOF_TEXTS.plays}</h4>
      <p>{PROOF_TEXTS.playsLead}</p>
      <ul className={styles['plays']}>
        {plays.map((play) => (
          <li key={play.id}>
            <PlayRow play={play} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PlayRow({ play: { id, where, index, lines } }: { play: OwnPlay }) {
  const place = index === null ? '' : `, ${PROOF_TEXTS.playPlace(index)}`
  return (
    <>
      <OutcomeMark state={MARKS[where]} word={`${PROOF_TEXTS.playWhere[where]}${place}`} />
      {lines.length > 0 && (
        <p>
          {PROOF_TEXTS.playLines(lines.length)}: {lines.map((line) => line.join(', ')).join(' · ')}
        </p>
      )}
      <p className={styles['id']}>
        {PROOF_TEXTS.playId} <Mono text={id} />
      </p>
    </>
  )
}

const MARKS: Readonly<Record<OwnPlay['where'], MarkState>> = {
  found: 'pass',
  missing: 'fail',
  moved: 'unknown',
  unknown: 'unknown',
}
