import { INVOICE_SECONDS } from '@fairball/domain/order-status'
import type { Checkout } from '@fairball/contract/schemas/order'
import { minutesAndSeconds } from '@fairball/domain/countdown'
import { useNow } from '../../../app/clock.ts'
import { AlertIcon, CheckCircleIcon, ClockIcon, RefreshIcon, WalletIcon } from '../../../ui/icons.tsx'
import type { CheckoutState } from '../checkout-state.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './state-head.module.css'

const ICONS = {
  waiting: WalletIcon,
  underpaid: AlertIcon,
  confirming: ClockIcon,
  paid: CheckCircleIcon,
  expired: ClockIcon,
  refunded: RefreshIcon,
} satisfies Record<CheckoutState, typeof WalletIcon>

/** How far the payment is, read out when it changes, and the time that is left. */
export function StateHead({ checkout, state }: { checkout: Checkout; state: CheckoutState }) {
  const Icon = ICONS[state]
  const { title, text } = CHECKOUT_TEXTS.states[state]
  const canPay = state === 'waiting' || state === 'underpaid'
  return (
    <header className={styles['head']} data-state={state}>
      <div className={styles['order']}>
        <strong>{checkout.game_name}</strong>
        <span>{CHECKOUT_TEXTS.summary(checkout.lines, checkout.draws)}</span>
      </div>
      <div className={styles['state']}>
        <span className={styles['icon']}>
          <Icon size={32} />
        </span>
        <div className={styles['words']} role="status">
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        {canPay && <TimeLeft until={checkout.expires_at} />}
      </div>
    </header>
  )
}

function TimeLeft({ until }: { until: number }) {
  // This device's second may begin a moment before the one the invoice was made in.
  const now = Math.max(useNow(), until - INVOICE_SECONDS)
  return (
    <p className={styles['time']} role="timer" aria-live="off" aria-label={CHECKOUT_TEXTS.timeLeft}>
      <strong>{minutesAndSeconds(until, now)}</strong>
      <span>{CHECKOUT_TEXTS.timeLeft}</span>
    </p>
  )
}
