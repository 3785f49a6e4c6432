import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

/** A grey shape where something will be, in its final size. `text` is one line, `title` a heading, `block` fills what its class gives it. */
export function Skeleton({
  shape = 'text',
  className,
}: {
  shape?: 'text' | 'title' | 'ball' | 'button' | 'block'
  className?: string | undefined
}) {
  return <span className={classNames(styles['skeleton'], styles[shape], className)} aria-hidden="true" />
}

/** Surrounds the skeletons of a part that loads and says so once to assistive technology. */
export function Loading({ label = 'Loading', children }: { label?: string; children: ReactNode }) {
  return (
    <div role="status" aria-label={label} className={styles['loading']}>
      {children}
    </div>
  )
}

/** Rows of a list that loads. */
export function SkeletonRows({ rows = 3 }: { rows?: number }) {
  return (
    <Loading>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} shape="block" className={styles['row']} />
      ))}
    </Loading>
  )
}
