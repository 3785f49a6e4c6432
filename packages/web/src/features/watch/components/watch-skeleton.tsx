import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import styles from './watch-skeleton.module.css'

/** The page while its game loads. */
export function WatchSkeleton() {
  return (
    <Loading>
      <Skeleton shape="block" className={styles['stage']} />
      <Skeleton shape="block" className={styles['prizes']} />
    </Loading>
  )
}
