import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './tag.module.css'

/** What a tag says about something: it starts soon, is live, has ended, or a state in its colour. */
export type TagKind = 'soon' | 'live' | 'ended' | 'neutral' | 'success' | 'warning' | 'danger'

/** A small label. The colour only repeats what the words say. */
export function Tag({ kind = 'neutral', children }: { kind?: TagKind; children: ReactNode }) {
  return (
    <span className={classNames(styles['tag'], styles[kind])}>
      {kind === 'live' && <LiveDot />}
      {children}
    </span>
  )
}

/** The red dot that pulses while something happens now. It never stands without words. */
export function LiveDot() {
  return <span className={styles['dot']} aria-hidden="true" />
}
