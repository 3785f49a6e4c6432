import {
  CHECKS,
  type CheckId,
  type Finding,
  type Findings,
  type Outcome,
  type Status,
} from '@fairball/domain/protocol/report'
import { verdictOf, verdictOfDraw } from '@fairball/domain/protocol/verdict'
import type { Judged } from './judge.ts'

/** The mark and the word for each status. */
export const STATUSES: Readonly<Record<Status, { readonly mark: string; readonly word: string }>> = {
  pass: { mark: '✓', word: 'passed' },
  warn: { mark: '!', word: 'look' },
  unknown: { mark: '?', word: 'not known here' },
  wait: { mark: '…', word: 'not yet' },
  fail: { mark: '✗', word: 'failed' },
  broken: { mark: '✗', word: 'broken' },
}

const RED = 31
const GREEN = 32
const AMBER = 33
const COLOUR: Readonly<Record<Outcome | Status, number>> = {
  pass: GREEN,
  proved: GREEN,
  fail: RED,
  failed: RED,
  broken: RED,
  warn: AMBER,
  unknown: AMBER,
  wait: AMBER,
  holds: AMBER,
  'not yet': AMBER,
}

/** Characters that move a terminal's cursor or change its text direction: bundles are untrusted input. */
// oxlint-disable-next-line no-control-regex -- these are removed
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** A check and its result. */
export interface Check extends Finding {
  readonly id: CheckId
  readonly title: string
}

/** The checks with a result, in the order of the protocol. */
export function checksOf(findings: Findings): Check[] {
  const ids = Object.keys(CHECKS) as CheckId[] // keys of the table of all checks
  return ids.flatMap((id) => {
    const finding = findings[id]
    return finding === undefined ? [] : [{ id, title: CHECKS[id], ...finding }]
  })
}

/** The verdict on a whole file, in a sentence; if it cannot be judged, the reason. */
export function fileVerdict({ report }: Judged): string {
  const why = Object.keys(report.checks).length === 0 ? report.reasons : []
  return [...why, verdictOf(report)].join(' ')
}

/** A report as text for people, with a final line feed. @param colours whether to use terminal colours */
export function textReport(judged: Judged, colours: boolean): string {
  const { report, titles } = judged
  const paint = (text: string, code: number): string => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
  const checkLines = (findings: Findings): string[] =>
    checksOf(findings).map(({ id, title, status, why }) => {
      const text = `${cleanText(title)} [${id}]${why === '' ? '' : `: ${cleanText(why)}`}`
      return `  ${paint(STATUSES[status].mark, COLOUR[status])} ${text}`
    })
  const lines = checkLines(report.checks)
  for (const [place, draw] of report.draws.entries()) {
    lines.push('', paint(cleanText(titles[place] ?? ''), 1), `  ${draw.open}`, ...checkLines(draw.checks))
    if (draw.numbers !== null) lines.push(`  Numbers in the order drawn: ${draw.numbers.join(', ')}`)
    lines.push(`  ${paint(cleanText(verdictOfDraw(draw)), COLOUR[draw.outcome])}`)
  }
  lines.push('', paint(cleanText(fileVerdict(judged)), COLOUR[report.outcome]))
  return `${lines.join('\n').replace(/^\n/, '')}\n`
}

/** A text without characters that a terminal would act on. */
export function cleanText(text: string): string {
  return text.replaceAll(UNSAFE, '�')
}
