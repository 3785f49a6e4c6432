import { useState } from 'react'
import type { PaidFor } from '@fairball/contract/schemas/order'
import { letterOf } from '@fairball/domain/line-letters'
import type { Game } from '../../../shared/data/games.ts'
import { DrawDates } from '../../../shared/draw-dates.tsx'
import { useMoments } from '../../../shared/moment.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { BallRow } from '../../../ui/ball-row.tsx'
import { Button } from '../../../ui/button.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import styles from './order-ticket.module.css'

/** Lines shown before the player asks for all. */
const FIRST_LINES = 5

/** An order as a ticket: its first draw and its lines on the game's colour, its draws and what it cost on the stub. */
export function OrderTicket({ game, order }: { game: Game; order: PaidFor }) {
  const moment = useMoments()
  const { money } = usePlayerView()
  const { draws, lines, price, paid_at: paidAt } = order
  const [first] = draws
  const facts = [
    { term: ORDER_TEXTS.orderDraws, value: <DrawDates draws={draws} /> },
    { term: ORDER_TEXTS.orderLines, value: lines.length },
    ...(first === undefined ? [] : [{ term: ORDER_TEXTS.closes, value: moment(first.ticket_sell_closes_at) }]),
    ...(paidAt === null ? [] : [{ term: ORDER_TEXTS.paidAt, value: moment(paidAt) }]),
    { term: ORDER_TEXTS.orderTotal, value: `${money(price.fiat)} · ${price.crypto.value} ${price.crypto.code}` },
  ]
  return (
    <section className={styles['ticket']} data-game={game.key} aria-label={ORDER_TEXTS.ticket}>
      <div className={styles['field']}>
        <div>
          <h2>{first === undefined ? game.name : ORDER_TEXTS.ticketOf(game.name, first.number)}</h2>
          {first !== undefined && <p className={styles['when']}>{moment(first.start_at)}</p>}
        </div>
        <TicketLines lines={lines} />
      </div>
      <div className={styles['stub']}>
        <DefinitionList items={facts} />
      </div>
    </section>
  )
}

/** The first lines, and a button that shows the rest. */
function TicketLines({ lines }: Pick<PaidFor, 'lines'>) {
  const [areAllShown, setAllShown] = useState(false)
  const shown = areAllShown ? lines : lines.slice(0, FIRST_LINES)
  const rest = lines.length - shown.length
  return (
    <>
      <ul className={styles['lines']}>
        {shown.map(({ numbers }, index) => {
          const letter = letterOf(index)
          return (
            <li key={letter} className={styles['line']}>
              <span className={styles['letter']} aria-hidden="true">
                {letter}
              </span>
              <BallRow places={numbers} size={36} label={ORDER_TEXTS.lineName(letter)} onField />
            </li>
          )
        })}
      </ul>
      {rest > 0 && (
        <div>
          <Button variant="soft" size="small" onField onClick={() => setAllShown(true)}>
            {ORDER_TEXTS.moreLines(rest)}
          </Button>
        </div>
      )}
    </>
  )
}
