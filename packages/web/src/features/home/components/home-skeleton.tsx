import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import styles from './home-skeleton.module.css'

/** The home page while its games load: a field, a row of words, six cards. */
export function HomeSkeleton() {
  return (
    <Loading>
      <Skeleton shape="block" className={styles['hero']} />
      <div className={styles['cards']}>
        {Array.from({ length: 6 }, (_, card) => (
          <Skeleton key={card} shape="block" className={styles['card']} />
        ))}
      </div>
    </Loading>
  )
}
