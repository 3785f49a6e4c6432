import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import styles from './home-skeleton.module.css'

/** The home page while its games load: a field, a line of text, six cards. */
export function HomeSkeleton() {
  return (
    <Loading>
      <Skeleton shape="block" className={styles['hero']} />
      <Cards />
    </Loading>
  )
}

/** The lower half while its script loads: six cards, and what is below them. */
export function LowerSkeleton() {
  return (
    <Loading>
      <Cards />
      <Skeleton shape="block" className={styles['rest']} />
    </Loading>
  )
}

function Cards() {
  return (
    <div className={styles['cards']}>
      {Array.from({ length: 6 }, (_, card) => (
        <Skeleton key={card} shape="block" className={styles['card']} />
      ))}
    </div>
  )
}
