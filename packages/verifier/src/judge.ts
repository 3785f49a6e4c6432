import { type Bundle, readBundleOrEvidence, writeEvidence } from '@fairball/domain/protocol/bundle'
import { evidenceOfDraw, evidenceOfFork } from '@fairball/domain/protocol/evidence'
import { JsonError } from '@fairball/domain/protocol/json'
import type { Report } from '@fairball/domain/protocol/report'
import { ShapeError } from '@fairball/domain/protocol/shapes'
import { NO_TRUST, type Trust } from '@fairball/domain/protocol/trust'
import { openOf } from '@fairball/domain/protocol/verdict'
import { brokenReport, verifyBundle, verifyEvidence, type VerifyOptions } from '@fairball/domain/protocol/verify'

/** The report on a file. */
export interface Judged {
  readonly report: Report
  /** the name of each draw in the report, for people: its game and number as stated in the file */
  readonly titles: readonly string[]
}

/** Judges the bytes of a bundle or of evidence. Any bytes lead to a report. */
export function judgeFile(bytes: Uint8Array, trust: Trust = NO_TRUST, options: VerifyOptions = {}): Judged {
  const file = read(bytes)
  if (typeof file === 'string') return { report: brokenReport(file), titles: [] }
  if ('bundle' in file) return judgeBundle(file.bundle, trust, options)
  // Evidence is judged without any trust, so that everyone gets the same report.
  return named(verifyEvidence(file.evidence, options), file.evidence.bundle)
}

/** Judges a bundle. */
export function judgeBundle(bundle: Bundle, trust: Trust = NO_TRUST, options: VerifyOptions = {}): Judged {
  return named(verifyBundle(bundle, trust, options), bundle)
}

/** Evidence of a fault, as the text of a file; null if nothing failed, or only by this verifier's own sights. */
export function evidenceFrom(bytes: Uint8Array, trust: Trust, options: VerifyOptions = {}): string | null {
  const file = read(bytes)
  if (typeof file === 'string' || !('bundle' in file)) return null
  const evidence = evidenceOfDraw(file.bundle, options) ?? evidenceOfFork(file.bundle, trust.heads)
  return evidence === null ? null : writeEvidence(evidence)
}

/** A bundle or evidence, or a sentence that says why the bytes are neither. */
function read(bytes: Uint8Array): ReturnType<typeof readBundleOrEvidence> | string {
  try {
    return readBundleOrEvidence(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (error) {
    if (error instanceof JsonError || error instanceof ShapeError) return error.message
    if (error instanceof TypeError) return 'The file is not UTF-8.'
    throw error
  }
}

function named(report: Report, bundle: Bundle | null): Judged {
  const titles = report.draws.map(({ open }, place) => {
    const opened = bundle === null ? null : openOf(bundle, open)
    return opened === null ? `Draw ${place + 1} of this file` : `${opened.game}, draw ${opened.draw}`
  })
  return { report, titles }
}
