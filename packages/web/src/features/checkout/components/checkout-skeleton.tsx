import { paths } from '../../../shared/paths.ts'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './checkout-skeleton.module.css'

/** The payment while it loads, and if the server could not read it. */
export function CheckoutSkeleton({ orderId }: { orderId: string }) {
  return (
    <>
      <Loading>
        <Skeleton shape="block" className={styles['panel']} />
      </Loading>
      <noscript>
        <p>
          {CHECKOUT_TEXTS.notRead} <a href={paths.checkout(orderId)}>{CHECKOUT_TEXTS.lookAgain}</a>
        </p>
        <meta httpEquiv="refresh" content="10" />
      </noscript>
    </>
  )
}
