import { useClockValue } from '../../shared/use-clock.ts'
import { ORDER_STEPS } from '../../shared/order/order-steps.ts'
import { paths } from '../../shared/paths.ts'
import { pageNotFound } from '../../shared/screen.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Steps } from '@fairball/ui/steps.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { checkoutStateAt } from './checkout-state.ts'
import { ChangeOrder } from './components/change-order.tsx'
import { CheckoutPanel } from './components/checkout-panel.tsx'
import { CheckoutSkeleton } from './components/checkout-skeleton.tsx'
import { CHECKOUT_TEXTS } from './messages.ts'
import { checkoutQuery, isGone, useCheckout } from './use-checkout.ts'
import styles from './checkout-screen.module.css'

/** Props of {@link CheckoutScreen}. */
export interface CheckoutScreenProps {
  orderId: string
}

/** The payment is in the HTML, so that it works without scripts; an order that does not exist has no page. */
export const load: ScreenLoader<CheckoutScreenProps> = async ({ api, queryClient }, { orderId }) => {
  // In the browser the screen fetches the payment itself.
  if (!import.meta.env.SSR) return
  try {
    await queryClient.ensureQueryData(checkoutQuery(api, orderId))
  } catch (error) {
    if (isGone(error)) throw pageNotFound()
    throw error
  }
}

/**
 * The page to pay an order at one of our addresses: amount, address, deadline and progress. Anyone with the order's id
 * may see it: the wallet is often on another device than the player's session.
 */
export function CheckoutScreen({ orderId }: CheckoutScreenProps) {
  return (
    <div className={styles['page']} data-foot="slim" data-tab-bar="none">
      <TopLine orderId={orderId} />
      {/* React puts it into the document's head. */}
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <PageTitle>{CHECKOUT_TEXTS.title}</PageTitle>
      <Payment orderId={orderId} />
    </div>
  )
}

/** The way back, while nothing is paid, and the progress of the order. */
function TopLine({ orderId }: CheckoutScreenProps) {
  const { data: checkout } = useCheckout(orderId)
  const isUnpaid = useClockValue((now) => checkout !== undefined && checkoutStateAt(checkout, now) === 'waiting')
  return (
    <div data-game={checkout?.game_key}>
      {checkout !== undefined && isUnpaid && <ChangeOrder checkout={checkout} />}
      <Steps current={2} names={ORDER_STEPS} />
    </div>
  )
}

function Payment({ orderId }: CheckoutScreenProps) {
  const checkout = useCheckout(orderId)
  const isSilent = checkout.isError || checkout.isPaused
  if (checkout.data !== undefined) {
    return <CheckoutPanel checkout={checkout.data} silentSince={isSilent ? checkout.dataUpdatedAt / 1000 : null} />
  }
  if (isGone(checkout.error)) {
    const home = <LinkButton href={paths.home()}>{CHECKOUT_TEXTS.home}</LinkButton>
    return <EmptyState text={CHECKOUT_TEXTS.notFound} action={home} />
  }
  if (isSilent) return <LoadFailed onRetry={() => void checkout.refetch()} />
  return <CheckoutSkeleton orderId={orderId} />
}
