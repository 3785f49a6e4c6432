import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import styles from './checkout-skeleton.module.css'

/** The payment while it loads. */
export function CheckoutSkeleton() {
  return (
    <Loading>
      <Skeleton shape="block" className={styles['panel']} />
    </Loading>
  )
}
