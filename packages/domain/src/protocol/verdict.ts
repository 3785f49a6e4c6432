import type { CheckId, Findings, Outcome, Report } from './report.ts'
import type { Bundle } from './bundle.ts'
import { utf8Bytes, toHex } from './bytes.ts'
import { nobleHash } from './hash.ts'
import { readOrNull } from './read-or-null.ts'
import { readStatementOf, type StatementOf } from './statements.ts'

/** A report's sentences for people (section 11). Only a proved draw is said to have numbers that nobody chose. */

const OUTCOMES: Readonly<Record<Exclude<Outcome, 'proved'>, string>> = {
  holds: 'Holds: nothing speaks against it, but it is not proved.',
  'not yet': 'Not yet: the draw is not over.',
  failed: 'Failed: what the operator signed breaks the rules. Keep this file: it is evidence.',
  broken: 'Broken: this file is not what the operator signed, or lacks a part of it. It accuses nobody.',
}
const PROVED = 'Proved: nobody chose these numbers, and every amount follows from what is public.'
const PROVED_VOID = 'Proved: it was given up before anybody could know its numbers, and everything of it goes back.'

/** The meaning of a draw's outcome, in a sentence. */
export function verdictOfDraw({
  outcome,
  checks,
  numbers,
}: Pick<Report['draws'][number], 'outcome' | 'checks' | 'numbers'>): string {
  if (outcome === 'proved') return numbers === null ? PROVED_VOID : PROVED
  return outcome === 'holds' ? holdsBut(caveatsOf(checks)) : OUTCOMES[outcome]
}

/** The meaning of a bundle's outcome, in a sentence: that of its worst draw. */
export function verdictOf({ outcome, checks, draws }: Report): string {
  if (outcome === 'proved') return draws.every(({ numbers }) => numbers === null) ? PROVED_VOID : PROVED
  if (outcome !== 'holds') return OUTCOMES[outcome]
  return holdsBut([...new Set([checks, ...draws.map((draw) => draw.checks)].flatMap(caveatsOf))])
}

/** The `open` of a draw in a bundle, for its game and number; null if the bundle lacks it. It is not proven. */
export function openOf({ statements }: Bundle, openHash: string): StatementOf<'open'> | null {
  const found = statements.find(({ text }) => toHex(nobleHash(utf8Bytes(text))) === openHash)
  return found === undefined ? null : readOrNull(() => readStatementOf('open', found.text))
}

function holdsBut(caveats: readonly string[]): string {
  return caveats.length === 0 ? OUTCOMES.holds : `Holds, but ${caveats.join('; ')}.`
}

/** The reasons why a draw is not proved, in a few words each. */
function caveatsOf(findings: Findings): string[] {
  const ids = Object.keys(findings) as CheckId[] // keys of findings are ids of checks
  const isSeen = findings['seal.seen']?.status === 'pass'
  return [
    ...new Set(
      ids.flatMap((id) => {
        const { status, why = '' } = findings[id] ?? {}
        return status !== 'unknown' || (id === 'seal.witnesses' && isSeen) ? [] : caveatOf(id, why)
      }),
    ),
  ]
}

function caveatOf(id: CheckId, why: string): string[] {
  if (id.startsWith('seal.') || id === 'open.postponed') return ['when it was sealed is not proved']
  if (id.startsWith('plays.')) return [why]
  if (id === 'beacon.chain') return ['its random number comes from a private beacon']
  if (id === 'beacon.signature') return ['its random number was not checked here']
  return id.startsWith('void.') ? ['why it was given up is not proved'] : []
}
