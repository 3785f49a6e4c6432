import type { ReactNode } from 'react'
import styles from './stage-frame.module.css'

/** Props of {@link StageFrame}. */
interface StageFrameProps {
  /** The game whose colour it has. */
  gameKey: string
  /** Id of the heading in `head`. */
  labelledBy: string
  head: ReactNode
  /** What happens now, above the tray. */
  now: ReactNode
  machine: ReactNode
  tray: ReactNode
  /** Links and buttons under the tray. */
  foot: ReactNode
  /** What belongs to the draw, under the stage: on a phone the tray stays in view above it. */
  children?: ReactNode
  /** The draw has been drawn, and the words need the room of the drum on a phone. */
  isOver?: boolean
  /** The words about the player are not known yet: nothing that they will move is shown. */
  isWaiting?: boolean
  /** Another scene is being set: only the field is seen. */
  isTurning?: boolean
}

/** A draw on its game's colour: its words and its tray beside the drum. */
export function StageFrame({
  gameKey,
  labelledBy,
  head,
  now,
  machine,
  tray,
  foot,
  isOver = false,
  isWaiting = false,
  isTurning = false,
  children,
}: StageFrameProps) {
  return (
    <div className={styles['room']}>
      <section
        className={styles['stage']}
        data-game={gameKey}
        data-over={isOver || undefined}
        data-waits={isWaiting || undefined}
        data-turns={isTurning || undefined}
        aria-labelledby={labelledBy}
      >
        <div className={styles['field']} />
        <div className={styles['head']}>{head}</div>
        <div className={styles['machine']}>{machine}</div>
        <div className={styles['now']}>{now}</div>
        <div className={styles['tray']}>{tray}</div>
        <div className={styles['foot']}>{foot}</div>
        {children !== undefined && <div className={styles['below']}>{children}</div>}
      </section>
    </div>
  )
}
