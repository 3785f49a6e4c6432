import type { Check, StepName } from '@fairball/domain/fairness/report'
import type { Collected } from './collect.ts'
import type { FairnessMemory, SealOutcome } from './memory.ts'
import type { Proof } from './prove.ts'

/** How the check of the own lines against the sealing ended. */
export interface SealResult {
  readonly lines: number
  readonly outcome: SealOutcome
  /** Plain words; null if all is well. */
  readonly problem: string | null
  /** The text of a file; null without a failure. */
  readonly evidence: string | null
}

/** Without these steps there is no verdict on a sealing. */
const NEEDED_STEPS: readonly StepName[] = ['log', 'open']
const NEEDED_CHECKS = [
  'close.found',
  'close.once',
  'close.time',
  'close.seed',
  'close.seen',
  'receipts.found',
  'receipts.signature',
  'receipts.owner',
  'receipts.sealed',
]

/** Only lines in the receipts were checked against the sealing. */
const OTHER_LINES = 'The signed receipts do not name the same lines as your results.'

/** A proof's verdict on the player's own lines before the draw (fairness section 10, steps 1, 2, 3 and 7). */
export function sealResult(
  { report, evidence }: Proof,
  { lines, areLinesInReceipts }: Pick<Collected, 'lines' | 'areLinesInReceipts'>,
): SealResult {
  const checks = report.steps.flatMap((step) => step.checks)
  const failed = checks.find((check) => check.outcome === 'failed')
  if (failed !== undefined) return { lines, outcome: 'broken', problem: wordsOf(failed), evidence }
  if (!areLinesInReceipts) return { lines, outcome: 'unchecked', problem: OTHER_LINES, evidence: null }
  const openStep = report.steps.find((step) => NEEDED_STEPS.includes(step.name) && step.outcome !== 'passed')
  const needed = NEEDED_CHECKS.map((id) => checks.find((check) => check.id === id))
  const isWhole = openStep === undefined && needed.every((check) => check?.outcome === 'passed')
  if (isWhole) return { lines, outcome: 'sealed', problem: null, evidence: null }
  const open = needed.find((check) => check?.outcome === 'unchecked')
  const problem = open === undefined ? (openStep?.title ?? null) : wordsOf(open)
  return { lines, outcome: 'unchecked', problem, evidence: null }
}

function wordsOf({ title, detail }: Check): string {
  return `${title}: ${detail}`
}

/**
 * Remembers the operator's key and the head of its log once a proof has passed the log.
 *
 * @returns whether it has
 */
export function rememberProof(memory: FairnessMemory, { report, facts }: Proof, at: number): boolean {
  const isVerified = report.steps.some((step) => step.name === 'log' && step.outcome === 'passed')
  if (!isVerified || facts.key === null || facts.head === null) return false
  memory.rememberLog({ operator: report.operator, key: facts.key, head: facts.head, at })
  return true
}
