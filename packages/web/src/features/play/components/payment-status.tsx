import type { ReactNode } from 'react'
import type { OrderPayment } from '@fairball/contract/schemas/order'
import { usePlayerView } from '../../../app/player-view.ts'
import { AlertIcon, CheckCircleIcon, ClockIcon, RefreshIcon } from '../../../ui/icons.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { PaymentView } from '../payment-view.ts'
import styles from './payment-status.module.css'

/** How far the payment is, read out when it changes; what can be done next stands below. */
export function PaymentStatus({
  view,
  moved,
  children,
}: {
  view: PaymentView
  /** Lines that are in a later draw than the order named. */
  moved: NonNullable<OrderPayment['moved']>
  children: ReactNode
}) {
  const { title, text, note } = WORDS[view]
  const { dateTime } = usePlayerView()
  return (
    <section className={styles['panel']} data-view={view}>
      <span className={styles['icon']}>
        <ViewIcon view={view} />
      </span>
      <div className={styles['words']} role="status">
        <h2>{title}</h2>
        {note !== undefined && <p>{note}</p>}
        <p>{text}</p>
        {moved.map(({ from, to, date }) => (
          <p key={from}>{ORDER_TEXTS.moved(from, to, dateTime(date))}</p>
        ))}
        {moved.length > 0 && <p>{ORDER_TEXTS.movedNote}</p>}
      </div>
      <div className={styles['buttons']}>{children}</div>
    </section>
  )
}

const { processing, processingText } = ORDER_TEXTS
const WORDS: Record<PaymentView, { title: string; text: string; note?: string }> = {
  checking: { title: ORDER_TEXTS.checking, text: ORDER_TEXTS.checkingText },
  confirmed: { title: ORDER_TEXTS.confirmed, text: ORDER_TEXTS.confirmedText },
  unpaid: { title: processing, text: processingText },
  processing: { title: processing, text: processingText },
  underpaid: { title: processing, text: processingText, note: ORDER_TEXTS.underpaidText },
  expired: { title: processing, text: processingText, note: ORDER_TEXTS.expiredText },
  refunded: { title: ORDER_TEXTS.refunded, text: ORDER_TEXTS.refundedText },
}

function ViewIcon({ view }: { view: PaymentView }) {
  switch (view) {
    case 'checking':
      return <Spinner />
    case 'confirmed':
      return <CheckCircleIcon size={48} />
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
