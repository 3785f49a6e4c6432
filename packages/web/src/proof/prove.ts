import type { Bundle, OwnRecord } from '@fairball/domain/fairness/bundle'
import { evidenceText } from '@fairball/domain/fairness/bundle-file'
import { drawRecord } from '@fairball/domain/fairness/draw-record'
import { readLogged } from '@fairball/domain/fairness/log'
import type { LoggedNote } from '@fairball/domain/fairness/log'
import type { Check, Report, Step } from '@fairball/domain/fairness/report'
import type { ResultTier } from '@fairball/domain/fairness/statements'
import { verifyBundle } from '@fairball/domain/fairness/verify'
import type { Remembered, SeenHead } from './memory.ts'
import { ownRecordOf } from './own-record.ts'
import { readReceipt } from './read-receipt.ts'

/** The data to verify, and this browser's own knowledge. All of it can be sent to a worker. */
export interface ProofRequest {
  readonly bundle: Bundle
  /** This browser's memory of the operator. */
  readonly seen: Remembered
  /**
   * The statement that the operator now serves in place of the newest one this browser has verified; null if it serves
   * none.
   */
  readonly headNow: string | null
  /** The time for new sights, epoch seconds. */
  readonly nowAt: number
  /** Whether the bundle is a file: then the operator was not asked for anything, and it may be of any operator. */
  readonly isSaved: boolean
}

/** Facts of the draw shown beside the report. Only the report verifies them. */
interface ProofFacts {
  /** The operator's first public key, hex; null where the log has none. */
  readonly key: string | null
  /** The newest statement of the log. */
  readonly head: SeenHead | null
  /** When the draw starts, by its last postponement or as it was opened, epoch seconds; null where the log never opens it. */
  readonly startAt: number | null
  /** Of the result statement; null before there is one. */
  readonly signedTiers: readonly ResultTier[] | null
}

/** A verified draw. */
export interface Proof {
  readonly report: Report
  readonly facts: ProofFacts
  /** The text of a file that proves the failure to anyone; null without one. */
  readonly evidence: string | null
}

/**
 * Verifies a bundle (fairness section 10) and compares its log with this browser's memory.
 *
 * @param onStep called with each step as soon as it is done
 */
export function prove(request: ProofRequest, onStep: (step: Step) => void): Proof {
  const { bundle, seen, headNow, nowAt, isSaved } = request
  const notes = bundle.log.map((note) => readLogged(note)).filter((note) => typeof note !== 'string')
  // The memory of this operator does not apply to another one.
  const isKnown = !isSaved || notes[0]?.statement.operator === seen.operator
  const formerName = formerNameIn(bundle)
  const own = ownRecordOf(bundle, isKnown ? seen : { key: null, closes: [] })
  const verifiedAs = formerName === null ? own : { ...own, username: null }
  const remembered = isKnown ? rememberedCheck(request, notes) : null
  const plays = isSaved ? null : playsCheck(bundle, notes)
  const told = (step: Step): Step => {
    if (step.name === 'log' && remembered !== null) return withCheck(step, remembered)
    if (step.name !== 'receipts') return step
    const named = formerName === null ? step : withFormerName(step, { formerName, nameNow: own.username ?? '' })
    return plays === null ? named : withCheck(named, plays)
  }
  const verified = verifyBundle(bundle, { own: verifiedAs, nowAt, onStep: (step) => onStep(told(step)) })
  const steps = verified.steps.map((step) => told(step))
  const hasFailed = steps.some((step) => step.outcome === 'failed')
  const report = { ...verified, steps, outcome: hasFailed ? ('failed' as const) : verified.outcome }
  const seenNotes = isKnown ? [...noteOf(headNow), ...noteOf(seen.head?.note), ...closeNotes(bundle, seen)] : []
  return {
    report,
    facts: factsOf(bundle, notes),
    evidence: hasFailed ? evidenceText(report, isKnown ? withMemory(bundle, own) : bundle, { notes: seenNotes }) : null,
  }
}

/** A bundle with this browser's memory beside its own content: both may have failed. */
function withMemory(bundle: Bundle, own: OwnRecord): Bundle {
  const known = new Set(own.sights.map(({ hash }) => hash))
  const others = (bundle.own?.sights ?? []).filter(({ hash }) => !known.has(hash))
  return {
    ...bundle,
    own: { ...own, key: own.key ?? bundle.own?.key ?? null, sights: [...own.sights, ...others] },
  }
}

function noteOf(note: string | null | undefined): string[] {
  return note === null || note === undefined ? [] : [note]
}

function closeNotes({ game, draw }: Bundle, { closes }: Remembered): string[] {
  return closes.filter((close) => close.game === game && close.draw === draw).map(({ note }) => note)
}

function withCheck(step: Step, check: Check): Step {
  const outcome = check.outcome === 'failed' ? 'failed' : step.outcome
  return { ...step, outcome, checks: [...step.checks, check] }
}

/** Whether the log continues the one this browser knows; null if it knows none, or the file is shorter. */
function rememberedCheck({ bundle, seen: { head }, headNow, isSaved }: ProofRequest, notes: readonly LoggedNote[]) {
  if (head === null) return null
  const inLog = notes.find(({ statement }) => statement.seq === head.seq)?.hash ?? null
  const served = headNow === null ? null : hashOf(headNow)
  const found = isSaved ? (bundle.log[head.seq] === undefined ? undefined : inLog) : served
  if (found === undefined) return null
  const check = (outcome: Check['outcome'], detail: string): Check => ({
    id: 'log.remembered',
    title: 'The log continues the one this browser has verified before',
    outcome,
    detail,
    inputs: [
      { name: `statement ${head.seq} as this browser verified it`, value: head.hash },
      ...(found === null ? [] : [{ name: `statement ${head.seq} now`, value: found }]),
    ],
  })
  if (found === head.hash && (inLog === null || inLog === head.hash))
    return check('passed', `Statement ${head.seq}, the newest one this browser has verified, is still the same.`)
  return headNow === null && !isSaved
    ? check('failed', `Statement ${head.seq} was published once, and is not served any more.`)
    : check('failed', `Statement ${head.seq} is another one now: the log was changed, or split in two.`)
}

/**
 * Whether the receipts, which were fetched for the plays of this draw, name it; null without any. One that names
 * another draw hides the lines, or that there are none.
 */
function playsCheck({ game, draw, own }: Bundle, notes: readonly LoggedNote[]): Check | null {
  const opened = drawRecord(notes, game, draw)?.open.hash
  const receipts = (own?.receipts ?? []).map(({ receipt }) => readReceipt(receipt)).filter((one) => one !== null)
  if (opened === undefined || receipts.length === 0) return null
  const strays = receipts.filter(({ open }) => open !== opened)
  const [stray] = strays
  return {
    id: 'receipts.plays',
    title: 'Your lines in this draw have receipts of this draw',
    outcome: stray === undefined ? 'passed' : 'failed',
    detail:
      stray === undefined
        ? 'Every receipt names the statement that opened this draw.'
        : `Your results show lines in this draw, and the receipt of their order, ${stray.order}, names another draw.`,
    inputs: [
      { name: 'hash of the statement that opened this draw', value: opened },
      ...strays.map(({ order, open }) => ({ name: `named in the receipt of order ${order}`, value: open })),
    ],
  }
}

function hashOf(note: string): string | null {
  const logged = readLogged(note)
  return typeof logged === 'string' ? null : logged.hash
}

/**
 * The name in the receipts if it differs from the player's present one: receipts keep the name at the purchase. Whether
 * it was theirs, only the player can tell.
 */
function formerNameIn({ own }: Bundle): string | null {
  if (own === null || own.username === null) return null
  const names = new Set(own.receipts.map(({ receipt }) => readReceipt(receipt)?.player ?? null))
  names.delete(own.username)
  const [former] = names
  return names.size === 1 ? (former ?? null) : null
}

function withFormerName(step: Step, { formerName, nameNow }: { formerName: string; nameNow: string }): Step {
  const detail = `They name “${formerName}”, and you are “${nameNow}” now. If you never had that name, they are not yours: do not accept them.`
  return {
    ...step,
    checks: step.checks.map((check) => (check.id === 'receipts.owner' ? { ...check, detail } : check)),
  }
}

function factsOf(bundle: Bundle, notes: readonly LoggedNote[]): ProofFacts {
  const first = notes[0]?.statement
  const last = notes.at(-1)
  const record = drawRecord(notes, bundle.game, bundle.draw)
  return {
    key: first?.type === 'log' ? first.key : null,
    head: last === undefined ? null : { seq: last.statement.seq, hash: last.hash, note: last.note },
    startAt: record?.startAt ?? null,
    signedTiers: record?.results[0]?.statement.tiers ?? null,
  }
}
