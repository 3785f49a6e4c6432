import type { WatchPrize } from '@fairball/contract/schemas/game'
import { formatMoney } from '@fairball/domain/fiat'
import { useState } from 'react'
import { useDrawPrizes } from '../../../shared/data/draw-prizes.ts'
import { useFirstLines } from '../../../shared/first-lines.ts'
import { paths } from '../../../shared/paths.ts'
import { amountIn } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { compareLines } from '../compare-lines.ts'
import type { ComparedLine } from '../compare-lines.ts'
import { RESULTS_TEXTS } from '../messages.ts'
import type { Play } from '../use-results.ts'
import styles from './play-lines.module.css'

/** Lines shown at first: an order has up to 1,000. */
const FIRST_LINES = 20

/** The lines of a play beside the numbers drawn: winning lines first, matched numbers marked. */
export function PlayLines({ gameKey, play }: { gameKey: string; play: Play }) {
  const [showsAll, setShowsAll] = useState(false)
  const drawn = play.draw?.numbers ?? null
  const prizes = useDrawPrizes(gameKey, play.draw?.number ?? null)
  const lines = compareLines(play.tickets, drawn, prizes)
  const shown = useFirstLines(showsAll ? lines : lines.slice(0, FIRST_LINES))
  return (
    <>
      {play.draw !== null && (
        <div className={styles['drawn']}>
          <p className={styles['label']}>
            {RESULTS_TEXTS.numbersDrawn}
            <Link href={paths.draw(gameKey, play.draw.number)}>{RESULTS_TEXTS.draw(play.draw.number)}</Link>
          </p>
          <BallRow places={play.draw.numbers} label={RESULTS_TEXTS.numbersDrawn} size={46} />
        </div>
      )}
      <div>
        <p className={styles['label']}>{RESULTS_TEXTS.yourLines}</p>
        <ul className={styles['lines']}>
          {shown.map((line) => (
            <LineRow key={line.place} line={line} drawn={drawn} />
          ))}
        </ul>
      </div>
      {!showsAll && lines.length > FIRST_LINES && (
        <div>
          <Button variant="soft" onClick={() => setShowsAll(true)}>
            {RESULTS_TEXTS.showAllLines(lines.length)}
          </Button>
        </div>
      )}
    </>
  )
}

function LineRow({ line, drawn }: { line: ComparedLine; drawn: readonly number[] | null }) {
  return (
    <li className={styles['line']} data-wins={line.prize !== null || undefined}>
      <span className={styles['place']} aria-hidden="true">
        {line.place}
      </span>
      <BallRow places={line.numbers} label={RESULTS_TEXTS.line(line.place)} size={36} matched={drawn ?? undefined} />
      {drawn !== null && (
        <span className={styles['outcome']}>
          {line.prize !== null && <Prize prize={line.prize} />}
          <span className={styles['matches']}>{RESULTS_TEXTS.matches(line.matches)}</span>
        </span>
      )}
    </li>
  )
}

/** What one line won: its sum with the bitcoin under it, or its kind. */
function Prize({ prize: { type, crypto, fiat } }: { prize: WatchPrize }) {
  const { currencyCode } = useSession()
  const amount = amountIn(fiat, currencyCode)
  return (
    <>
      <Tag kind="success">{RESULTS_TEXTS.winTypes[type]}</Tag>
      {crypto !== null && amount !== null && (
        <span className={styles['sum']}>
          <strong>{formatMoney(amount)}</strong>
          <span>
            {crypto.value} {crypto.code}
          </span>
        </span>
      )}
    </>
  )
}
