import type { Findings, Outcome } from '@fairball/domain/protocol/report'
import { isMatch } from '../../proof/is-match.ts'
import type { OwnPlay, Proof, ProvenDraw } from '../../proof/prove.ts'
import { ANSWER_TEXTS } from './answer-messages.ts'
import { groupsOf, plainReasons, warningsOf } from './check-groups.ts'
import { PROOF_TEXTS, type VerdictWords } from './proof-messages.ts'

/** A verdict on a draw, in words. */
interface Verdict extends VerdictWords {
  /** `open` says neither that the draw matches nor that it does not. */
  readonly tone: 'proved' | 'holds' | 'failed' | 'waiting' | 'open'
  readonly outcome: Outcome
  /** What is not proved, in plain words. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
}

const TONES: Readonly<Record<Outcome, Verdict['tone']>> = {
  proved: 'proved',
  holds: 'holds',
  'not yet': 'waiting',
  failed: 'failed',
  broken: 'open',
}

/** The findings of a draw and of the log that it is in. */
export function findingsOf({ report }: Proof, draw: ProvenDraw | null): Findings {
  return { ...report.checks, ...draw?.report.checks }
}

/** The verdict on a draw; on the whole file if it has none. */
export function verdictOf(proof: Proof, draw: ProvenDraw | null): Verdict {
  const findings = findingsOf(proof, draw)
  const outcome = draw?.report.outcome ?? proof.report.outcome
  const isVoid = draw?.facts.isVoid ?? false
  return {
    ...wordsOf(outcome, isVoid, findings),
    tone: outcome === 'holds' && (isVoid || !isMatch(findings)) ? 'open' : TONES[outcome],
    outcome,
    missing: outcome === 'holds' ? plainReasons(findings) : [],
    warnings: warningsOf(findings),
  }
}

function wordsOf(outcome: Outcome, isVoid: boolean, findings: Findings): VerdictWords {
  const ofVoid: Partial<typeof PROOF_TEXTS.outcomes> = PROOF_TEXTS.voidOutcomes
  if (isVoid) return ofVoid[outcome] ?? PROOF_TEXTS.outcomes[outcome]
  if (outcome === 'holds' && !isMatch(findings)) return PROOF_TEXTS.partly(uncheckedGroups(findings))
  return PROOF_TEXTS.outcomes[outcome]
}

/** The number of groups that could not be checked; a visitor has no papers to check. */
function uncheckedGroups(findings: Findings): number {
  return groupsOf(findings).filter(({ name, status }) => status === 'unknown' || (status === null && name !== 'papers'))
    .length
}

/** Where the player's own lines are. */
interface OwnLines {
  readonly kind: 'sealed' | 'open'
  readonly text: string
}

/**
 * Says where the player's own lines are, once there is a sealed list that is in order; that one is missing is said in a
 * notice of its own.
 */
export function ownLinesOf({ plays, ...proof }: Proof, draw: ProvenDraw | null, isPlayer: boolean): OwnLines | null {
  if (draw?.facts.close == null || !areShown(findingsOf({ plays, ...proof }, draw))) return null
  if (plays.length === 0) return { kind: 'open', text: isPlayer ? ANSWER_TEXTS.noPapers : ANSWER_TEXTS.visitor }
  const places = new Set(plays.map(({ where }) => where))
  if (places.has('missing')) return null
  if (places.has('unknown')) return { kind: 'open', text: ANSWER_TEXTS.unseen }
  if (!places.has('found')) return { kind: 'open', text: PROOF_TEXTS.noneSealed }
  const sealed = PROOF_TEXTS.allSealed(linesIn(plays))
  return { kind: 'sealed', text: places.has('moved') ? `${sealed} ${PROOF_TEXTS.alsoMoved}` : sealed }
}

/** Whether plays are shown to be those of the sealed list: all of them, or the own ones by their receipts. */
export function areShown(findings: Findings): boolean {
  return findings['plays.root']?.status === 'pass' || findings['receipt.leaf']?.status === 'pass'
}

/** The number of own lines in the sealed list. */
export function linesIn(plays: readonly OwnPlay[]): number {
  return plays.reduce((sum, { lines }) => sum + lines.length, 0)
}
