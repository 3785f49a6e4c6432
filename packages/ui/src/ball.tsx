import { classNames } from './class-names.ts'
import { CloseIcon } from './basic-icons.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'
import styles from './ball.module.css'

/** The state of a ball: an empty slot, not yet drawn, being drawn, drawn, or drawn and compared with a line. */
export type BallState = 'empty' | 'hidden' | 'rolling' | 'drawn' | 'matched' | 'unmatched'

/** Diameters in px; `fluid` takes the width of its container. */
export type BallSize = 24 | 36 | 46 | 48 | 64 | 92 | 'fluid'

/** Props of {@link Ball}. */
interface BallProps {
  /** The number on it; absent in the states without one. */
  number?: number | undefined
  state?: BallState
  size?: BallSize
  /** The game whose colour and pattern it wears; without one, that of the nearest container with `data-game`. */
  world?: string | undefined
  /** Where there is less room than its size, styles make it smaller. */
  shrinks?: boolean
  /** Lies on its own game's colour: the ring turns ink. */
  onField?: boolean
  /** Falls in when it appears. Only for numbers that have just been drawn, never for results already known. */
  drop?: boolean
  className?: string | undefined
}

/** A numbered ball. A matched one says "match" to assistive technology, one not yet drawn says so. */
export function Ball({
  number,
  state = 'drawn',
  size = 46,
  world,
  shrinks = false,
  onField = false,
  drop = false,
  className,
}: BallProps) {
  return (
    <span
      className={classNames(styles['ball'], styles[state], drop && styles['drop'], className)}
      data-size={size}
      data-game={world}
      data-shrinks={shrinks || undefined}
      data-onfield={onField || undefined}
    >
      <span className={styles['face']}>
        <Face number={number} state={state} />
      </span>
    </span>
  )
}

function Face({ number, state }: { number: number | undefined; state: BallState }) {
  switch (state) {
    case 'empty':
      return <VisuallyHidden>empty</VisuallyHidden>
    case 'hidden':
      return (
        <>
          <CloseIcon size={16} />
          <VisuallyHidden>not drawn yet</VisuallyHidden>
        </>
      )
    case 'rolling':
      return <VisuallyHidden>being drawn</VisuallyHidden>
    case 'matched':
      return (
        <>
          {number}
          <VisuallyHidden> match</VisuallyHidden>
        </>
      )
    case 'drawn':
    case 'unmatched':
      return number
  }
}
