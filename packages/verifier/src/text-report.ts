import { caveatsOf } from '@fairball/domain/fairness/caveats'
import type { Outcome, Report } from '@fairball/domain/fairness/report'

/** How a report is written. */
interface TextStyle {
  /** with the colours of a terminal */
  readonly colours: boolean
  /** with what went into each check */
  readonly inputs: boolean
}

const MARK: Record<Outcome, string> = { passed: '✓', failed: '✗', unchecked: '–' }
const COLOUR: Record<Outcome, number> = { passed: 32, failed: 31, unchecked: 33 }
/** What would move a terminal's cursor or turn the direction of its text: a bundle comes from anywhere. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const VERDICT: Record<Outcome, string> = {
  passed: 'This draw holds: nothing failed, and the numbers, the winners and the amounts are right.',
  failed: 'Something failed. What failed is marked with ✗.',
  unchecked: 'Nothing failed, but not everything can be checked yet.',
}

/** What a report says: a sentence, and what that leaves open. */
export function verdictText(report: Report): string {
  return [VERDICT[report.outcome], ...caveatsOf(report)].join(' ')
}

/** A report as text for people, ended by a line feed. */
export function textReport(report: Report, style: TextStyle): string {
  const paint = (text: string, code: number): string => (style.colours ? `\u001b[${code}m${text}\u001b[0m` : text)
  const mark = (outcome: Outcome): string => paint(MARK[outcome], COLOUR[outcome])
  const lines = [
    paint(`${report.game}, draw ${report.draw}, of ${report.operator || 'an unknown operator'} (${report.state})`, 1),
    `Key fingerprint: ${report.fingerprint || 'none'}`,
    '',
  ]
  for (const [place, step] of report.steps.entries()) {
    lines.push(`${mark(step.outcome)} ${paint(`${place + 1}. ${step.title}`, 1)}`)
    for (const { id, title, outcome, detail, inputs } of step.checks) {
      lines.push(`    ${mark(outcome)} ${title} [${id}]`, `        ${detail}`)
      if (style.inputs) lines.push(...inputs.map(({ name, value }) => `        ${name}: ${value}`))
    }
  }
  lines.push('', ...numberLines(report), ...tierLines(report))
  lines.push(`${mark(report.outcome)} ${paint(verdictText(report), 1)}`)
  return `${lines.map((line) => clean(line, style.colours)).join('\n')}\n`
}

/** A text without anything that a terminal would act on. */
export function cleanText(text: string): string {
  return text.replaceAll(UNSAFE, '�')
}

/** Cleans a line, its own colours excepted. */
function clean(line: string, colours: boolean): string {
  if (!colours) return cleanText(line)
  // The colours written above are `ESC [ digits m`; everything between them is cleaned.
  return line
    .split(/(\u001b\[\d+m)/)
    .map((part, place) => (place % 2 === 1 ? part : cleanText(part)))
    .join('')
}

function numberLines({ derivation }: Report): string[] {
  if (derivation === null) return []
  const balls = derivation.balls.map(({ number, bytes, place }) => {
    const thrown = bytes.slice(0, -1).map(({ byte, limit }) => `${byte} ≥ ${limit} thrown away, `)
    const used = bytes.at(-1)
    return `    ${String(number).padStart(2)}  ${thrown.join('')}${used?.byte} mod ${used?.remaining} = ${place}`
  })
  return [`Numbers in the order drawn: ${derivation.balls.map(({ number }) => number).join(', ')}`, ...balls, '']
}

function tierLines({ tiers }: Report): string[] {
  if (tiers === null) return []
  const line = ({ matches, kind, winners, satsEach }: (typeof tiers)[number]): string =>
    `    ${matches} matches: ${winners} × ${kind === 'free' ? 'free ticket' : `${satsEach.toLocaleString('en')} satoshis`}${kind === 'jackpot' ? ' (jackpot)' : ''}`
  return ['Winners and amounts:', ...tiers.map(line), '']
}
