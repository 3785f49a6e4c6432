import { useState } from 'react'
import type { OrderPayment, PaidFor } from '@fairball/contract/schemas/order'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { dayWords } from '@fairball/domain/day-words'
import { timeLabel } from '@fairball/domain/draw-time-label'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { winHeadline } from '../../../shared/win-headline.ts'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { TICKET_WORDS } from '../ticket-messages.ts'
import { useDrawTicket } from '../use-draw-ticket.ts'
import styles from './your-draws.module.css'

/** Draws shown before the player asks for all: those to come, and those that are over. */
const FIRST_DRAWS = 6
const FIRST_PAST = 3

type PlayedDraw = PaidFor['draws'][number]

/** Props of {@link YourDraws}. */
interface YourDrawsProps {
  game: Game
  /** The draw that the ticket is about now, those after it, and those that are over. */
  lead: {
    readonly draw: PlayedDraw | undefined
    readonly later: readonly PlayedDraw[]
    readonly past: readonly PlayedDraw[]
  }
  transactionId: string
  /** Lines that came from another draw. */
  moved: NonNullable<OrderPayment['moved']>
}

/** The draws of a paid order by their dates, each with its state: those to come, then the others, the newest first. */
export function YourDraws({ game, lead, transactionId, moved }: YourDrawsProps) {
  const [areAllShown, setAllShown] = useState(false)
  const toCome = lead.draw === undefined ? [] : [lead.draw, ...lead.later]
  const past = lead.past.toReversed()
  const isMore = toCome.length > FIRST_DRAWS || past.length > FIRST_PAST
  const rows = (draws: readonly PlayedDraw[], first: number) => (
    <ul className={styles['draws']}>
      {(areAllShown ? draws : draws.slice(0, first)).map((draw) => (
        <li key={draw.number} className={styles['draw']} data-game={game.key}>
          <DrawRow
            gameKey={game.key}
            transactionId={transactionId}
            draw={draw}
            movedFrom={moved.find(({ to }) => to === draw.number)?.from ?? null}
          />
        </li>
      ))}
    </ul>
  )
  return (
    <Card title={TICKET_WORDS.draws}>
      {rows(toCome, FIRST_DRAWS)}
      {past.length > 0 && <p className={styles['past']}>{TICKET_WORDS.pastDraws}</p>}
      {past.length > 0 && rows(past, FIRST_PAST)}
      {isMore && !areAllShown && (
        <Button variant="soft" size="small" onClick={() => setAllShown(true)}>
          {TICKET_WORDS.allDraws(toCome.length + past.length)}
        </Button>
      )}
    </Card>
  )
}

/** Props of {@link DrawRow}. */
interface DrawRowProps {
  gameKey: string
  transactionId: string
  draw: PlayedDraw
  /** Number of the draw that its lines were ordered for, if that is another. */
  movedFrom: number | null
}

function DrawRow({ gameKey, transactionId, draw, movedFrom }: DrawRowProps) {
  const { utcOffsetAt } = usePlayerView()
  const ticket = useDrawTicket({ gameKey, transactionId, draw })
  const startAt = ticket?.draw.start_at ?? draw.start_at
  const local = startAt + utcOffsetAt(startAt)
  return (
    <>
      <time className={styles['day']} dateTime={new Date(startAt * 1000).toISOString()}>
        <strong>{new Date(local * 1000).getUTCDate()}</strong> {dayWords(local).weekday.slice(0, 3)}
      </time>
      <div>
        <h3 className={styles['name']}>{TICKET_WORDS.draw(draw.number)}</h3>
        <DrawState gameKey={gameKey} draw={draw} ticket={ticket} />
        {movedFrom !== null && <p className={styles['small']}>{TICKET_WORDS.movedFrom(movedFrom)}</p>}
      </div>
    </>
  )
}

/** A draw as the order has it, and as the player's ticket has it once that is known. */
interface DrawStateProps extends Pick<DrawRowProps, 'gameKey' | 'draw'> {
  ticket: Ticket | undefined
}

function DrawState({ gameKey, draw, ticket }: DrawStateProps) {
  const { utcOffsetAt } = usePlayerView()
  const moment = useMoments()
  const { start_at: startAt, ticket_sell_closes_at: closesAt } = ticket?.draw ?? draw
  const time = (at: number) => timeLabel(at, utcOffsetAt(at))
  const isClosed = useClockValue((now) => now >= closesAt)
  switch (ticket?.draw.status) {
    case 'LIVE':
      return (
        <p className={styles['small']}>
          <Tag kind="live">{TICKET_WORDS.live}</Tag> <Link href={paths.watch(gameKey)}>{TICKET_WORDS.watchLive}</Link>
        </p>
      )
    case 'POSTPONED':
      return (
        <p className={styles['small']}>
          <Tag kind="neutral">{TICKET_WORDS.delayed}</Tag> {TICKET_WORDS.delayedTo(moment(startAt))}
        </p>
      )
    case 'VOID':
      return (
        <p className={styles['small']}>
          <Tag kind="neutral">{TICKET_WORDS.notDrawn}</Tag> {TICKET_WORDS.movedOn}
        </p>
      )
    case 'DRAWN':
      return <Drawn gameKey={gameKey} ticket={ticket} />
    case 'CLOSED':
      return <p className={styles['small']}>{TICKET_WORDS.salesClosed(time(startAt))}</p>
    case 'UPCOMING':
    case undefined:
      return (
        <p className={styles['small']}>
          {isClosed ? TICKET_WORDS.salesClosed(time(startAt)) : TICKET_WORDS.salesClose(time(startAt), time(closesAt))}
        </p>
      )
  }
}

function Drawn({ gameKey, ticket }: { gameKey: string; ticket: Ticket }) {
  const { money } = usePlayerView()
  const { result, draw } = ticket
  const headline =
    result === null
      ? TICKET_WORDS.drawn
      : winHeadline({
          sum: result.amount_won === null ? null : money(result.amount_won.fiat),
          freeTickets: result.free_tickets,
          bestMatches: result.best_matches,
          balls: draw.numbers.length,
        })
  return (
    <p className={styles['small']}>
      <Link href={paths.draw(gameKey, draw.number)}>{headline}</Link>
    </p>
  )
}
