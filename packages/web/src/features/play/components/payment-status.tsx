import type { ReactNode } from 'react'
import { minutesAndSeconds } from '@fairball/domain/countdown'
import type { OrderPayment, PaidFor } from '@fairball/contract/schemas/order'
import { BlockBy } from '../../../shared/block-by.tsx'
import { ORDER_ENDED_TEXTS } from '../../../shared/order-ended-texts.ts'
import { useClockValue } from '../../../shared/use-clock.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { AlertIcon, ClockIcon, RefreshIcon } from '@fairball/ui/icons.tsx'
import { Spinner } from '@fairball/ui/spinner.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { PaymentView } from '../payment-view.ts'
import styles from './payment-status.module.css'

/** The states of an order that is not paid. */
type UnpaidView = Exclude<PaymentView, 'confirmed'>

/** The payment's progress, announced when it changes; the next steps are below. */
export function PaymentStatus({
  view,
  payment,
  progress,
  children,
}: {
  view: UnpaidView
  /** Undefined before the first answer. */
  payment: OrderPayment | undefined
  /** How far a seen payment is. */
  progress: ReactNode
  children: ReactNode
}) {
  const { title, head, texts } = useWords(view, payment)
  const blockBy = payment?.block_by
  return (
    <section className={styles['panel']} data-view={view}>
      <span className={styles['icon']}>
        <ViewIcon view={view} />
      </span>
      <div className={styles['words']} role="status">
        {head === undefined ? (
          <h2>{title}</h2>
        ) : (
          <>
            <p className={styles['title']}>{title}</p>
            <h2>{head}</h2>
          </>
        )}
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {blockBy !== undefined && <BlockBy at={blockBy} />}
      </div>
      {progress !== false && <div className={styles['progress']}>{progress}</div>}
      <div className={styles['buttons']}>{children}</div>
    </section>
  )
}

/** Counts down the time left to pay. A separate part that is not announced every second. */
function UnpaidHead({ order }: { order: PaidFor | undefined }) {
  const left = useClockValue((now) => minutesAndSeconds(order?.expires_at ?? now, now))
  const [before, after] = ORDER_TEXTS.unpaidHead
  return (
    <>
      {before}
      <span role="timer" aria-live="off">
        {left}
      </span>
      {after}
    </>
  )
}

/** The specification's title, below it the facts about an unpaid order, and the consequences. */
function useWords(
  view: UnpaidView,
  payment: OrderPayment | undefined,
): { title: string; head?: ReactNode; texts: string[] } {
  const { money } = usePlayerView()
  const order = payment?.order
  const { processing } = ORDER_TEXTS
  switch (view) {
    case 'checking':
      return { title: ORDER_TEXTS.checking, texts: [ORDER_TEXTS.checkingText] }
    case 'refunded':
      return { title: ORDER_TEXTS.refunded, texts: [ORDER_TEXTS.refundedText] }
    case 'unpaid': {
      const price = order && `${money(order.price.fiat)} · ${order.price.crypto.value} ${order.price.crypto.code}`
      return {
        title: processing,
        head: <UnpaidHead order={order} />,
        texts: [...(price === undefined ? [] : [price]), ORDER_TEXTS.oncePaid],
      }
    }
    case 'underpaid': {
      const missing = order?.missing ?? null
      const amount = missing === null ? ORDER_TEXTS.aPart : `${missing.value} ${missing.code}`
      return { title: processing, head: ORDER_TEXTS.underpaidHead(amount), texts: [ORDER_TEXTS.oncePaid] }
    }
    case 'processing': {
      // If a payment has to be in a block by some time, that time is the text.
      const isHeld = payment?.block_by !== undefined
      const isExpired = payment?.status === 'EXPIRED'
      const texts = isHeld && isExpired ? [] : [ORDER_TEXTS.processingText]
      return { title: processing, head: ORDER_TEXTS.processingHead, texts }
    }
    case 'expired': {
      const reason = payment?.ended_because
      // The player's own limits ended it, not the time.
      if (reason !== undefined)
        return { title: processing, head: ORDER_ENDED_TEXTS[reason], texts: [ORDER_ENDED_TEXTS.note] }
      return { title: processing, head: ORDER_TEXTS.expiredHead, texts: [ORDER_TEXTS.expiredText] }
    }
  }
}

function ViewIcon({ view }: { view: UnpaidView }) {
  switch (view) {
    case 'checking':
      return <Spinner />
    case 'unpaid':
    case 'processing':
      return <ClockIcon size={48} />
    case 'underpaid':
    case 'expired':
      return <AlertIcon size={48} />
    case 'refunded':
      return <RefreshIcon size={48} />
  }
}
