import type { Ticket } from '@fairball/contract/schemas/ticket'
import { letterOf } from '@fairball/domain/line-letters'
import { lazy, Suspense, useState } from 'react'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { useFirstLines } from '../../../shared/first-lines.ts'
import { SameNumbersAgain } from '../../../shared/order/same-numbers-again.tsx'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import styles from './ticket-lines.module.css'

const PrintTickets = lazy(() => import('../../../proof/print-tickets.tsx'))

/** Lines shown at first: an order has up to 1,000. */
const FIRST_LINES = 20

/** The lines of a ticket by their letters; once drawn, with the matched numbers marked. */
export function TicketLines({ ticket }: { ticket: Ticket }) {
  const { draw, lines, game_key: gameKey, play_id: playId } = ticket
  const gameName = useGameName(gameKey)
  const [showsAll, setShowsAll] = useState(false)
  const drawn = draw.numbers.length === 0 ? undefined : draw.numbers
  const played = lines.map(({ numbers }) => numbers)
  const shown = useFirstLines(showsAll ? lines : lines.slice(0, FIRST_LINES))
  return (
    <>
      <ul className={styles['lines']}>
        {shown.map(({ numbers, is_lucky_dip: isLuckyDip, matches }, place) => (
          // The lines of a ticket never change, and their places are their names.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place} className={styles['line']}>
            <span className={styles['letter']} aria-hidden="true">
              {letterOf(place)}
            </span>
            <BallRow places={numbers} label={SETTINGS_TEXTS.line(letterOf(place))} size={36} matched={drawn} />
            <span className={styles['small']}>
              {[
                matches !== null && drawn !== undefined && SETTINGS_TEXTS.matches(matches, drawn.length),
                isLuckyDip && SETTINGS_TEXTS.luckyDip,
              ]
                .filter((words) => words !== false)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {!showsAll && lines.length > FIRST_LINES && (
        <Button variant="soft" onClick={() => setShowsAll(true)}>
          {SETTINGS_TEXTS.showAllLines(lines.length)}
        </Button>
      )}
      <div className={styles['buttons']}>
        <SameNumbersAgain gameKey={gameKey} lines={played} size="small" />
        <Suspense>
          <PrintTickets
            size="small"
            plays={[{ playId, gameKey, gameName, draw: draw.number, startAt: draw.start_at, lines: played }]}
          />
        </Suspense>
      </div>
    </>
  )
}
