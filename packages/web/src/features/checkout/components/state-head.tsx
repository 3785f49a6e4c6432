import { INVOICE_SECONDS } from '@fairball/domain/order-status'
import type { Checkout } from '@fairball/contract/schemas/order'
import { minutesAndSeconds } from '@fairball/domain/countdown'
import { timeLabel } from '@fairball/domain/draw-time-label'
import { BlockBy } from '../../../shared/block-by.tsx'
import { useClockValue, useNow } from '../../../shared/use-clock.ts'
import { useUtcOffset } from '../../../shared/player-view.ts'
import { AlertIcon, CheckCircleIcon, ClockIcon, CloseIcon, RefreshIcon, WalletIcon } from '@fairball/ui/icons.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { canPay, isLastMoment } from '../checkout-state.ts'
import type { CheckoutState } from '../checkout-state.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { useHasScripts } from '../../../shared/has-scripts.ts'
import { CountdownRing } from './countdown-ring.tsx'
import styles from './state-head.module.css'

const ICONS = {
  waiting: WalletIcon,
  underpaid: AlertIcon,
  confirming: ClockIcon,
  unconfirmed: ClockIcon,
  reversed: RefreshIcon,
  paid: CheckCircleIcon,
  expired: CloseIcon,
  late: ClockIcon,
  returning: RefreshIcon,
  paused: CloseIcon,
  limited: CloseIcon,
  refunded: RefreshIcon,
} satisfies Record<CheckoutState, typeof WalletIcon>

/** The payment's progress, announced when it changes, and the time left. */
export function StateHead({
  checkout,
  state,
  goesOn,
}: {
  checkout: Checkout
  state: CheckoutState
  /** Whether the page continues automatically in a moment. */
  goesOn: boolean
}) {
  const Icon = ICONS[state]
  const { title, text } = CHECKOUT_TEXTS.states[state]
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
          <p>{goesOn ? CHECKOUT_TEXTS.paidGoesOn : text}</p>
          {state === 'confirming' && checkout.block_by !== null && <BlockBy at={checkout.block_by} />}
        </div>
        {canPay(state) && <TimeLeft until={checkout.expires_at} />}
      </div>
    </header>
  )
}

/** Minutes left at which the time is announced; fewer than three have a sentence of their own, which also shows. */
const ANNOUNCED = [1, 3, 5]

function TimeLeft({ until }: { until: number }) {
  const isLast = useClockValue((now) => isLastMoment(until, now))
  const minutes = useClockValue((now) => ANNOUNCED.find((most) => until - now <= most * 60) ?? null)
  const announced = minutes === 3 ? CHECKOUT_TEXTS.lastMoment : minutes && CHECKOUT_TEXTS.minutesLeft(minutes)
  return (
    <div className={styles['time']} data-last={isLast}>
      <Timer until={until} isLast={isLast} />
      {/* Each once, not every second. */}
      <VisuallyHidden live>{announced ?? ''}</VisuallyHidden>
    </div>
  )
}

/** The time left in a ring that empties with it. */
function Timer({ until, isLast }: { until: number; isLast: boolean }) {
  // This device's second may begin a moment before that of the invoice.
  const now = Math.max(useNow(), until - INVOICE_SECONDS)
  return (
    <>
      <div className={styles['clock']}>
        <CountdownRing share={Math.max(0, until - now) / INVOICE_SECONDS} />
        <p role="timer" aria-live="off" aria-label={CHECKOUT_TEXTS.timeLeft}>
          <strong>{minutesAndSeconds(until, now)}</strong>
        </p>
      </div>
      <p className={styles['left']}>
        <span aria-hidden="true">{isLast ? CHECKOUT_TEXTS.lastMoment : CHECKOUT_TEXTS.timeLeft}</span>{' '}
        <Until at={until} />
      </p>
    </>
  )
}

/** The absolute time, which is right even if the countdown does not run. */
function Until({ at }: { at: number }) {
  const hasScripts = useHasScripts()
  const offset = useUtcOffset()(at)
  const time = timeLabel(at, offset)
  return (
    <time dateTime={new Date(at * 1000).toISOString()}>{CHECKOUT_TEXTS.until(hasScripts ? time : `${time} UTC`)}</time>
  )
}
