import type { Bundle, OwnRecord } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import { failed, type Finding, StepChecks, unchecked } from './checks.ts'
import { chainOf, drawRecord, type DrawRecord } from './draw-record.ts'
import { type HashFunctions, NOBLE_HASH } from './hash.ts'
import { type VerifiedLog, verifyLog } from './log.ts'
import type { Outcome, Report, Step, StepName } from './report.ts'
import { seedHash } from './sampler.ts'
import { readEntries } from './sealed-entries.ts'
import { BEACON_TITLE, beaconOf, verifyBeaconStep } from './verify-beacon.ts'
import { CLOSE_TITLE, verifyCloseStep } from './verify-close.ts'
import { fingerprintOf, verifyLogStep } from './verify-log.ts'
import { deriveNumbers, NUMBERS_TITLE, verifyNumbersStep } from './verify-numbers.ts'
import { OPEN_TITLE, rulesOf, verifyOpenStep } from './verify-open.ts'
import { PRIZES_TITLE, settleDraw, verifyPrizesStep } from './verify-prizes.ts'
import { RECEIPTS_TITLE, verifyReceiptsStep } from './verify-receipts.ts'
import { seenFinding } from './verify-sight.ts'

/** What a verifier may bring along. */
export interface VerifyOptions {
  /**
   * what the verifier remembers and holds. What a bundle says of its owner's memory never passes a check and can only fail
   * one; the receipts in it, which are signed, count where none are given here. Null: nothing of either
   */
  readonly own?: OwnRecord | null
  /** the verifier's clock, epoch seconds: for what cannot be told yet */
  readonly nowAt?: number | null
  /** told of each step as soon as it is done */
  readonly onStep?: (step: Step) => void
  /** those of the platform, where they are faster */
  readonly hash?: HashFunctions
}

/**
 * Verifies one draw from its bundle alone: the seven steps of fairness section 10, each with its inputs, as passed, failed or
 * not checkable here. A bundle comes from anywhere: whatever is in it, this gives a report and does not throw.
 */
export function verifyBundle(bundle: Bundle, options: VerifyOptions = {}): Report {
  return verifyDraw(bundle, verifyLog(bundle.log, options.hash === undefined ? {} : { hash: options.hash }), options)
}

/**
 * Verifies one draw with a log that has been verified already, by a `LogVerifier` that went on from what it remembered
 * (fairness section 10). The bundle's own log is not looked at.
 */
export function verifyDraw(bundle: Omit<Bundle, 'log'>, log: VerifiedLog, options: VerifyOptions = {}): Report {
  const { hash = NOBLE_HASH, nowAt = null, onStep } = options
  const own = options.own === undefined ? withoutMemory(bundle.own) : options.own
  const claimed = options.own === null ? null : bundle.own
  const steps: Step[] = []
  const add = (step: Step): void => {
    steps.push(step)
    onStep?.(step)
  }
  const record = drawRecord(log.statements, bundle.game, bundle.draw)
  add(verifyLogStep({ log, record, own, claimed, hash }))
  const first = log.head?.keys[0]?.publicKey
  const about = {
    game: bundle.game,
    draw: bundle.draw,
    operator: log.head?.operator ?? '',
    fingerprint: first === undefined ? '' : fingerprintOf(first, hash),
  }
  if (record === null) {
    for (const step of stepsWithoutDraw(log)) add(step)
    const outcome = outcomeOf(steps)
    return { ...about, ...UNKNOWN_DRAW, outcome, steps }
  }

  const known = chainOf(log.statements, record.open.statement)
  const rules = rulesOf(bundle.rules, record.open.statement, hash)
  const beacon = beaconOf(record, known, bundle.beacon)
  add(verifyOpenStep({ log, record, known, rules, own, isSignatureKnown: beacon.signature !== null }))

  const { pick, pool } = record.open.statement
  const shape = { openHash: fromHex(record.open.hash), pick, pool }
  const isClosed = record.close !== null
  const entries = isClosed && bundle.entries !== null ? readEntries(bundle.entries, shape, hash) : null
  const sights = own?.sights ?? []
  const sealing = {
    record,
    known,
    entries,
    witnesses: bundle.witnesses,
    sights,
    claimedSights: claimed?.sights ?? [],
    nowAt,
    isRoundKnown: beacon.signature !== null || record.results.length > 0,
  }
  add(verifyCloseStep(sealing, hash))
  add(verifyBeaconStep(record, known, beacon))

  const isSeedRight = hasRightSeed(record, hash)
  const derived = deriveNumbers(record, { signature: beacon.signature, isSeedRight }, hash)
  add(verifyNumbersStep(record, known, derived))

  const isSealed = entries !== null && entries.isWhole && entries.root === record.close?.statement.root
  const sealedEntries = isSealed ? bundle.entries : null
  const { derivation } = derived
  const prizes = settleDraw({ record, rules: rules.rules, derivation, entries: sealedEntries })
  add(verifyPrizesStep(log.statements, record, rules.rules, prizes))
  const inOrder = entries?.disorderAt === null ? sealedEntries : null
  add(verifyReceiptsStep({ log, record, own, sealedEntries: inOrder }, hash))
  const outcome = outcomeOf(steps)
  const isSeen = record.close !== null && seenFinding(sealing).outcome === 'passed'
  const isPublicBeacon = known?.isPublic ?? null
  const { state } = record
  return { ...about, state, outcome, isSeen, isPublicBeacon, steps, derivation, tiers: prizes.tiers }
}

/** What a report says of a draw that its log does not open. */
const UNKNOWN_DRAW = { state: 'open', isSeen: false, isPublicBeacon: null, derivation: null, tiers: null } as const

/** The own record in a bundle without what anybody could have written into it. */
function withoutMemory(own: OwnRecord | null): OwnRecord | null {
  return own === null ? null : { ...own, key: null, sights: [] }
}

function hasRightSeed({ open, close }: DrawRecord, hash: HashFunctions): boolean {
  return close !== null && toHex(seedHash(fromHex(close.statement.seed), hash)) === open.statement.seedhash
}

/** Steps 2 to 7 for a log that does not open the draw, or not as far as it holds. */
function stepsWithoutDraw(log: VerifiedLog): Step[] {
  const found: Finding =
    log.problem === null
      ? failed('The log does not open this draw.')
      : unchecked(`The log holds up to statement ${log.problem.seq}, and does not open this draw before it.`)
  const later = unchecked('The statement that opened the draw is missing.')
  const only = (name: StepName, title: string, id: string, asked: string, finding: Finding): Step => {
    const step = new StepChecks(name, title)
    step.add(id, asked, finding)
    return step.step()
  }
  return [
    only('open', OPEN_TITLE, 'once', 'The draw was opened in the log, once', found),
    only('close', CLOSE_TITLE, 'found', 'The draw was sealed', later),
    only('beacon', BEACON_TITLE, 'signature', 'The signature is the one valid one of the round', later),
    only('numbers', NUMBERS_TITLE, 'derived', 'The numbers follow from seed, seal and randomness', later),
    only('prizes', PRIZES_TITLE, 'tiers', 'Winners and amounts are right', later),
    only('receipts', RECEIPTS_TITLE, 'found', 'The receipts are of this draw', later),
  ]
}

/** A draw holds once every step but that of the receipts has passed, and nothing at all failed. */
function outcomeOf(steps: readonly Step[]): Outcome {
  if (steps.some(({ outcome }) => outcome === 'failed')) return 'failed'
  return steps.every(({ name, outcome }) => outcome === 'passed' || name === 'receipts') ? 'passed' : 'unchecked'
}
