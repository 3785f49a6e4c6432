import { lazy, Suspense, useDeferredValue } from 'react'
import type { OrderPayment } from '@fairball/contract/schemas/order'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { CheckCircleIcon } from '@fairball/ui/icons.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import { TICKET_WORDS } from '../ticket-messages.ts'
import { useLeadDraw } from '../use-lead-draw.ts'
import { OrderTicket } from './order-ticket.tsx'
import styles from './paid-order.module.css'
import { SoftCalendar, TicketNextStep } from './ticket-next-step.tsx'
import { TicketResult } from './ticket-result.tsx'
import { TwoColumns } from './two-columns.tsx'
import { YourDraws } from './your-draws.tsx'

const PrintTickets = lazy(() => import('../../../proof/print-tickets.tsx'))

/** Props of {@link PaidOrder}. */
interface PaidOrderProps {
  game: Game
  transactionId: string
  payment: OrderPayment
  /** It was paid while the page was open: the ticket slides out from under the steps. */
  isNew: boolean
}

/** A paid order: the ticket, the one thing that is still missing, and its draws. */
export function PaidOrder({ game, transactionId, payment, isNew }: PaidOrderProps) {
  const { order, moved = [] } = payment
  const { draws, lines } = order
  const lead = useLeadDraw({ game, order, transactionId })
  // First the ticket alone: the rest is as much work again for a slow phone.
  const isWhole = useDeferredValue(true, false)
  const printed = draws.flatMap(({ play_id: playId, number, start_at: startAt }) =>
    playId === null
      ? []
      : [
          {
            playId,
            gameKey: game.key,
            gameName: game.name,
            draw: number,
            startAt,
            lines: lines.map(({ numbers }) => numbers),
          },
        ],
  )
  return (
    <TwoColumns
      main={
        <div className={styles['way']}>
          <div className={styles['paid']} data-new={isNew || undefined}>
            <PaidHead payment={payment} />
            <TicketResult game={game} order={order}>
              <OrderTicket game={game} order={order} lead={lead} isDelayed={lead.ticket?.draw.status === 'POSTPONED'}>
                <SoftCalendar game={game} order={order} />
                <Suspense>{printed.length > 0 && <PrintTickets plays={printed} />}</Suspense>
                <LinkButton href={paths.results(game.key)} variant="soft">
                  {ORDER_TEXTS.checkNumbers}
                </LinkButton>
                <LinkButton href={paths.game(game.key)} variant="soft">
                  {ORDER_TEXTS.playMore}
                </LinkButton>
              </OrderTicket>
            </TicketResult>
          </div>
        </div>
      }
      aside={
        isWhole && (
          <>
            <TicketNextStep game={game} order={order} />
            <YourDraws game={game} lead={lead} moved={moved} transactionId={transactionId} />
          </>
        )
      }
    />
  )
}

function PaidHead({ payment: { order, moved = [] } }: Pick<PaidOrderProps, 'payment'>) {
  const moment = useMoments()
  const lastAt = order.draws.at(-1)?.start_at ?? 0
  const isComing = useClockValue((now) => now < lastAt)
  return (
    <div>
      <p className={styles['tag']}>
        <CheckCircleIcon size={24} />
        {TICKET_WORDS.isIn}
      </p>
      <h2 className={styles['title']}>{TICKET_WORDS.confirmed}</h2>
      <p className={styles['lead']}>{TICKET_WORDS.confirmedText(order.lines.length, order.draws.length, isComing)}</p>
      {moved.map(({ from, to, date }) => (
        <p key={from} className={styles['lead']}>
          {ORDER_TEXTS.moved(from, to, moment(date))}
        </p>
      ))}
      {moved.length > 0 && <p className={styles['lead']}>{ORDER_TEXTS.movedNote}</p>}
    </div>
  )
}
