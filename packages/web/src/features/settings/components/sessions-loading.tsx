import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import styles from './sessions-loading.module.css'

/** The place of a player's sessions while they load: most have one, and a line about its place follows. */
export function SessionsLoading() {
  return (
    <Loading>
      <Skeleton shape="block" className={styles['session']} />
      <Skeleton className={styles['source']} />
    </Loading>
  )
}
