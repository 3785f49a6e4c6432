import { ApiError } from '@fairball/contract/client'
import { paths } from '../../app/paths.ts'
import { useSession } from '../../app/session/use-session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, LoadFailed } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { CheckoutPanel } from './components/checkout-panel.tsx'
import { CheckoutSkeleton } from './components/checkout-skeleton.tsx'
import { CHECKOUT_TEXTS } from './messages.ts'
import { useCheckout } from './use-checkout.ts'
import styles from './checkout-screen.module.css'

/** Props of {@link CheckoutScreen}. */
export interface CheckoutScreenProps {
  orderId: string
}

/** Where an order is paid at an address of our own: what to send where, until when, and how far it is. */
export function CheckoutScreen({ orderId }: CheckoutScreenProps) {
  return (
    <div className={styles['page']}>
      <PageTitle>{CHECKOUT_TEXTS.title}</PageTitle>
      <Payment orderId={orderId} />
    </div>
  )
}

function Payment({ orderId }: CheckoutScreenProps) {
  const { status } = useSession()
  const checkout = useCheckout(orderId)
  if (status === 'anonymous') {
    const login = <LinkButton href={paths.login(paths.checkout(orderId))}>{CHECKOUT_TEXTS.login}</LinkButton>
    return <EmptyState text={CHECKOUT_TEXTS.loginText} action={login} />
  }
  if (checkout.data !== undefined) return <CheckoutPanel checkout={checkout.data} />
  if (checkout.isPending) return <CheckoutSkeleton />
  if (checkout.error instanceof ApiError && checkout.error.code === 'NOT_FOUND') {
    const home = <LinkButton href={paths.home()}>{CHECKOUT_TEXTS.home}</LinkButton>
    return <EmptyState text={CHECKOUT_TEXTS.notFound} action={home} />
  }
  return <LoadFailed onRetry={() => void checkout.refetch()} />
}
