import { CHECKS, type CheckId, type Findings } from '@fairball/domain/protocol/report'
import type { DrawProof } from './draw-proof.ts'
import type { KeptSeal } from './kept-records.ts'

/** The outcome of checking a player's plays against a seal. */
export type SealResult = Pick<KeptSeal, 'lines' | 'outcome' | 'problem' | 'evidence'>

const MISSING = 'A play that you paid for is not in the sealed list, and no receipt says why.'
const CONTRADICTED = 'The operator contradicts what it said before.'
const NOT_ALL = 'This browser could not read the whole sealed list.'

/** The checks without which there is no verdict on a sealed list. */
const NEEDED: readonly CheckId[] = [
  'seal.range',
  'seal.once',
  'seal.seed',
  'seal.time',
  'seal.seen',
  'plays.leaves',
  'plays.root',
]

/** The result of a proof for a player's own plays before the draw. */
export function sealResult({ proof, contradictions }: Pick<DrawProof, 'proof' | 'contradictions'>): SealResult {
  const { report, plays, evidence } = proof
  const found = plays.filter(({ where }) => where === 'found')
  const lines = found.reduce((sum, play) => sum + play.lines.length, 0)
  const findings: Findings = { ...report.checks, ...report.draws[0]?.checks }
  const [failed] = report.failed
  if (failed !== undefined) return { lines, outcome: 'broken', problem: wordsOf(findings, failed), evidence }
  if (plays.some(({ where }) => where === 'missing'))
    return { lines, outcome: 'broken', problem: MISSING, evidence: null }
  if (contradictions.length > 0) return { lines, outcome: 'broken', problem: CONTRADICTED, evidence: null }
  const [broken] = report.broken
  if (broken !== undefined) return { lines, outcome: 'unchecked', problem: wordsOf(findings, broken), evidence: null }
  if (plays.some(({ where }) => where === 'unknown'))
    return { lines, outcome: 'unchecked', problem: NOT_ALL, evidence: null }
  const open = NEEDED.find((id) => findings[id]?.status !== 'pass')
  if (open === undefined) return { lines, outcome: 'sealed', problem: null, evidence: null }
  return { lines, outcome: 'unchecked', problem: wordsOf(findings, open), evidence: null }
}

function wordsOf(findings: Findings, id: CheckId): string {
  const why = findings[id]?.why ?? ''
  return why === '' ? `${CHECKS[id]}: not checked.` : `${CHECKS[id]}: ${why}.`
}
