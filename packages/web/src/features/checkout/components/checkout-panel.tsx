import type { Checkout } from '@fairball/contract/schemas/order'
import { useClockValue } from '../../../shared/use-clock.ts'
import { Confirmations } from '../../../shared/confirmations.tsx'
import { ComingChange } from '../../../shared/coming-change.tsx'
import { useGame } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { useMoments } from '../../../shared/moment.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { canPay, checkoutStateAt, isSome, pageOfAddress } from '../checkout-state.ts'
import type { CheckoutState } from '../checkout-state.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import { useGoOnWhenPaid, useRememberPaid } from '../use-checkout.ts'
import { PaymentDetails } from './payment-details.tsx'
import { PayingFor } from './paying-for.tsx'
import { StateHead } from './state-head.tsx'
import { Transactions } from './transactions.tsx'
import { UpToDate } from './up-to-date.tsx'
import styles from './checkout-panel.module.css'

/** One payment: its progress, and the next step. */
export function CheckoutPanel({
  checkout,
  silentSince,
}: {
  checkout: Checkout
  /** Time of the last answer, epoch seconds of this device, if no newer one is available; null while answers arrive. */
  silentSince: number | null
}) {
  const state = useClockValue((now) => checkoutStateAt(checkout, now))
  const isPlayer = useSession().status === 'player'
  // A visitor would be asked to log in there, and an overpayment is mentioned only here.
  const goesOn = state === 'paid' && isPlayer && !isSome(checkout.excess)
  useRememberPaid(state === 'paid', checkout.transaction_id)
  useGoOnWhenPaid(goesOn, checkout.return_url)
  const game = isPlayer ? pageOfAddress(checkout.return_url) : paths.game(checkout.game_key)
  return (
    <section className={styles['panel']} data-game={checkout.game_key} aria-label={CHECKOUT_TEXTS.title}>
      <StateHead checkout={checkout} state={state} goesOn={goesOn} />
      <div className={styles['body']}>
        <Notices checkout={checkout} state={state} />
        {canPay(state) && <PaymentDetails checkout={checkout} isUnderpaid={state === 'underpaid'} />}
        {isConfirming(state) && <Confirmations have={checkout.confirmations} need={checkout.confirmations_needed} />}
        <Transactions checkout={checkout} state={state} />
        {(canPay(state) || isConfirming(state)) && <PayingFor checkout={checkout} />}
        {!canPay(state) && (
          <LinkButton href={game}>{state === 'paid' ? CHECKOUT_TEXTS.goOn : CHECKOUT_TEXTS.backToGame}</LinkButton>
        )}
      </div>
      <UpToDate checkout={checkout} silentSince={silentSince} />
    </section>
  )
}

function isConfirming(state: CheckoutState): boolean {
  return state === 'confirming' || state === 'unconfirmed' || state === 'reversed' || state === 'late'
}

/** Unusual facts about the payment. */
function Notices({ checkout, state }: { checkout: Checkout; state: CheckoutState }) {
  const moment = useMoments()
  const { data: game } = useGame(checkout.game_key)
  const isTakenBack = checkout.is_taken_back && state !== 'reversed'
  return (
    <>
      {canPay(state) && game !== undefined && <ComingChange game={game} />}
      {isTakenBack && <Banner kind="warning">{CHECKOUT_TEXTS.takenBack}</Banner>}
      {state === 'paid' && checkout.moved.length > 0 && (
        <Banner kind="info">
          {checkout.moved.map(({ from, to, date }) => (
            <p key={from}>{CHECKOUT_TEXTS.moved(from, to, moment(date))}</p>
          ))}
          <p>{CHECKOUT_TEXTS.movedNote}</p>
        </Banner>
      )}
      {isSome(checkout.excess) && state !== 'refunded' && (
        <Banner kind="info">{CHECKOUT_TEXTS.overpaid(checkout.excess.value)}</Banner>
      )}
    </>
  )
}
