import type { ReactNode } from 'react'
import { chartTicks } from './chart-ticks.ts'
import styles from './step-chart.module.css'

/** One value of a chart, which holds until the next. */
interface StepPoint {
  /** Epoch seconds. */
  at: number
  /** 0 or more. */
  value: number
  /** Gets a dot. */
  isMarked?: boolean
}

/** Props of {@link StepChart}. */
interface StepChartProps {
  /** A description of the chart in a sentence; a table beside it has the values. */
  label: string
  /** Ascending by time, at least one. */
  points: readonly StepPoint[]
  /** Writes a value at its line. */
  textOf: (value: number) => string
  /** The words below the left and the right end. */
  ends: readonly [first: string, last: string]
}

/** Free height above the topmost line for its label, in percent. */
const HEADROOM = 12

/** A line in steps, from the first moment to the last. */
export function StepChart({ label, points, textOf, ends }: StepChartProps) {
  const ticks = chartTicks(Math.max(...points.map((point) => point.value)))
  const top = ticks.at(-1) ?? 1
  const yOf = (value: number) => 100 - (value / top) * (100 - HEADROOM)
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  // A single value has no extent in time: its line spans the whole width, with its dot in the middle.
  const isSingle = first === last
  const xOf = (at: number) => (isSingle ? 50 : ((at - first) / (last - first)) * 100)
  const steps = points.map((point) => `H${xOf(point.at)}V${yOf(point.value)}`).join('')
  const line = `M0 ${yOf(points[0]?.value ?? 0)}${isSingle ? '' : steps}H100`
  return (
    <figure className={styles['figure']}>
      <svg role="img" aria-label={label} className={styles['chart']} width="100%" height="260">
        <Stretched>
          <path className={styles['area']} d={`${line}V100H0Z`} />
        </Stretched>
        {ticks.map((tick) => (
          <line key={tick} className={styles['grid']} x2="100%" y1={`${yOf(tick)}%`} y2={`${yOf(tick)}%`} />
        ))}
        <Stretched>
          <path className={styles['line']} d={line} />
          {points
            .filter((point) => point.isMarked === true)
            .map((point) => (
              // A dot is a line of zero length with round ends, because line widths are not stretched with the picture.
              <path key={point.at} className={styles['dot']} d={`M${xOf(point.at)} ${yOf(point.value)}h0`} />
            ))}
        </Stretched>
        {ticks.map((tick) => (
          <text key={tick} className={styles['tick']} y={`${yOf(tick)}%`} dy="-5">
            {textOf(tick)}
          </text>
        ))}
      </svg>
      <div className={styles['ends']} aria-hidden="true">
        <span>{ends[0]}</span>
        {!isSingle && <span>{ends[1]}</span>}
      </div>
    </figure>
  )
}

/** A picture of 100 by 100 units that is stretched to fill its container. */
function Stretched({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
      {children}
    </svg>
  )
}
