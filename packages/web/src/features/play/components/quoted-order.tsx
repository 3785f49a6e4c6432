import { useClockValue } from '../../../shared/use-clock.ts'
import { DrawDates } from '../../../shared/draw-dates.tsx'
import type { Game } from '../../../shared/data/games.ts'
import { useDrawTime, usePlayerView, useUtcOffset } from '../../../shared/player-view.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { Link } from '@fairball/ui/link.tsx'
import { timeLabel } from '@fairball/domain/draw-time-label'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import { isLimit } from '../use-play.ts'
import { useQuote } from '../use-quote.ts'
import styles from './quoted-order.module.css'

/** How long before the close of sales a payment made now may confirm too late. */
const CLOSING_SECONDS = 40 * 60

/** The dates of the draws that an order made now is for. */
export function QuotedDraws({ game, order }: { game: Game; order: Order }) {
  const { data: quote, isError } = useQuote(game, order.wanted)
  if (quote === undefined) return isError ? '–' : '…'
  return <DrawDates draws={quote.draws} />
}

/** The next step, or the limit that the order would exceed, in the server's words. */
export function QuotedNote({ game, order, text }: { game: Game; order: Order; text: string }) {
  const { error } = useQuote(game, order.wanted)
  if (isLimit(error)) {
    return (
      <span role="status" className={styles['refused']}>
        {error.message}{' '}
        {error.reason === 'WEEKLY_LIMIT' && <Link href={paths.responsiblePlay()}>{ORDER_TEXTS.toLimits}</Link>}
      </span>
    )
  }
  return (
    <>
      {text} {!order.price.isFree && <ConfirmBy game={game} order={order} />}
    </>
  )
}

/** By when an order made now has to be confirmed for its first draw, while that is soon. */
function ConfirmBy({ game, order }: { game: Game; order: Order }) {
  const { data: quote } = useQuote(game, order.wanted)
  const [first] = quote?.draws ?? []
  const closesAt = first?.ticket_sell_closes_at ?? Infinity
  const isClosing = useClockValue((now) => now < closesAt && closesAt < now + CLOSING_SECONDS)
  if (quote === undefined || first === undefined || !isClosing) return null
  const next = game.open_draws.find(
    (draw) => draw.start_at > first.start_at && quote.draws.every(({ number }) => number !== draw.number),
  )
  return <Sentence draw={first} nextAt={next?.start_at} />
}

function Sentence({
  draw,
  nextAt,
}: {
  draw: { start_at: number; ticket_sell_closes_at: number }
  nextAt: number | undefined
}) {
  const { day } = useDrawTime(draw.start_at)
  const { shortDate } = usePlayerView()
  const moment = useMoments()
  const closesAt = draw.ticket_sell_closes_at
  const time = timeLabel(closesAt, useUtcOffset()(closesAt))
  // A date says nothing where the next draw is on the same day.
  const dateOf = (at: number) => (shortDate(at) === shortDate(draw.start_at) ? moment(at) : shortDate(at))
  return ORDER_TEXTS.confirmBy(time, day, nextAt === undefined ? null : dateOf(nextAt))
}
