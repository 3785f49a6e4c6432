import { fromHex, toHex } from './bytes.ts'
import {
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
import { CLOSE_BEFORE_ROUND_SECONDS } from './protocol.ts'
import type { HashFunctions } from './hash.ts'
import type { LoggedNoteOf } from './log.ts'
import type { Step } from './report.ts'
import { seedHash } from './sampler.ts'
import type { EntriesFound } from './sealed-entries.ts'
import {
  hadWitnesses,
  seenFinding,
  sightInputs,
  type WitnessedClose,
  witnessesFinding,
  witnessInputs,
} from './verify-sight.ts'

/** The title of step 3, for a report that could not get so far as well. */
export const CLOSE_TITLE = 'The sealing of all entries'

/** What step 3 looks at beside the draw's statements. */
export interface Sealing extends WitnessedClose {
  readonly record: DrawRecord
  readonly known: KnownChain | null
  /** null where the bundle has no entries */
  readonly entries: EntriesFound | null
}

/** Step 3: seed, entries, root, and that all of it was public before the round (fairness section 10). */
export function verifyCloseStep(sealing: Sealing, hash: HashFunctions): Step {
  const step = new StepChecks('close', CLOSE_TITLE)
  const { record, entries } = sealing
  const { close, open } = record
  if (close === null) {
    step.add('found', 'The draw was sealed', unchecked(unsealedText(record, sealing.nowAt)))
    return step.step()
  }
  const { statement } = close
  step.add('found', 'The draw was sealed', foundFinding(record), [
    ...inputs({ 'close hash': close.hash, 'number in the log': statement.seq, sealed: timeText(statement.time) }),
  ])
  step.add('once', 'Nothing in the seal was changed afterwards', onceFinding(sealing))
  step.add(
    'time',
    'It was sealed after sales, and a minute before its round',
    timeFinding(sealing),
    timeInputs(sealing),
  )
  const actualSeedHash = toHex(seedHash(fromHex(statement.seed, 32), hash))
  const isSeed = actualSeedHash === open.statement.seedhash
  step.add(
    'seed',
    'The seed is the one that was fixed when the draw opened',
    isSeed ? passed('Its hash is the seed hash of the open statement.') : failed('Its hash is another one.'),
    inputs({ seed: statement.seed, 'its hash': actualSeedHash, 'seed hash when opened': open.statement.seedhash }),
  )
  addEntryChecks(step, close, entries)
  if (open.statement.witness.required > 0) {
    step.add('witnesses', 'Enough witnesses signed it in time', witnessesFinding(sealing), witnessInputs(sealing))
  }
  step.add('seen', 'It was seen before its round was due', seenFinding(sealing), sightInputs(sealing))
  return step.step()
}

function unsealedText(record: DrawRecord, nowAt: number | null): string {
  if (record.state === 'void') return 'The draw is void; it was never sealed.'
  const { close } = record.open.statement
  if (nowAt !== null && nowAt < close) return `Sales are open until ${timeText(close)}.`
  return `Sales closed ${timeText(close)}; this log does not hold the seal yet.`
}

function foundFinding({ isReopened }: DrawRecord): Finding {
  return isReopened
    ? unchecked('The draw was postponed after this seal, so another seal has to follow.')
    : passed('The log holds its seal.')
}

/** A draw that lacked witnesses is sealed again, with another round and nothing else changed (fairness section 9). */
function onceFinding(sealing: Sealing): Finding {
  const { closes, postpones } = sealing.record
  const [first, ...others] = closes
  if (first === undefined || others.length === 0) return passed('There is one seal.')
  for (const [place, other] of others.entries()) {
    const before = closes[place] ?? first
    const isAfterPostpone = postpones.some(
      ({ statement: { seq, reason } }) =>
        reason === 'witness' && seq > before.statement.seq && seq < other.statement.seq,
    )
    if (!isAfterPostpone) return failed('It was sealed twice, although no witnesses were missing in between.')
    if (hadWitnesses(sealing, before)) return failed('It was sealed again although the first seal had its witnesses.')
    if (sealedFacts(first) !== sealedFacts(other)) return failed('A later seal of the draw has other contents.')
  }
  return passed(`It was sealed ${closes.length} times for missing witnesses, with the same contents.`)
}

function sealedFacts({ statement }: LoggedNoteOf<'close'>): string {
  const { entries, free, root, seed, stake, pool, bankroll, floor, rate } = statement
  return [entries, free, root, seed, stake, pool, bankroll, floor, rate.currency, rate.amount].join(' ')
}

function timeFinding({ record, known }: Sealing): Finding {
  for (const { statement } of record.closes) {
    const round = roundBefore(record, statement.seq)
    if (statement.round !== round) return failed(`It names round ${statement.round}; round ${round} was in force.`)
    if (statement.time < record.open.statement.close) return failed('It was sealed while sales were open.')
    const dueAt = known === null ? null : dueAtOf(round, known.chain)
    if (dueAt === null) return unchecked('When its round was due is not known.')
    if (statement.time > dueAt - CLOSE_BEFORE_ROUND_SECONDS) {
      return failed(`It was sealed ${timeText(statement.time)}, too late for a round due ${timeText(dueAt)}.`)
    }
  }
  const last = record.closes.at(-1)?.statement
  const dueAt = last === undefined || known === null ? null : dueAtOf(last.round, known.chain)
  if (last === undefined || dueAt === null) return unchecked('When its round was due is not known.')
  return passed(`It was sealed ${lengthText(dueAt - last.time)} before its round was due.`)
}

function timeInputs({ record, known }: Sealing) {
  const close = record.close?.statement
  const dueAt = close === undefined || known === null ? null : dueAtOf(close.round, known.chain)
  return inputs({
    'sales closed': timeText(record.open.statement.close),
    sealed: close && timeText(close.time),
    round: close?.round,
    'round due': dueAt === null ? null : timeText(dueAt),
  })
}

function addEntryChecks(step: StepChecks, close: LoggedNoteOf<'close'>, entries: EntriesFound | null): void {
  const { root, entries: count, free } = close.statement
  const found = (finding: (entries: EntriesFound) => Finding): Finding => {
    return entries === null ? unchecked('The entries are not here.') : finding(entries)
  }
  step.add(
    'order',
    'The entries ascend strictly, so none is there twice',
    found(({ disorderAt, badKindAt, count: number }) => {
      if (disorderAt !== null) return failed(`Entry ${disorderAt} is not above the one before it.`)
      if (badKindAt !== null) return failed(`Entry ${badKindAt} is neither paid nor free.`)
      return passed(`All ${countText(number, 'entry', 'entries')} are in order.`)
    }),
  )
  step.add(
    'count',
    'There are as many entries as the seal says',
    found((actual) => {
      if (!actual.isWhole) return failed('They do not end with a whole entry.')
      return actual.count === count && actual.free === free
        ? passed(`${countText(count, 'entry', 'entries')}, ${free} of them free.`)
        : failed(`There are ${actual.count}, ${actual.free} of them free; the seal says ${count} and ${free}.`)
    }),
    inputs({ 'entries sealed': count, 'free entries sealed': free, 'entries here': entries?.count }),
  )
  step.add(
    'lines',
    'Every entry is a line of this game',
    found(({ badLineAt }) =>
      badLineAt === null
        ? passed('Each has as many numbers as are drawn.')
        : failed(`Entry ${badLineAt} is no such line.`),
    ),
  )
  step.add(
    'root',
    'The tree over the entries has the root in the seal',
    found((actual) =>
      actual.root === root
        ? passed('No entry was added, dropped or changed after the sealing.')
        : failed('The entries here are not those that were sealed.'),
    ),
    inputs({ 'root in the seal': root, 'root of these entries': entries?.root }),
  )
}
