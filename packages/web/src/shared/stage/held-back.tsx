import type { ReactNode } from 'react'
import { useSession } from '../session/use-session.ts'
import styles from './held-back.module.css'

/**
 * What stands below something that only players have: it is not shown before it is known whether there is that, so that
 * nothing moves. A visitor sees it at once; whether somebody is signed in, a script of the head knows before the first
 * paint.
 *
 * @param props.placeholder what a player sees until then; a tall empty room without one
 */
export function HeldBack({
  isWaiting,
  placeholder,
  children,
}: {
  isWaiting: boolean
  placeholder?: ReactNode
  children: ReactNode
}) {
  const { status } = useSession()
  const isUnknown = status === 'unknown'
  return (
    <>
      {(isUnknown || isWaiting) && (
        <div className={styles['room']} data-unknown={isUnknown || undefined}>
          {placeholder}
        </div>
      )}
      <div className={styles['rest']} data-unknown={isUnknown || undefined} data-waits={isWaiting || undefined}>
        {children}
      </div>
    </>
  )
}
