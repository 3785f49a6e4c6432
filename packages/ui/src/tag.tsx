import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './tag.module.css'

/** The kind of a tag: starts soon, live, ended, or a state in its colour. */
export type TagKind = 'soon' | 'live' | 'ended' | 'neutral' | 'success' | 'warning' | 'danger'

/** A small label. The colour only repeats the words. */
export function Tag({ kind = 'neutral', children }: { kind?: TagKind; children: ReactNode }) {
  return (
    <span className={classNames(styles['tag'], styles[kind])}>
      {kind === 'live' && <LiveDot />}
      {children}
    </span>
  )
}

/** The pulsing red dot of a live event. It is never shown without words. */
export function LiveDot() {
  return <span className={styles['dot']} aria-hidden="true" />
}
