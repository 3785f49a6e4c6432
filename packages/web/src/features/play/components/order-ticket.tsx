import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { PaidFor } from '@fairball/contract/schemas/order'
import { formatMoney } from '@fairball/domain/fiat'
import { timeLabel } from '@fairball/domain/draw-time-label'
import { letterOf } from '@fairball/domain/line-letters'
import { BATCH_SECONDS } from '@fairball/domain/protocol/numbers'
import { usePlayReceipt } from '../../../proof/play-receipt.ts'
import { useClockValue } from '../../../shared/use-clock.ts'
import { useConfig } from '../../../shared/config.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { amountIn, fiatIn, usePlayerView } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { UntilDraw } from '../../../shared/until-draw.tsx'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { ClockIcon } from '@fairball/ui/icons.tsx'
import { isFree } from '../payment-view.ts'
import { TICKET_WORDS } from '../ticket-messages.ts'
import styles from './order-ticket.module.css'

const QrCode = lazy(async () => ({ default: (await import('@fairball/ui/qr-code.tsx')).QrCode }))

/** Lines shown before the player asks for all. */
const FIRST_LINES = 5
/** Draws named beside the first; of more, only the first of them is. */
const MOST_OTHERS = 2
/** Digits of a receipt's hash on the stub: the first and the last. */
const HASH_DIGITS = 8
const MINUTE = 60

/** A draw of the ticket. */
type TicketDraw = PaidFor['draws'][number]

/** Props of {@link OrderTicket}. */
interface OrderTicketProps {
  game: Game
  order: PaidFor
  /** The draw that it is about now, and those after it. By default the first. */
  lead?: { readonly draw: TicketDraw | undefined; readonly later: readonly TicketDraw[] }
  /** That draw has a new start. */
  isDelayed?: boolean
  /** Buttons on the stub. */
  children?: ReactNode
}

/** An order as a ticket: its next draw and its lines on the game's colour; price, receipt and code on the stub. */
export function OrderTicket({ game, order, lead, isDelayed = false, children }: OrderTicketProps) {
  const { draws, lines } = order
  const { draw: first, later } = lead ?? { draw: draws[0], later: draws.slice(1) }
  return (
    <section className={styles['ticket']} data-game={game.key} aria-label={TICKET_WORDS.ticket}>
      <div className={styles['field']}>
        <div className={styles['head']}>
          <div>
            <h2 className={styles['name']}>
              {first === undefined ? game.name : TICKET_WORDS.ticketOf(game.name, first.number)}
            </h2>
            {first !== undefined && <TicketDates first={first} later={later} isDelayed={isDelayed} />}
          </div>
          {first !== undefined && <TimeLeft draw={first} />}
        </div>
        <div className={styles['body']}>
          <TicketLines lines={lines} />
          {first !== undefined && first.number === game.next_draw.number && <Jackpot game={game} draw={first} />}
        </div>
      </div>
      <div className={styles['stub']}>
        <Stub game={game} order={order} first={first} />
        {children !== undefined && <div className={styles['buttons']}>{children}</div>}
      </div>
    </section>
  )
}

function TicketDates({
  first,
  later,
  isDelayed,
}: {
  first: TicketDraw
  later: readonly TicketDraw[]
  isDelayed: boolean
}) {
  const moment = useMoments()
  const named = later.length > MOST_OTHERS ? later.slice(0, 1) : later
  const rest = later.slice(named.length)
  return (
    <>
      <p className={styles['when']}>
        <DrawTime at={first.start_at} />
      </p>
      {isDelayed && <p className={styles['also']}>{TICKET_WORDS.delayedNote}</p>}
      {named.map(({ number, start_at: at }) => (
        <p key={number} className={styles['also']}>
          {TICKET_WORDS.alsoIn(number, moment(at))}
        </p>
      ))}
      {rest.length > 0 && (
        <details className={styles['also']}>
          <summary>{TICKET_WORDS.moreDraws(rest.length)}</summary>
          <ul>
            {rest.map(({ number, start_at: at }) => (
              <li key={number}>
                {TICKET_WORDS.draw(number)} · <DrawTime at={at} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function DrawTime({ at }: { at: number }) {
  const moment = useMoments()
  return <time dateTime={new Date(at * 1000).toISOString()}>{moment(at)}</time>
}

/** The time until the draw; nothing once it has begun. */
function TimeLeft({ draw: { start_at: startAt } }: { draw: TicketDraw }) {
  const isComing = useClockValue((now) => now < startAt)
  if (!isComing) return null
  return (
    <div className={styles['countdown']}>
      <UntilDraw startAt={startAt} />
    </div>
  )
}

/** What the draw is for; nothing once it has begun. */
function Jackpot({ game, draw: { start_at: startAt } }: { game: Game; draw: TicketDraw }) {
  const { figure } = usePlayerView()
  const isComing = useClockValue((now) => now < startAt)
  if (!isComing) return null
  return (
    <p className={styles['jackpot']}>
      {TICKET_WORDS.playingFor}
      <strong>
        <Figure text={figure(game.jackpot.fiat)} />
      </strong>
      {TICKET_WORDS.jackpot}
    </p>
  )
}

/** The first lines, and a button that shows the rest. */
function TicketLines({ lines }: Pick<PaidFor, 'lines'>) {
  const [areAllShown, setAllShown] = useState(false)
  const shown = areAllShown ? lines : lines.slice(0, FIRST_LINES)
  const rest = lines.length - shown.length
  return (
    <div className={styles['lines']}>
      <ul>
        {shown.map(({ numbers, is_lucky_dip: isLuckyDip }, index) => {
          const letter = letterOf(index)
          return (
            <li key={letter} className={styles['line']}>
              <span className={styles['letter']} aria-hidden="true">
                {letter}
              </span>
              <BallRow places={numbers} size={36} label={TICKET_WORDS.lineName(letter)} onField />
              {isLuckyDip && <span className={styles['dip']}>{TICKET_WORDS.luckyDip}</span>}
            </li>
          )
        })}
      </ul>
      {rest > 0 && (
        <Button variant="soft" size="small" onField onClick={() => setAllShown(true)}>
          {TICKET_WORDS.moreLines(rest)}
        </Button>
      )}
    </div>
  )
}

/** What the order cost, its receipt in one draw, and the code that proves it once its lines are in the draw's list. */
function Stub({ game, order, first }: { game: Game; order: PaidFor; first: TicketDraw | undefined }) {
  const moment = useMoments()
  const { money } = usePlayerView()
  const { publicUrl } = useConfig()
  const { draws, lines, price, paid_at: paidAt } = order
  const linePrice = useLinePrice(game, order)
  const receipt = useTicketReceipt(game, first)
  const closesAt = first?.ticket_sell_closes_at ?? 0
  const isClosed = useClockValue((now) => now >= closesAt)
  const facts = [
    { term: TICKET_WORDS.price, value: TICKET_WORDS.factors(lines.length, draws.length, linePrice) },
    {
      term: paidAt === null ? TICKET_WORDS.toPay : TICKET_WORDS.paid,
      value: isFree(price) ? (
        TICKET_WORDS.freeTickets(lines.length * draws.length)
      ) : (
        <>
          {money(price.fiat)}{' '}
          <span className={styles['crypto']}>
            {price.crypto.value} {price.crypto.code}
          </span>
        </>
      ),
    },
    ...(paidAt === null ? [] : [{ term: TICKET_WORDS.paidOn, value: moment(paidAt) }]),
    ...(first === undefined || first.play_id === null
      ? []
      : [{ term: TICKET_WORDS.receipt, value: <ReceiptHash hash={receipt?.hash} paidAt={paidAt} /> }]),
    ...(first === undefined
      ? []
      : [{ term: isClosed ? TICKET_WORDS.closed : TICKET_WORDS.closes, value: moment(closesAt) }]),
  ]
  return (
    <div className={styles['facts']}>
      <DefinitionList items={facts} />
      {first !== undefined && first.play_id !== null && (
        <div className={styles['proof']}>
          <div className={styles['code']}>
            {receipt?.hash === null && <CodeToCome paidAt={paidAt} />}
            <Suspense>
              {receipt?.code != null && (
                <QrCode
                  text={`${publicUrl}${paths.proof(game.key, first.number)}#${receipt.code}`}
                  label={TICKET_WORDS.code}
                />
              )}
            </Suspense>
          </div>
          <p className={styles['note']}>{TICKET_WORDS.codeNote}</p>
        </div>
      )}
    </div>
  )
}

/** The place of the code: what comes, and when at the latest. The page asks for it until it is there. */
function CodeToCome({ paidAt }: { paidAt: number | null }) {
  const time = useReceiptTime(paidAt)
  return (
    <p>
      <ClockIcon size={24} />
      {TICKET_WORDS.codeLater(time)}
    </p>
  )
}

/** @returns the time by which an order's receipt is there; null once that has passed, as after a move of its lines */
function useReceiptTime(paidAt: number | null): string | null {
  const { utcOffsetAt } = usePlayerView()
  const at = Math.ceil(((paidAt ?? 0) + BATCH_SECONDS) / MINUTE) * MINUTE
  const isToCome = useClockValue((now) => now < at)
  return isToCome ? timeLabel(at, utcOffsetAt(at)) : null
}

function ReceiptHash({ hash, paidAt }: { hash: string | null | undefined; paidAt: number | null }) {
  const time = useReceiptTime(paidAt)
  if (hash === undefined) return '…'
  if (hash === null) return TICKET_WORDS.receiptLater(time)
  return (
    <span className={styles['hash']} title={hash}>
      {hash.slice(0, HASH_DIGITS)}…{hash.slice(-HASH_DIGITS)}
    </span>
  )
}

function useTicketReceipt(game: Game, draw: TicketDraw | undefined) {
  const { data } = usePlayReceipt(
    draw === undefined || draw.play_id === null
      ? null
      : { id: draw.play_id, draw: { number: draw.number }, game: game.key, nextDraw: game.next_draw.number },
  )
  return data
}

/**
 * @returns what a line costs in one draw; null if the sum is another, as with free tickets or after a change of the
 *   price
 */
function useLinePrice(game: Game, { lines, draws, price }: PaidFor): string | null {
  const { currencyCode } = useSession()
  const one = amountIn(game.ticket_price.fiat, currencyCode)
  if (one === null) return null
  const [total, each] = [fiatIn(price.fiat, currencyCode).value, one.value].map((value) => Math.round(value * 100))
  return each !== undefined && each * lines.length * draws.length === total ? formatMoney(one) : null
}
