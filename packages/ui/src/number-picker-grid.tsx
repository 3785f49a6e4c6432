import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { classNames } from './class-names.ts'
import { ProgressBar } from './progress-bar.tsx'
import styles from './number-picker-grid.module.css'
import unseen from './visually-hidden.module.css'

/** Columns of the grid; the arrows up and down move by this number. */
const COLUMNS = 7

/** Props of {@link NumberPickerGrid}. */
interface NumberPickerGridProps {
  /** The highest number; the grid shows 1 to `pool`. */
  pool: number
  /** Count of numbers on a line. */
  pick: number
  picked: readonly number[]
  /** Called for a pressed number that may be toggled: it is picked, or there is room for it. */
  onToggle: (number: number) => void
  world?: string | undefined
}

/**
 * Numbers to choose from, in seven columns, under a bar that fills. One tab stop; the arrows move in two dimensions, Home and End to the ends of
 * the row, Control with them to the first and the last number. A number too many is refused: the bar flashes twice and the limit is announced.
 */
export function NumberPickerGrid({ pool, pick, picked, onToggle, world }: NumberPickerGridProps) {
  const [current, setCurrent] = useState(picked[0] ?? 1)
  const [refused, setRefused] = useState(0)
  const grid = useRef<HTMLDivElement>(null)

  const press = (number: number) => {
    setCurrent(number)
    if (picked.includes(number) || picked.length < pick) {
      setRefused(0)
      onToggle(number)
      return
    }
    setRefused((count) => count + 1)
  }

  const move = (event: KeyboardEvent) => {
    const target = targetOf(event, current, pool)
    if (target === null) return
    event.preventDefault()
    setCurrent(target)
    grid.current?.querySelector<HTMLButtonElement>(`[data-number="${target}"]`)?.focus()
  }

  const count = `${picked.length} of ${pick}`
  return (
    <div className={styles['picker']} data-game={world}>
      <ProgressBar label="Numbers picked" value={picked.length} max={pick} valueText={count} flash={refused} />
      <p aria-live="polite" className={classNames(refused > 0 ? styles['refused'] : unseen['hidden'])}>
        {refused > 0 ? `You have all ${pick}. Remove one to change it.` : `${count} picked`}
      </p>
      <div ref={grid} role="group" aria-label={`Numbers 1 to ${pool}`} className={styles['grid']} onKeyDown={move}>
        {Array.from({ length: pool }, (_, index) => index + 1).map((number) => (
          <button
            key={number}
            type="button"
            data-number={number}
            className={classNames(styles['number'])}
            aria-pressed={picked.includes(number)}
            tabIndex={number === current ? 0 : -1}
            onClick={() => press(number)}
            onFocus={() => setCurrent(number)}
          >
            <span className={styles['face']}>{number}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

/** @returns the number a key leads to from `from`, kept inside 1 to `pool`; null for keys that do not move */
function targetOf(event: KeyboardEvent, from: number, pool: number): number | null {
  const rowStart = from - ((from - 1) % COLUMNS)
  const within = (number: number) => (number >= 1 && number <= pool ? number : from)
  switch (event.key) {
    case 'ArrowRight':
      return within(from + 1)
    case 'ArrowLeft':
      return within(from - 1)
    case 'ArrowDown':
      return within(from + COLUMNS)
    case 'ArrowUp':
      return within(from - COLUMNS)
    case 'Home':
      return event.ctrlKey ? 1 : rowStart
    case 'End':
      return event.ctrlKey ? pool : Math.min(rowStart + COLUMNS - 1, pool)
    default:
      return null
  }
}
