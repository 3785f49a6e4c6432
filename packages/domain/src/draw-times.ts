import { postponedStartAt } from './calendar.ts'
import { BETWEEN_DRAWS_SECONDS } from './games.ts'
import { SEALED_BEFORE_DUE_SECONDS } from './protocol/numbers.ts'

/** Time for signatures made at the last moment to arrive, in seconds. */
const WITNESS_GRACE_SECONDS = 15
/** A late round is requested again after its delay so far, divided by this. */
const PATIENCE = 20
/** Maximum pause between two requests for a late round, in seconds. */
const LONGEST_PAUSE_SECONDS = 600

/**
 * The planned close of a draw: as long before its start as originally, even after a postponement. All times in epoch
 * seconds.
 */
export function plannedCloseAt(draw: { startAt: number; scheduledAt: number; closesAt: number }): number {
  return draw.startAt - (draw.scheduledAt - draw.closesAt)
}

/**
 * The last moment at which a close may be committed, and at which a witness may sign it (fairness sections 5 and 7).
 *
 * @param roundDueAt due time of the draw's round, epoch seconds
 */
export function latestCloseAt(roundDueAt: number): number {
  return roundDueAt - SEALED_BEFORE_DUE_SECONDS
}

/** When to decide whether enough witnesses have signed, from the due time of the round; epoch seconds. */
export function witnessesCountedAt(roundDueAt: number): number {
  return latestCloseAt(roundDueAt) + WITNESS_GRACE_SECONDS
}

/**
 * When to request a late round again: at growing intervals, and at the latest when the draw becomes void (fairness
 * section 9). All times in epoch seconds.
 */
export function nextRoundRequestAt({ now, dueAt, voidAt }: { now: number; dueAt: number; voidAt: number }): number {
  const pauseSeconds = Math.min(Math.max(1, Math.floor((now - dueAt) / PATIENCE)), LONGEST_PAUSE_SECONDS)
  return Math.min(now + pauseSeconds, voidAt)
}

/** Another unfinished draw of the same game; times in epoch seconds. */
interface OtherDraw {
  readonly number: number
  readonly startAt: number
  readonly endAt: number
  /** whether it was closed or postponed; an earlier draw that was neither is itself about to be postponed */
  readonly isUnderWay: boolean
}

/**
 * The new start of a postponed draw: after every earlier draw that is under way, and ten minutes apart from every other
 * draw that keeps its time (fairness section 9, decisions section 4). Epoch seconds.
 *
 * @param decidedAt the time of the postpone statement
 */
export function newStartAt(draw: {
  readonly number: number
  readonly lengthSeconds: number
  readonly decidedAt: number
  readonly others: readonly OtherDraw[]
}): number {
  const earlier = draw.others.filter((other) => other.number < draw.number && other.isUnderWay)
  const taken = draw.others.filter((other) => other.number > draw.number || other.isUnderWay)
  let startAt = postponedStartAt(
    draw.decidedAt,
    earlier.map((other) => other.endAt),
  )
  for (const other of taken.toSorted((one, two) => one.startAt - two.startAt)) {
    const isBefore = startAt + draw.lengthSeconds + BETWEEN_DRAWS_SECONDS <= other.startAt
    const isAfter = startAt >= other.endAt + BETWEEN_DRAWS_SECONDS
    if (!isBefore && !isAfter) startAt = Math.ceil((other.endAt + BETWEEN_DRAWS_SECONDS) / 60) * 60
  }
  return startAt
}
