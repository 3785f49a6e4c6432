import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

/**
 * A grey placeholder in the final size of its content. `text` is one line, `title` a heading, and `block` has the size
 * of its class.
 */
export function Skeleton({
  shape = 'text',
  className,
}: {
  shape?: 'text' | 'title' | 'ball' | 'button' | 'block'
  className?: string | undefined
}) {
  return <span className={classNames(styles['skeleton'], styles[shape], className)} aria-hidden="true" />
}

/** Surrounds the skeletons of a loading part and announces it once to assistive technology. */
export function Loading({ label = 'Loading', children }: { label?: string; children: ReactNode }) {
  return (
    <div role="status" aria-label={label} className={styles['loading']}>
      {children}
    </div>
  )
}

/** Placeholder rows of a loading list. */
export function SkeletonRows({ rows = 3 }: { rows?: number }) {
  return (
    <Loading>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} shape="block" className={styles['row']} />
      ))}
    </Loading>
  )
}
