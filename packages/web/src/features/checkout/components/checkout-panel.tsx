import type { Checkout } from '@fairball/contract/schemas/order'
import { useClockValue } from '../../../app/clock.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { checkoutStateAt, pageOfAddress } from '../checkout-state.ts'
import type { CheckoutState } from '../checkout-state.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { useGoOnWhenPaid } from '../use-checkout.ts'
import { PaymentDetails } from './payment-details.tsx'
import { StateHead } from './state-head.tsx'
import styles from './checkout-panel.module.css'

/** One payment: how far it is, and what to do next. */
export function CheckoutPanel({ checkout }: { checkout: Checkout }) {
  const state = useClockValue((now) => checkoutStateAt(checkout, now))
  useGoOnWhenPaid(state === 'paid', checkout.return_url)
  return (
    <section className={styles['panel']} data-game={checkout.game_key} aria-label={CHECKOUT_TEXTS.title}>
      <StateHead checkout={checkout} state={state} />
      <div className={styles['body']}>
        <NextStep checkout={checkout} state={state} />
      </div>
    </section>
  )
}

function NextStep({ checkout, state }: { checkout: Checkout; state: CheckoutState }) {
  const back = pageOfAddress(checkout.return_url)
  switch (state) {
    case 'waiting':
    case 'underpaid':
      return <PaymentDetails checkout={checkout} isUnderpaid={state === 'underpaid'} />
    case 'confirming': {
      const words = CHECKOUT_TEXTS.confirmations(checkout.confirmations, checkout.confirmations_needed)
      return (
        <>
          <div className={styles['progress']}>
            <ProgressBar
              label={CHECKOUT_TEXTS.confirmationsLabel}
              value={checkout.confirmations}
              max={checkout.confirmations_needed}
              valueText={words}
            />
            <p>{words}</p>
          </div>
          <LinkButton href={back}>{CHECKOUT_TEXTS.backToGame}</LinkButton>
        </>
      )
    }
    case 'paid':
      return <LinkButton href={back}>{CHECKOUT_TEXTS.goOn}</LinkButton>
    case 'expired':
    case 'refunded':
      return <LinkButton href={back}>{CHECKOUT_TEXTS.backToGame}</LinkButton>
  }
}
