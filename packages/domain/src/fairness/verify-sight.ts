import type { Sight } from './bundle.ts'
import { fromHex } from './bytes.ts'
import {
  countText,
  failed,
  type Finding,
  type Input,
  inputs,
  lengthText,
  passed,
  timeText,
  unchecked,
} from './checks.ts'
import { dueAtOf, type DrawRecord, type KnownChain } from './draw-record.ts'
import type { LoggedNoteOf } from './log.ts'
import { CLOSE_BEFORE_ROUND_SECONDS, WITNESS_AHEAD_SECONDS } from './protocol.ts'
import { noteOf, witnessedAt } from './signed-note.ts'

/** What says when a seal was public: witnesses, and who verifies. */
export interface WitnessedClose {
  readonly record: DrawRecord
  readonly known: KnownChain | null
  /** signature lines */
  readonly witnesses: readonly string[]
  /** of who verifies */
  readonly sights: readonly Sight[]
  /** as the bundle says them of who saved it: anybody could have written them */
  readonly claimedSights: readonly Sight[]
  /** whether a valid signature of the round, or a result, is in hand: then the round is over, whatever a clock says */
  readonly isRoundKnown: boolean
  /** the verifier's clock, epoch seconds; null where it has none */
  readonly nowAt: number | null
}

/**
 * When each witness of the draw saw a seal of it, by its own valid signature (fairness section 5). A date before the seal itself
 * does not count. Never throws.
 *
 * @param close one of the draw's; the last when left out
 */
export function witnessTimes(
  { record, witnesses }: Pick<WitnessedClose, 'record' | 'witnesses'>,
  close: LoggedNoteOf<'close'> | null = record.close,
): Map<string, number> {
  const times = new Map<string, number>()
  const { open } = record
  if (close === null) return times
  for (const { name, publicKey } of open.statement.witness.list) {
    // Each line alone: a line that is none, or a witness's false one, must not hide a valid one beside it.
    const seen = witnesses
      .flatMap((line) => timeOf(close.text, line, { name, publicKey: fromHex(publicKey, 32) }))
      .filter((at) => at >= close.statement.time - WITNESS_AHEAD_SECONDS)
    if (seen.length > 0) times.set(name, Math.min(...seen))
  }
  return times
}

/** Whether as many witnesses as the draw asks for signed its seal in time (fairness sections 5 and 10, step 3). */
export function witnessesFinding(sealing: WitnessedClose): Finding {
  const { required } = sealing.record.open.statement.witness
  const limitAt = limitOf(sealing)
  if (limitAt === null) return unchecked('When its round was due is not known.')
  const inTime = [...witnessTimes(sealing).values()].filter((at) => at < limitAt).length
  const { isReopened, voids, results } = sealing.record
  const isGivenUp = voids.some(({ statement }) => statement.reason === 'outage')
  if (inTime >= required) {
    return isReopened || isGivenUp
      ? failed(`${inTime} witnesses signed it in time, so the draw should have taken place.`)
      : passed(`${inTime} of the ${required} needed signed it at least a minute before the round was due.`)
  }
  const text = `${inTime} of the ${required} needed signed it in time.`
  const isOver = results.length > 0 || (sealing.nowAt !== null && sealing.nowAt >= limitAt)
  return isOver && !isReopened && !isGivenUp ? failed(text) : unchecked(text)
}

/** Whether a seal that was replaced for missing witnesses had enough of them after all (fairness section 9). */
export function hadWitnesses(sealing: WitnessedClose, close: LoggedNoteOf<'close'>): boolean {
  const { known, record } = sealing
  const dueAt = known === null ? null : dueAtOf(close.statement.round, known.chain)
  if (dueAt === null) return false
  const times = [...witnessTimes(sealing, close).values()]
  const { required } = record.open.statement.witness
  return times.filter((at) => at < dueAt - CLOSE_BEFORE_ROUND_SECONDS).length >= required
}

/** The witnesses that a draw names, and when each signed. */
export function witnessInputs(sealing: WitnessedClose): Input[] {
  const times = witnessTimes(sealing)
  const limitAt = limitOf(sealing)
  const { list, required } = sealing.record.open.statement.witness
  return [
    ...inputs({ 'witnesses needed': required, 'to be signed before': limitAt === null ? null : timeText(limitAt) }),
    ...list.map(({ name, publicKey }) => {
      const at = times.get(name)
      return {
        name: `witness ${name} (${publicKey})`,
        value: at === undefined ? 'not signed' : `signed ${timeText(at)}`,
      }
    }),
  ]
}

/**
 * Whether somebody outside saw the seal before its round was due (fairness section 10, step 3). A later sight says nothing
 * against the operator: one may come late oneself.
 */
export function seenFinding(sealing: WitnessedClose): Finding {
  const dueAt = dueOf(sealing)
  if (dueAt === null) return unchecked('When its round was due is not known.')
  const seenAt = firstSeenAt(sealing, sealing.sights)
  if (seenAt !== null && seenAt < dueAt) {
    return passed(`It was seen ${lengthText(dueAt - seenAt)} before the round was due, and is still the same.`)
  }
  const [witnessed] = [...witnessTimes(sealing)].filter(([, at]) => at < dueAt)
  if (witnessed !== undefined) return passed(`The witness ${witnessed[0]} signed it before the round was due.`)
  if (sealing.nowAt !== null && sealing.nowAt < dueAt) {
    return sealing.isRoundKnown
      ? unchecked(
          'By the clock used here the round is not due yet, and yet its signature is known: the clock is wrong.',
        )
      : passed('The round is not due yet: it is seen right now.')
  }
  const claimedAt = firstSeenAt(sealing, sealing.claimedSights)
  if (seenAt === null && claimedAt !== null && claimedAt < dueAt) {
    return unchecked(
      `The file says that it was seen ${lengthText(dueAt - claimedAt)} before the round was due: that is the word of whoever saved it.`,
    )
  }
  return unchecked(
    seenAt === null
      ? 'Nobody who saw it before its round is on record here. Whether it was public in time cannot be told here.'
      : 'It was first seen after its round was due. Whether it was public before cannot be told here.',
  )
}

/** When the seal was seen, and when its round was due. */
export function sightInputs(sealing: WitnessedClose): Input[] {
  const [dueAt, seenAt] = [dueOf(sealing), firstSeenAt(sealing, sealing.sights)]
  const claimedAt = firstSeenAt(sealing, sealing.claimedSights)
  return inputs({
    'close hash': sealing.record.close?.hash,
    'first seen': seenAt === null ? null : timeText(seenAt),
    'first seen, as the file says': claimedAt === null ? null : timeText(claimedAt),
    'round due': dueAt === null ? null : timeText(dueAt),
    'signed by': countText(witnessTimes(sealing).size, 'witness', 'witnesses'),
  })
}

function firstSeenAt({ record }: WitnessedClose, sights: readonly Sight[]): number | null {
  const times = sights.filter(({ hash }) => hash === record.close?.hash).map(({ seenAt }) => seenAt)
  return times.length === 0 ? null : Math.min(...times)
}

function dueOf({ record, known }: WitnessedClose): number | null {
  return record.close === null || known === null ? null : dueAtOf(record.close.statement.round, known.chain)
}

function limitOf(sealing: WitnessedClose): number | null {
  const dueAt = dueOf(sealing)
  return dueAt === null ? null : dueAt - CLOSE_BEFORE_ROUND_SECONDS
}

function timeOf(text: string, line: string, witness: { name: string; publicKey: Uint8Array }): number[] {
  try {
    const at = witnessedAt(noteOf(text, [line]), witness)
    return at === null ? [] : [at]
  } catch {
    return [] // not a signature line
  }
}
