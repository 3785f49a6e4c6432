import { type Bundle, writeEvidence } from '@fairball/domain/protocol/bundle'
import { toHex } from '@fairball/domain/protocol/bytes'
import { evidenceOfDraw, evidenceOfFork } from '@fairball/domain/protocol/evidence'
import { SECTION_LEAVES } from '@fairball/domain/protocol/numbers'
import { LEAF, PLAY_KIND } from '@fairball/domain/protocol/plays'
import type { DrawReport, Report } from '@fairball/domain/protocol/report'
import { readEntries } from '@fairball/domain/protocol/tiles'
import { verifyBundle, type VerifyOptions } from '@fairball/domain/protocol/verify'
import { type DrawFacts, drawFacts } from './draw-facts.ts'
import { linesOf } from './leaf-lines.ts'
import type { ExpectedPlay } from './own-papers.ts'
import { type TrustFile, trustOf } from './trust.ts'

/** The input of a verification. All of it can be sent to a worker. */
export interface ProofRequest {
  readonly bundle: Bundle
  /** This browser's trust for the bundle's log. */
  readonly trust: TrustFile
  /** The roots of the served log at the sizes of kept heads (`rootsOfHeads`); empty for a file. */
  readonly roots: ReadonlyMap<number, Uint8Array | null>
  /** The player's plays that have to be in the draw; only for a bundle of one draw. */
  readonly plays: readonly ExpectedPlay[]
}

/** A play of the player, as it was found in the draw. */
export interface OwnPlay {
  /** hex */
  readonly id: string
  /**
   * `missing`: all plays of the draw are here, without this one. `moved`: the same, and a receipt says why. `unknown`:
   * not all plays are here.
   */
  readonly where: 'found' | 'missing' | 'moved' | 'unknown'
  /** Its place in the draw's tree; null if it was not found. */
  readonly index: number | null
  readonly lines: readonly (readonly number[])[]
}

/** A verified draw. */
export interface ProvenDraw {
  readonly report: DrawReport
  readonly facts: DrawFacts
}

export interface Proof {
  readonly report: Report
  readonly draws: readonly ProvenDraw[]
  readonly plays: readonly OwnPlay[]
  /** The text of a file that proves the operator's fault to anyone; null without one. */
  readonly evidence: string | null
}

/** Verifies a bundle by this browser's trust. @param options a pairing of its own, for tests with made-up rounds */
export function prove({ bundle, trust, roots, plays }: ProofRequest, options: VerifyOptions = {}): Proof {
  const trusted = trustOf(trust)
  // Evidence is verified once more, which are no steps of this check.
  const { onStep: _onStep, ...unwatched } = options
  const report = verifyBundle(bundle, trusted, { ...options, roots })
  const draws = report.draws.map((draw) => ({ report: draw, facts: drawFacts(bundle, draw, trusted.policy) }))
  const isFailed = report.failed.length > 0
  const evidence = isFailed ? (evidenceOfFork(bundle, trust.heads) ?? evidenceOfDraw(bundle, unwatched)) : null
  return {
    report,
    draws,
    plays: plays.map((play) => findPlay(bundle, draws[0]?.facts ?? null, play)),
    evidence: evidence === null ? null : writeEvidence(evidence),
  }
}

function findPlay({ draws: [draw] }: Bundle, facts: DrawFacts | null, { id, isMoved }: ExpectedPlay): OwnPlay {
  const parts = draw?.plays?.parts ?? []
  for (const { section, leaves } of parts) {
    let place = section * SECTION_LEAVES
    for (const leaf of entriesIn(leaves)) {
      const isIt = leaf[LEAF.kind] === PLAY_KIND && toHex(leaf.subarray(LEAF.playId, LEAF.rate)) === id
      if (isIt) return { id, where: 'found', index: place, lines: linesOf(leaf) }
      place += 1
    }
  }
  const areAll = facts?.close != null && parts.length === Math.ceil(facts.close.size / SECTION_LEAVES)
  const absent = isMoved ? 'moved' : 'missing'
  return { id, where: areAll ? absent : 'unknown', index: null, lines: [] }
}

/** The entries of a section; a cut-off last entry is omitted, which the report says. */
function* entriesIn(leaves: Uint8Array): Generator<Uint8Array, void> {
  try {
    yield* readEntries(leaves)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}
