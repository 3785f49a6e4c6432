// The figures of a bench, as rows of a table that all benches share.
import { appendFileSync } from 'node:fs'
import { printTable } from '../../product.ts'

/** One figure and its goal. */
export interface Figure {
  /** L1 to L10 of the goals, or what was measured */
  readonly id: string
  readonly what: string
  readonly figure: string
  /** the comparison, measured in the same run; empty if there is none */
  readonly baseline?: string
  /** the figure divided by the baseline */
  readonly ratio?: number
  /** empty if there is no goal */
  readonly goal?: string
  /** null if there is no goal, or if too little was tried to judge */
  readonly isMet: boolean | null
}

/**
 * Judges a run of size `tried` against a goal for `wanted`. In a smaller run failure counts, but success proves nothing.
 */
export function judged(isGood: boolean, tried: number, wanted: number): boolean | null {
  return isGood && tried < wanted ? null : isGood
}

/** The column titles of the table. */
const HEAD = ['id', 'what', 'figure', 'baseline', 'ratio', 'goal', 'met'] as const

/**
 * Prints the table of a bench. A missed goal makes the exit status 1. A run of several benches names a file in
 * `BENCH_FIGURES` that collects the rows for one table at the end.
 */
export function report(figures: readonly Figure[]): void {
  const rows = figures.map(rowOf)
  process.stdout.write('\n')
  printTable(HEAD, rows)
  if (figures.some(({ isMet }) => isMet === false)) process.exitCode = 1
  const file = process.env['BENCH_FIGURES']
  if (file !== undefined && file !== '') appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

function rowOf({ id, what, figure, baseline = '', ratio, goal = '', isMet }: Figure): string[] {
  const met = isMet === null ? '–' : isMet ? 'yes' : 'NO'
  return [id, what, figure, baseline, ratio === undefined ? '' : ratio.toPrecision(2), goal, met]
}

/** `1,234/s` */
export function perSecond(value: number): string {
  return `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')}/s`
}

/** `12.3 ms` */
export function inMs(ms: number): string {
  return `${ms.toFixed(1)} ms`
}

/** `1,000,000` */
export function whole(value: number): string {
  return value.toLocaleString('en')
}
