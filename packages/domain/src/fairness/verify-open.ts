import { postponedStartAt } from '../calendar.ts'
import type { OwnRecord } from './bundle.ts'
import { chainHash, roundOf } from './chain.ts'
import {
  attempt,
  countText,
  failed,
  type Finding,
  inputs,
  lengthText,
  passed,
  StepChecks,
  timeText,
  unchecked,
} from './checks.ts'
import { dueAtOf, type DrawRecord, type KnownChain, roundBefore } from './draw-record.ts'
import type { LoggedNoteOf, VerifiedLog } from './log.ts'
import { CLOSE_BEFORE_ROUND_SECONDS, MAX_POSTPONEMENTS, VOID_AFTER_SECONDS } from './protocol.ts'
import { type ReadReceipt, readReceipt, receiptSigner } from './receipt-signature.ts'
import type { Step } from './report.ts'
import { parseStatementOf, statementHash, type StatementOf } from './statements.ts'
import type { HashFunctions } from './hash.ts'

/** The title of step 2, for a report that could not get so far as well. */
export const OPEN_TITLE = 'What was fixed before the first sale'

/** The rules a bundle brings, held against the hash that the open statement names. */
export interface KnownRules {
  /** null where the text is not the one that was named, or does not fit the draw */
  readonly rules: StatementOf<'rules'> | null
  readonly finding: Finding
}

/** Reads the rules of a draw. Never throws. */
export function rulesOf(text: string, open: StatementOf<'open'>, hash: HashFunctions): KnownRules {
  const actual = attempt(() => statementHash(text, hash))
  if (actual !== open.rules) return { rules: null, finding: failed('The rules in hand have another hash.') }
  const rules = readRules(text)
  if (rules === null) return { rules, finding: failed('The text of this hash is not the rules of a game.') }
  const isSame = rules.game === open.game && rules.pick === open.pick && rules.pool === open.pool
  return isSame
    ? { rules, finding: passed('They have the hash that was named, and are of the same game.') }
    : { rules: null, finding: failed('They are the rules of another game, or of other numbers.') }
}

/** Step 2: chain, round, rules, and that nothing was sold before (fairness section 10). */
export function verifyOpenStep({
  log,
  record,
  known,
  rules,
  own,
  isSignatureKnown,
}: {
  readonly log: VerifiedLog
  readonly record: DrawRecord
  readonly known: KnownChain | null
  readonly rules: KnownRules
  readonly own: OwnRecord | null
  /** whether a valid signature of the draw's round is in hand */
  readonly isSignatureKnown: boolean
}): Step {
  const step = new StepChecks('open', OPEN_TITLE)
  const { hash, statement: open } = record.open
  step.add('once', 'The draw was opened in the log, once', foundFinding(record), [
    ...inputs({ 'open hash (identity of the draw)': hash, 'number in the log': open.seq, opened: timeText(open.time) }),
    ...inputs({ 'sales close': timeText(open.close), 'draw starts': timeText(open.start), 'seed hash': open.seedhash }),
    ...inputs({ 'numbers drawn': `${open.pick} of ${open.pool}` }),
  ])
  step.add('chain', 'The beacon is known', chainFinding(known), chainInputs(open, known))
  step.add('round', 'The round follows from the start', roundFinding(open, open.round, open.start, known), [
    ...inputs({ 'draw starts': timeText(open.start), round: open.round, 'round due': dueText(open.round, known) }),
  ])
  step.add('rules', 'The rules are those that were named', rules.finding, inputs({ 'rules hash': open.rules }))
  step.add('receipts', 'It was opened before any receipt', receiptsFinding(record, own))
  if (record.postpones.length > 0) {
    step.add(
      'postponed',
      'It was postponed as the rules allow',
      postponesFinding(record, known),
      record.postpones.flatMap(postponeInputs),
    )
  }
  if (record.voids.length > 0) {
    const [first] = record.voids.map(({ statement }) => statement)
    const receipts = receiptsOf(record, own)
    const hasPlayer = receipts.some((one) => receiptSigner(one, log) === 'log')
    const voiding = { record, known, isSignatureKnown, hasPlayer }
    step.add('void', 'It was called void as the rules allow', voidFinding(voiding), [
      ...inputs({ reason: first?.reason, 'called void': first && timeText(first.time) }),
    ])
  }
  return step.step()
}

function foundFinding({ opens, open }: DrawRecord): Finding {
  if (opens.length > 1) return failed(`The log opens this draw ${opens.length} times.`)
  const { time, close } = open.statement
  if (time >= close) return failed('It was opened only when its sales had closed.')
  return passed(`It was opened ${lengthText(close - time)} before its sales closed.`)
}

function chainFinding(known: KnownChain | null): Finding {
  if (known === null)
    return failed('The log describes no such chain before the draw, and it is none of the public ones.')
  const { chain, isPublic } = known
  if (isPublic) return passed(`It is ${chain.name}, the public beacon of the League of Entropy.`)
  if (attempt(() => chainHash(chain)) !== chain.hash)
    return failed('The hash of the chain does not follow from its values.')
  return passed('It is a private chain, and as the log describes it: it shows the arithmetic, not the honesty.')
}

function chainInputs(open: StatementOf<'open'>, known: KnownChain | null) {
  return inputs({
    'chain hash': open.chain,
    name: known?.chain.name,
    'public key': known?.chain.publicKey,
    'seconds a round': known?.chain.periodSeconds,
    'first round due': known && timeText(known.chain.genesisAt),
  })
}

function roundFinding(open: StatementOf<'open'>, round: bigint, startAt: number, known: KnownChain | null): Finding {
  if (known === null) return unchecked(`The chain ${open.chain} is not known.`)
  const expected = attempt(() => roundOf(startAt, known.chain))
  if (expected === null) return failed('The draw starts before the first round of its chain.')
  return expected === round
    ? passed(`Round ${round} is the first one due at or after the start.`)
    : failed(`The first round due at or after the start is ${expected}, not ${round}.`)
}

function receiptsFinding({ open }: DrawRecord, own: OwnRecord | null): Finding {
  const times = receiptsOf({ open }, own).map(({ receipt }) => receipt.time)
  if (times.length === 0) return unchecked('There is no receipt of this draw here.')
  const early = times.filter((time) => time < open.statement.time).length
  return early === 0
    ? passed(`${countText(times.length, 'receipt is', 'receipts are')} here, younger than it.`)
    : failed(`${countText(early, 'receipt is', 'receipts are')} older than the statement that opened the draw.`)
}

function receiptsOf({ open }: Pick<DrawRecord, 'open'>, own: OwnRecord | null): ReadReceipt[] {
  return (own?.receipts ?? [])
    .map(readReceipt)
    .filter((one) => one !== null)
    .filter(({ receipt }) => receipt.open === open.hash)
}

function postponesFinding(record: DrawRecord, known: KnownChain | null): Finding {
  if (record.postpones.length > MAX_POSTPONEMENTS) {
    return failed(`It was postponed ${record.postpones.length} times; after ${MAX_POSTPONEMENTS} it has to be void.`)
  }
  for (const logged of record.postpones) {
    const problem = postponeProblem(record, logged, known)
    if (problem !== null) return problem
  }
  return passed(`It was postponed ${countText(record.postpones.length, 'time', 'times')}, each to a later start.`)
}

function postponeProblem(
  record: DrawRecord,
  logged: LoggedNoteOf<'postpone'>,
  known: KnownChain | null,
): Finding | null {
  const { seq, time, start, round, reason } = logged.statement
  const open = record.open.statement
  if (start % 60 !== 0 || start < postponedStartAt(time, [])) {
    return failed(`The new start, ${timeText(start)}, is not a whole minute at least 15 minutes after the decision.`)
  }
  const roundOutcome = roundFinding(open, round, start, known)
  if (roundOutcome.outcome !== 'passed') return roundOutcome
  if (couldBeSealedAt(record, logged.statement, known)) return failed('It could still have been sealed in time then.')
  const sealed = record.closes.find(({ statement }) => statement.seq < seq)
  if (reason === 'witness' && open.witness.required === 0) {
    return failed('It was postponed for missing witnesses, but needed none.')
  }
  if (sealed !== undefined && reason !== 'witness') return failed('It was postponed although it was sealed.')
  return sealed === undefined && reason === 'witness'
    ? failed('It was postponed for witnesses of a seal that never was.')
    : null
}

function postponeInputs({ statement }: LoggedNoteOf<'postpone'>) {
  const { reason, time, start, round } = statement
  return inputs({ postponed: timeText(time), reason, 'new start': timeText(start), 'new round': round })
}

interface Voiding {
  readonly record: DrawRecord
  readonly known: KnownChain | null
  readonly isSignatureKnown: boolean
  /** whether a genuine receipt of the draw is in hand */
  readonly hasPlayer: boolean
}

function voidFinding(voiding: Voiding): Finding {
  const { record, isSignatureKnown } = voiding
  const [first] = record.voids
  if (first === undefined || record.voids.length > 1) return failed('It was called void more than once.')
  const { reason, time, seq } = first.statement
  if (record.results.length > 0) return failed('The log holds a result of a draw that is void.')
  const later = [...record.closes, ...record.postpones].some(({ statement }) => statement.seq > seq)
  if (later) return failed('The log goes on with the draw after it was called void.')
  const isSealed = record.close !== null && !record.isReopened
  if (reason === 'outage') return isSealed ? outageFinding(record) : unsealedFinding(voiding)
  if (!isSealed) return failed('The beacon is named as the reason, but the draw was never sealed.')
  if (time < record.startAt + VOID_AFTER_SECONDS)
    return failed('The rules wait 7 days for the beacon; this was earlier.')
  return isSignatureKnown
    ? unchecked('The round has a valid signature now. Whether it came within 7 days of the start cannot be told here.')
    : passed('More than 7 days after the start there was no signature of the round.')
}

function unsealedFinding({ record, known, hasPlayer }: Voiding): Finding {
  const [first] = record.voids
  if (first !== undefined && couldBeSealedAt(record, first.statement, known)) {
    return failed('It could still have been sealed in time then.')
  }
  if (record.postpones.length >= MAX_POSTPONEMENTS) return passed('It was not sealed in time.')
  return hasPlayer
    ? failed('It had entries, so it had to be postponed: only the third miss makes such a draw void.')
    : unchecked('Only a draw that nobody is in may be void at the first miss; whether anybody was cannot be told here.')
}

/** Whether a seal committed at a moment would have been in time for the round then in force (fairness section 7). */
function couldBeSealedAt(record: DrawRecord, { seq, time }: { seq: number; time: number }, known: KnownChain | null) {
  const dueAt = known === null ? null : dueAtOf(roundBefore(record, seq), known.chain)
  return dueAt !== null && time <= dueAt - CLOSE_BEFORE_ROUND_SECONDS
}

/** A sealed draw may end so only when a seal lacked witnesses: once too often, or of a draw that nobody was in. */
function outageFinding({ open, close, postpones }: DrawRecord): Finding {
  const isGivenUp = postpones.length === MAX_POSTPONEMENTS || close?.statement.entries === 0
  return open.statement.witness.required > 0 && isGivenUp
    ? unchecked('Whether its last seal lacked witnesses cannot be told here.')
    : failed('It was sealed, so only the beacon could have kept it from being drawn.')
}

function dueText(round: bigint, known: KnownChain | null): string | null {
  const dueAt = known === null ? null : dueAtOf(round, known.chain)
  return dueAt === null ? null : timeText(dueAt)
}

function readRules(text: string): StatementOf<'rules'> | null {
  try {
    return parseStatementOf('rules', text)
  } catch {
    return null // a text that is no rules; the finding says so
  }
}
