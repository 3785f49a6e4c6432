import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import styles from './play-skeleton.module.css'

/** A game's page while it loads. */
export function PlaySkeleton() {
  return (
    <Loading>
      <Skeleton shape="block" className={styles['header']} />
      <div className={styles['columns']}>
        <Skeleton shape="block" className={styles['panel']} />
        <Skeleton shape="block" className={styles['panel']} />
      </div>
    </Loading>
  )
}
