import { Ball } from './ball.tsx'
import type { BallSize, BallState } from './ball.tsx'
import { classNames } from './class-names.ts'
import styles from './ball-row.module.css'

/** One place of a row: a number, `true` while it is being drawn, `false` before that, `null` for an empty slot. */
type BallPlace = number | boolean | null

/** Props of {@link BallRow}. */
interface BallRowProps {
  places: readonly BallPlace[]
  /** A name of the row for assistive technology, such as "Line A" or "Numbers drawn". */
  label: string
  size?: BallSize
  world?: string | undefined
  shrinks?: boolean
  onField?: boolean
  /** Numbers to compare with: those in it show as matched, the others as not matched. */
  matched?: readonly number[] | undefined
  /** The balls fall in one after another. Only for numbers that have just been drawn. */
  drop?: boolean
  className?: string | undefined
}

/** Balls side by side; they wrap if there is no room. */
export function BallRow({
  places,
  label,
  size = 46,
  world,
  shrinks = false,
  onField = false,
  matched,
  drop = false,
  className,
}: BallRowProps) {
  return (
    <ul className={classNames(styles['row'], className)} aria-label={label} data-size={size}>
      {places.map((place, index) => (
        // A place is identified by its index: the first slot stays the first slot whatever it shows.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className={styles['place']}>
          <Ball
            number={typeof place === 'number' ? place : undefined}
            state={stateOf(place, matched)}
            size={size}
            world={world}
            shrinks={shrinks}
            onField={onField}
            drop={drop && typeof place === 'number'}
          />
        </li>
      ))}
    </ul>
  )
}

function stateOf(place: BallPlace, matched: readonly number[] | undefined): BallState {
  if (place === null) return 'empty'
  if (place === false) return 'hidden'
  if (place === true) return 'rolling'
  if (matched === undefined) return 'drawn'
  return matched.includes(place) ? 'matched' : 'unmatched'
}
