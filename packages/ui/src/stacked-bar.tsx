import { classNames } from './class-names.ts'
import styles from './stacked-bar.module.css'

/** The five looks of a part, which differ in lightness and pattern as well as in colour. */
export type Tone = 1 | 2 | 3 | 4 | 5

/** One part of a whole. */
export interface BarPart {
  name: string
  /** In percent of the whole, 0 to 100. */
  percent: number
  tone: Tone
}

/**
 * A whole divided into its parts, side by side. It is a picture of figures that are beside it as text, so assistive
 * technology skips it; a {@link Swatch} beside each figure identifies its part.
 */
export function StackedBar({ parts, className }: { parts: readonly BarPart[]; className?: string | undefined }) {
  const shown = parts.filter((part) => part.percent > 0)
  return (
    <svg className={classNames(styles['bar'], className)} width="100%" height="36" aria-hidden="true">
      {shown.map((part, index) => (
        <rect
          key={part.name}
          className={styles[`tone${part.tone}`]}
          x={`${startOf(shown, index)}%`}
          width={`${part.percent}%`}
          height="36"
        />
      ))}
    </svg>
  )
}

/** A small square in the look of a part. */
export function Swatch({ tone }: { tone: Tone }) {
  return (
    <svg className={styles['swatch']} width="16" height="16" aria-hidden="true">
      <rect className={styles[`tone${tone}`]} width="16" height="16" />
    </svg>
  )
}

/** The start of a part: after the previous ones. */
function startOf(parts: readonly BarPart[], index: number): number {
  return parts.slice(0, index).reduce((sum, part) => sum + part.percent, 0)
}
