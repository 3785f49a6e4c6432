import type { ProvenDraw } from '../../proof/prove.ts'
import { PROOF_TEXTS } from './proof-messages.ts'

/** A moment in the course of a draw. */
export interface Moment {
  readonly name: string
  /** Epoch seconds; null if it has not come. */
  readonly at: number | null
  /** When it is expected, if that is known. */
  readonly dueAt: number | null
}

/** The course of a draw by its signed statements; a void one ends without balls. */
export function momentsOf({ facts, report }: ProvenDraw): Moment[] {
  const { openedAt, closesAt, startAt, endedAt, close, round, isVoid, published } = facts
  const isKnown = published !== null || report.numbers !== null
  const random = { name: PROOF_TEXTS.randomNumber, at: isKnown ? (round?.dueAt ?? null) : null, dueAt: startAt }
  return [
    { name: PROOF_TEXTS.rulesFixed, at: openedAt, dueAt: null },
    { name: PROOF_TEXTS.entriesSealed, at: close?.at ?? null, dueAt: closesAt },
    ...(isVoid && !isKnown ? [] : [random]),
    { name: isVoid ? PROOF_TEXTS.drawVoid : PROOF_TEXTS.ballsDrawn, at: endedAt, dueAt: startAt },
  ]
}
