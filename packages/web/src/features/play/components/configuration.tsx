import { useEffect, useRef } from 'react'
import { INVOICE_SECONDS } from '@fairball/domain/order-status'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import { useOrder } from '../use-order.ts'
import type { Order } from '../use-order.ts'
import { DrawSettings } from './draw-settings.tsx'
import { Lines } from './lines.tsx'
import { OrderReceipt } from './order-receipt.tsx'
import { OrderSteps } from './order-steps.tsx'
import { PaymentMethod } from './payment-method.tsx'
import { PrizeTable } from './prize-table.tsx'
import { QuickLuckyDip } from './quick-lucky-dip.tsx'
import { TwoColumns } from './two-columns.tsx'
import { Unavailable } from './unavailable.tsx'
import styles from './configuration.module.css'

/** Steps 1 and 2: the player puts the order together, then chooses how to pay. */
export function Configuration({ game, luckyDips }: { game: Game; luckyDips: number }) {
  const order = useOrder(game, luckyDips)
  // A player who already pays gets the payment itself.
  const isSold = game.is_on_sale || order.step > 1
  if (!order.isAvailable || !isSold) return <Unavailable game={game} />
  return (
    <>
      <Progress step={order.step} />
      <StaleRequest order={order} />
      {order.step === 1 ? <Numbers game={game} order={order} /> : <PaymentMethod game={game} order={order} />}
    </>
  )
}

/** Warns a player who came back from a payment request, while that can still be paid. */
function StaleRequest({ order }: { order: Order }) {
  const { attempt } = order.order
  const endsAt = attempt === null || attempt.orderId === null ? 0 : attempt.at + INVOICE_SECONDS
  const isOpen = useClockValue((now) => now < endsAt)
  if (!isOpen) return null
  return (
    <div className={styles['stale']}>
      <Banner kind="warning">
        <strong>{ORDER_TEXTS.staleRequest}</strong> {ORDER_TEXTS.staleRequestText}
      </Banner>
    </div>
  )
}

/** "Step n of 3". Players with a keyboard or a screen reader start there in each step. */
function Progress({ step }: { step: number }) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(step)
  useEffect(() => {
    if (before.current === step) return
    before.current = step
    place.current?.focus({ preventScroll: true })
  }, [step])
  return (
    <div ref={place} tabIndex={-1}>
      <OrderSteps step={step} />
    </div>
  )
}

function Numbers({ game, order }: { game: Game; order: Order }) {
  return (
    <TwoColumns
      main={
        <>
          <Lines game={game} order={order} />
          <QuickLuckyDip order={order} />
          <DrawSettings game={game} order={order} />
        </>
      }
      aside={
        <>
          <OrderReceipt game={game} order={order} />
          <PrizeTable game={game} />
        </>
      }
    />
  )
}
