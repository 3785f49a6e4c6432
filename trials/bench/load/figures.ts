// What a bench has measured, as rows of one table that all benches have in common.
import { appendFileSync } from 'node:fs'
import { printTable } from '../../product.ts'

/** One figure, and what was asked of it. */
export interface Figure {
  /** L1 to L9 of the goals, or what it is of */
  readonly id: string
  readonly what: string
  readonly figure: string
  /** what it is held against, measured in the same run; empty where nothing is */
  readonly baseline?: string
  /** the figure in parts of the baseline */
  readonly ratio?: number
  /** empty where nothing is asked for */
  readonly goal?: string
  /** null where nothing is asked for, or where too little was tried to say so */
  readonly isMet: boolean | null
}

/** Judges what was tried with `tried` against a goal for `wanted`: with less, missing it is a miss and reaching it says nothing. */
export function judged(isGood: boolean, tried: number, wanted: number): boolean | null {
  return isGood && tried < wanted ? null : isGood
}

/** The head of the table. */
const HEAD = ['id', 'what', 'figure', 'baseline', 'ratio', 'goal', 'met'] as const

/**
 * Prints the table of a bench. A goal that is missed makes the process end with 1; a run of several benches names a file in `BENCH_FIGURES`
 * to which the rows are added, for one table at the end.
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
