import { Button } from '../../../ui/button.tsx'
import { ArrowRightIcon } from '../../../ui/icons.tsx'
import { Receipt } from '../../../ui/receipt.tsx'
import { PLAY_TEXTS } from '../messages.ts'
import type { Order } from '../use-order.ts'
import styles from './order-receipt.module.css'

/** Every factor of the price, and the way to the payment: at the side, or as a bar at the bottom where there is no side. */
export function OrderReceipt({ order }: { order: Order }) {
  const { price } = order
  const canPlay = price.entries > 0
  const play = (size: 'hero' | 'normal') => (
    <Button
      size={size}
      block={size === 'hero'}
      disabled={!canPlay}
      iconEnd={<ArrowRightIcon />}
      onClick={order.goToPayment}
    >
      {PLAY_TEXTS.play}
    </Button>
  )
  return (
    <>
      <Receipt
        title={PLAY_TEXTS.order}
        items={receiptItems(order)}
        totalLabel={PLAY_TEXTS.orderTotal}
        total={price.total}
        action={<div className={styles['beside']}>{play('hero')}</div>}
        note={canPlay ? PLAY_TEXTS.playNote : PLAY_TEXTS.playNothing}
      />
      <div className={styles['bar']}>
        <p className={styles['sum']}>
          <span>{PLAY_TEXTS.orderTotal}</span>
          <strong>{price.total}</strong>
        </p>
        {play('normal')}
      </div>
    </>
  )
}

/** The factors of the sum in the order of the calculation. */
export function receiptItems(order: Order) {
  const { price } = order
  return [
    { term: PLAY_TEXTS.orderLines, value: order.complete.length },
    { term: PLAY_TEXTS.orderDays, value: `× ${order.days.length}` },
    { term: PLAY_TEXTS.orderWeeks, value: `× ${order.order.weeks}` },
    ...(price.freeTickets > 0 ? [{ term: PLAY_TEXTS.orderFree, value: `− ${price.freeTickets}` }] : []),
    { term: PLAY_TEXTS.orderPrice, value: price.ticket },
  ]
}
