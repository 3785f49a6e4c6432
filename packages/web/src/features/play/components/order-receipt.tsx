import { lazy, Suspense, useState } from 'react'
import { LaterPart } from '../../../shared/later-part.tsx'
import type { Game } from '../../../shared/data/games.ts'
import { afterPaint } from '@fairball/ui/after-paint.ts'
import { Button } from '@fairball/ui/button.tsx'
import { ArrowRightIcon } from '@fairball/ui/icons.tsx'
import { Receipt } from '@fairball/ui/receipt.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import styles from './order-receipt.module.css'

const QuotedDraws = lazy(async () => ({ default: (await import('./quoted-order.tsx')).QuotedDraws }))
const QuotedNote = lazy(async () => ({ default: (await import('./quoted-order.tsx')).QuotedNote }))

/** The note under the total, which says why Play is disabled. */
const NOTE_ID = 'order-note'

/** Every factor of the price, and the way to the payment: at the side, or as a bar at the bottom of narrow screens. */
export function OrderReceipt({ game, order }: { game: Game; order: Order }) {
  const { price } = order
  const canPlay = price.entries > 0 && price.isKnown
  const [isLeaving, leave] = useLeaving(order.goToPayment)
  const play = (size: 'hero' | 'normal') => (
    <Button
      size={size}
      block={size === 'hero'}
      disabled={!canPlay}
      aria-describedby={canPlay ? undefined : NOTE_ID}
      iconEnd={<ArrowRightIcon />}
      busy={isLeaving}
      onClick={leave}
    >
      {ORDER_TEXTS.play}
    </Button>
  )
  return (
    <>
      <Receipt
        title={ORDER_TEXTS.order}
        items={receiptItems(game, order)}
        totalLabel={ORDER_TEXTS.orderTotal}
        total={price.total}
        action={<div className={styles['beside']}>{play('hero')}</div>}
        note={<OrderNote game={game} order={order} text={playNoteOf(price)} />}
      />
      <div className={styles['bar']}>
        <p className={styles['sum']}>
          <span>{ORDER_TEXTS.orderTotal}</span>
          <strong>{price.total}</strong>
          {price.entries === 0 && <span className={styles['why']}>{ORDER_TEXTS.playNothing}</span>}
        </p>
        {play('normal')}
      </div>
    </>
  )
}

/** @returns whether the next step is being made, and the function that begins it: the press shows before that work. */
function useLeaving(goOn: () => void): [isLeaving: boolean, leave: () => void] {
  const [isLeaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    afterPaint(() => {
      goOn()
      setLeaving(false)
    })
  }
  return [isLeaving, leave]
}

/** The next step: nothing to pay if free tickets are enough. */
function playNoteOf({ entries, isFree }: Order['price']): string {
  if (entries === 0) return ORDER_TEXTS.playNothing
  return isFree ? ORDER_TEXTS.freeNote : ORDER_TEXTS.playNote
}

/**
 * The sentence about the next step, and the time by which a payment has to confirm, if that is soon; or the limit that
 * the order would exceed.
 */
export function OrderNote({ game, order, text }: { game: Game; order: Order; text: string }) {
  return (
    <span id={NOTE_ID}>
      {order.price.entries === 0 ? (
        text
      ) : (
        <Suspense fallback={text}>
          <QuotedNote game={game} order={order} text={text} />
        </Suspense>
      )}
    </span>
  )
}

/** The draws of the order, then the factors of the sum in the order of the calculation. */
export function receiptItems(game: Game, order: Order) {
  const { price } = order
  const draws = (
    <LaterPart fallback="…">
      <QuotedDraws game={game} order={order} />
    </LaterPart>
  )
  return [
    ...(price.entries > 0 ? [{ term: ORDER_TEXTS.orderDraws, value: draws }] : []),
    { term: ORDER_TEXTS.orderLines, value: order.complete.length },
    { term: ORDER_TEXTS.orderDays, value: `× ${order.days.length}` },
    { term: ORDER_TEXTS.orderWeeks, value: `× ${order.weeks}` },
    ...(price.freeTickets > 0
      ? [
          {
            term: ORDER_TEXTS.orderFree,
            value: price.entries > 0 ? `− ${price.freeTickets}` : String(price.freeTickets),
          },
        ]
      : []),
    { term: ORDER_TEXTS.orderPrice, value: price.ticket },
  ]
}
