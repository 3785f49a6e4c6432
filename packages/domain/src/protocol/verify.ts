import { isRoundSigned } from './beacon.ts'
import { type Bundle, type BundleDraw, type Evidence, readBundle } from './bundle.ts'
import { equalBytes, fromHex } from './bytes.ts'
import { logKey, readCheckpoint } from './checkpoint.ts'
import { type Hash, nobleHash } from './hash.ts'
import { JsonError } from './json.ts'
import type { KnownLog } from './known-log.ts'
import { isSignedBy } from './note.ts'
import { type CheckId, Checks, type DrawReport, type Findings, outcomeOf, type Report, reportOf } from './report.ts'
import { ShapeError } from './shapes.ts'
import { type Close, isLogged } from './timeline.ts'
import { NO_TRUST, type Trust } from './trust.ts'
import { verifyLog } from './verify-log.ts'
import { verifyMoney } from './verify-money.ts'
import { verifyOpen } from './verify-open.ts'
import { type Papers, readPapers, verifyOtherPapers, verifyPapers, verifySignatures } from './verify-papers.ts'
import { type SealedPlays, verifyPlays } from './verify-plays.ts'
import {
  numbersOf,
  type RoundCheck,
  verifyBeacon,
  verifyPaid,
  verifyResult,
  verifyResultForm,
} from './verify-result.ts'
import { type DrawRanges, readRanges, type SealedDraw, verifySeal } from './verify-seal.ts'
import { verifyVoid } from './verify-void.ts'

/** The verifier (section 11): from a bundle and a trust to a report. It has no clock and uses no network. */

/** What a program can supply to the verifier. */
export interface VerifyOptions {
  /** the platform's SHA-256, if that is faster */
  readonly hash?: Hash
  /** the pairing; null if the program has none, and then `beacon.signature` is unknown */
  readonly isRoundSigned?: RoundCheck
  /** the log's root at the sizes of kept heads, as served now (`rootsOfHeads`); null if the log is shorter */
  readonly roots?: ReadonlyMap<number, Uint8Array | null>
  /** Called as each step of the work begins; of several draws, each has its own steps. */
  readonly onStep?: (step: VerifyStep) => void
}

/** A step of a verification; they are listed in the order of the work. */
export type VerifyStep = 'log' | 'open' | 'seal' | 'beacon' | 'numbers' | 'money' | 'papers'

interface Context {
  readonly bundle: Bundle
  readonly trust: Trust
  readonly hash: Hash
  readonly isRound: RoundCheck
  readonly onStep: (step: VerifyStep) => void
}

/** Verifies a bundle. It never throws: a bundle is untrusted input, and any content leads to a report. */
export function verifyBundle(bundle: Bundle, trust: Trust = NO_TRUST, options: VerifyOptions = {}): Report {
  const { hash = nobleHash, isRoundSigned: isRound = isRoundSigned, roots = new Map(), onStep = ignoreStep } = options
  const context = { bundle, trust, hash, isRound, onStep }
  const checks = new Checks()
  onStep('log')
  const log = verifyLog(bundle, trust, checks, { hash, roots })
  if (log === null) return unprovenReport(bundle, checks)
  const papers = readPapers(log, bundle.papers, checks)
  verifyOtherPapers(
    log,
    papers,
    bundle.draws.map(({ open }) => open),
    checks,
  )
  const ranges = bundle.draws.map((draw) => readRanges(log, draw, hash))
  const findings = checks.findings()
  const draws = bundle.draws.map((draw, place) =>
    verifyDraw(context, log, papers, { draw, ranges: ranges[place] ?? { sealed: null, tail: [] }, before: findings }),
  )
  return reportOf(findings, draws)
}

/** Verifies the text of a bundle's file: any other text is broken. */
export function verifyBundleText(fileText: string, trust: Trust = NO_TRUST, options: VerifyOptions = {}): Report {
  try {
    return verifyBundle(readBundle(fileText), trust, options)
  } catch (error) {
    if (!(error instanceof JsonError) && !(error instanceof ShapeError)) throw error
    return brokenReport(error.message)
  }
}

/**
 * Verifies evidence (section 12). The outcome is failed if it proves its claim: its bundle fails in each named check,
 * without trust and with the key it names; or two checkpoints of one origin and size, both signed by that key, have
 * different roots. Anything else is broken and accuses no one.
 */
export function verifyEvidence(evidence: Evidence, options: VerifyOptions = {}): Report {
  return evidence.kind === 'fork' ? verifyFork(evidence) : verifyFailedDraw(evidence, options)
}

/** Whether evidence proves its claim. */
export function isProven(evidence: Evidence, options: VerifyOptions = {}): boolean {
  return verifyEvidence(evidence, options).outcome === 'failed'
}

/** The report on a file that cannot be judged. @param why a sentence */
export function brokenReport(why: string): Report {
  return { outcome: 'broken', reasons: [why], checks: {}, draws: [], failed: [], warned: [], broken: [] }
}

function verifyFailedDraw({ bundle, failed, notes, key }: Evidence, options: VerifyOptions): Report {
  if (bundle === null || failed.length === 0 || notes.length > 0) {
    return brokenReport('Evidence of a draw has a bundle, failed checks and no notes.')
  }
  const report = verifyBundle(bundle, { ...NO_TRUST, key }, options)
  if (report.outcome === 'broken') return report
  const isProof = report.outcome === 'failed' && failed.every((id) => report.failed.includes(id as CheckId))
  return isProof ? report : brokenReport('The bundle of this evidence does not fail in the checks that it names.')
}

function verifyFork({ bundle, failed, notes, key }: Evidence): Report {
  const [one, other, ...more] = notes.map(readCheckpoint)
  const isForm = bundle === null && failed.length === 0 && more.length === 0
  if (!isForm || one == null || other == null) return brokenReport('Evidence of a fork has two heads and nothing else.')
  const isOfOne = one.origin === other.origin && one.size === other.size && !equalBytes(one.root, other.root)
  if (!isOfOne) return brokenReport('These are not two heads of one log and size with unlike roots.')
  const isSigned = [one, other].every(({ origin, note }) => isSignedBy(note, logKey(origin, fromHex(key))))
  if (!isSigned) return brokenReport('The key of this evidence did not sign both heads.')
  const checks = new Checks()
  checks.end('log.remembered', 'fail', `${one.origin} signed two heads of size ${one.size} with unlike roots`)
  return reportOf(checks.findings(), [])
}

/** The report on a bundle whose log is not proven, so that its draws cannot be judged. */
function unprovenReport({ draws }: Bundle, checks: Checks): Report {
  const findings = checks.findings()
  const isHead = findings['log.head']?.status === 'pass'
  const own = new Checks()
  if (!isHead) own.end('seal.range', 'broken', 'there is no head of the log to hold it against')
  const ofDraw: Findings = own.findings()
  return reportOf(
    findings,
    draws.map(({ open }) => ({ open, outcome: 'broken', checks: ofDraw, numbers: null })),
  )
}

function verifyDraw(
  context: Context,
  log: KnownLog,
  papers: Papers,
  { draw, ranges, before }: { readonly draw: BundleDraw; readonly ranges: DrawRanges; readonly before: Findings },
): DrawReport {
  const checks = new Checks()
  const { bundle, trust, hash, onStep } = context
  onStep('open')
  verifySignatures({ log, papers, open: draw.open, hash, checks })
  const opened = verifyOpen(log, bundle.texts, draw, checks)
  onStep('seal')
  const sealed = opened === null ? null : verifySeal(log, opened, draw, ranges, { trust, hash, checks })
  const numbers = sealed === null ? null : verifySealed(context, log, papers, { draw, sealed, checks })
  const findings = checks.findings()
  return { open: draw.open, outcome: outcomeOf(before, findings), checks: findings, numbers }
}

/** Checks everything after a seal. @returns the numbers of the draw, or null */
function verifySealed(
  context: Context,
  log: KnownLog,
  papers: Papers,
  { draw, sealed, checks }: { readonly draw: BundleDraw; readonly sealed: SealedDraw; readonly checks: Checks },
): readonly number[] | null {
  const { trust, hash, onStep } = context
  const { close, timeline } = sealed
  const final = timeline.final
  if (final !== null && isLogged('void', final)) verifyVoid(log, sealed, final, trust, checks)
  if (close === null) return null
  const plays = verifyPlays(log, sealed, close, draw, { hash, checks })
  const numbers = verifyDrawn(context, log, sealed, { draw, close, plays, checks })
  onStep('papers')
  verifyPapers({ log, papers, open: draw.open, hash, checks }, close, plays.areSealed ? plays : null)
  return numbers
}

/** Checks random number, numbers, money and prizes of a sealed draw. @returns its numbers, or null */
function verifyDrawn(
  { hash, isRound, onStep }: Context,
  log: KnownLog,
  sealed: SealedDraw,
  {
    draw,
    close,
    plays,
    checks,
  }: { readonly draw: BundleDraw; readonly close: Close; readonly plays: SealedPlays; readonly checks: Checks },
): readonly number[] | null {
  const { final } = sealed.timeline
  const isVoid = final !== null && isLogged('void', final)
  const result = final !== null && isLogged('result', final) ? final : null
  // A void draw does not wait for its random number.
  if (isVoid && draw.beacon === null) {
    onStep('money')
    verifyMoney(log, sealed, close, checks)
    return null
  }
  onStep('beacon')
  const signature = verifyBeacon(sealed, close, draw, { result, isRound, checks })
  onStep('numbers')
  const isDrawn = signature !== null && !isVoid
  const numbers = isDrawn ? numbersOf(sealed, close, signature) : null
  if (isDrawn) verifyResultForm(sealed, close, result, { signature, checks })
  onStep('money')
  verifyMoney(log, sealed, close, checks)
  if (numbers === null || result === null) return numbers
  const settled = verifyResult(log, sealed, close, result, { plays, numbers, hash, checks })
  if (settled !== null) verifyPaid(log, sealed, settled, checks)
  return numbers
}

function ignoreStep(): void {
  // Nobody watches.
}
