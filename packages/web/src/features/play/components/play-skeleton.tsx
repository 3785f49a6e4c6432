import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import styles from './play-skeleton.module.css'

const COLUMNS = (
  <div className={styles['columns']}>
    <Skeleton shape="block" className={styles['panel']} />
    <Skeleton shape="block" className={styles['panel']} />
  </div>
)

/** A game's page while it loads. */
export function PlaySkeleton() {
  return (
    <Loading>
      <Skeleton shape="block" className={styles['header']} />
      {COLUMNS}
    </Loading>
  )
}

/** What is below a game's header while it loads. */
export function StepsSkeleton() {
  return (
    <div className={styles['steps']}>
      <Loading>{COLUMNS}</Loading>
    </div>
  )
}
