import type { ReactNode } from 'react'
import styles from './bar-chart.module.css'

/** One bar. */
interface Bar {
  key: string | number
  /** Its label, shown before it. */
  label: ReactNode
  /** From 0. */
  value: number
  /** The text of the value, after the bar. */
  text: string
}

/** Props of {@link BarChart}. */
interface BarChartProps {
  /** A description of the chart for assistive technology. */
  caption: string
  /** The headings of labels and values, for assistive technology. */
  headings: readonly [label: string, value: string]
  bars: readonly Bar[]
  /** A value that a thin line marks in every row, such as the average. */
  mark?: number
}

/**
 * Bars in rows, in as many columns as fit. It is a table: each row has its label and its value as text, and the bar
 * between them is the picture of it. The roles are explicit because `display: grid` removes them.
 */
export function BarChart({ caption, headings, bars, mark }: BarChartProps) {
  const longest = Math.max(mark ?? 0, ...bars.map((bar) => bar.value))
  const percentOf = (value: number) => (longest === 0 ? 0 : (value * 100) / longest)
  return (
    <table role="table" className={styles['chart']}>
      <caption className={styles['hidden']}>{caption}</caption>
      <thead role="rowgroup" className={styles['hidden']}>
        <tr role="row">
          {headings.map((heading) => (
            <th key={heading} scope="col" role="columnheader">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className={styles['rows']}>
        {bars.map((bar) => (
          <tr key={bar.key} role="row" className={styles['row']}>
            <th scope="row" role="rowheader">
              {bar.label}
            </th>
            <td role="cell" className={styles['value']}>
              <svg width="100%" height="20" aria-hidden="true">
                <rect className={styles['track']} y="4" width="100%" height="12" rx="6" />
                <rect className={styles['bar']} y="4" width={`${percentOf(bar.value)}%`} height="12" rx="6" />
                {mark !== undefined && (
                  <line className={styles['mark']} x1={`${percentOf(mark)}%`} x2={`${percentOf(mark)}%`} y2="20" />
                )}
              </svg>
              <span>{bar.text}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
