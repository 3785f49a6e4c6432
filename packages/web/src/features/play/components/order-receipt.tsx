import { Button } from '../../../ui/button.tsx'
import { ArrowRightIcon } from '../../../ui/icons.tsx'
import { Receipt } from '../../../ui/receipt.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import styles from './order-receipt.module.css'

/** Every factor of the price, and the way to the payment: at the side, or as a bar at the bottom of narrow screens. */
export function OrderReceipt({ order }: { order: Order }) {
  const { price } = order
  const canPlay = price.entries > 0 && price.isKnown
  const play = (size: 'hero' | 'normal') => (
    <Button
      size={size}
      block={size === 'hero'}
      disabled={!canPlay}
      iconEnd={<ArrowRightIcon />}
      onClick={order.goToPayment}
    >
      {ORDER_TEXTS.play}
    </Button>
  )
  return (
    <>
      <Receipt
        title={ORDER_TEXTS.order}
        items={receiptItems(order)}
        totalLabel={ORDER_TEXTS.orderTotal}
        total={price.total}
        action={<div className={styles['beside']}>{play('hero')}</div>}
        note={playNoteOf(price)}
      />
      <div className={styles['bar']}>
        <p className={styles['sum']}>
          <span>{ORDER_TEXTS.orderTotal}</span>
          <strong>{price.total}</strong>
        </p>
        {play('normal')}
      </div>
    </>
  )
}

/** The next step: nothing to pay if free tickets are enough. */
function playNoteOf({ entries, isFree }: Order['price']): string {
  if (entries === 0) return ORDER_TEXTS.playNothing
  return isFree ? ORDER_TEXTS.freeNote : ORDER_TEXTS.playNote
}

/** The factors of the sum in the order of the calculation. */
export function receiptItems(order: Order) {
  const { price } = order
  return [
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
