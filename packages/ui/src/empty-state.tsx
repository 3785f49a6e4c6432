import type { ReactNode } from 'react'
import { Ball } from './ball.tsx'
import { Button } from './button.tsx'
import { AlertIcon } from './basic-icons.tsx'
import styles from './empty-state.module.css'

/** An empty list or page: three empty slots, one sentence, one action. */
export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className={styles['block']}>
      <span className={styles['slots']} aria-hidden="true">
        <Ball state="empty" size={48} />
        <Ball state="empty" size={48} />
        <Ball state="empty" size={48} />
      </span>
      <p>{text}</p>
      {action}
    </div>
  )
}

/** The specification's sentence for content that could not be loaded. */
const LOAD_FAILED = 'Data cannot be loaded! Please try again later.'

/** A part that could not be loaded, with a way to try again. */
export function LoadFailed({ text = LOAD_FAILED, onRetry }: { text?: string; onRetry?: (() => void) | undefined }) {
  return (
    <div className={styles['block']} role="alert">
      <span className={styles['alert']}>
        <AlertIcon size={32} />
      </span>
      <p>{text}</p>
      {onRetry !== undefined && (
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
