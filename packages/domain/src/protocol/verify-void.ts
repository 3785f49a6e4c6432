import { roundDueAt } from './chain.ts'
import { stateBefore } from './game-states.ts'
import type { KnownLog, Logged } from './known-log.ts'
import { afterVoid, afterVoidOfClose, isSameState } from './money.ts'
import { COSIGNED_BEFORE_SECONDS, VOID_AFTER_SECONDS } from './numbers.ts'
import { isMet } from './policy.ts'
import type { Checks } from './report.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import type { Trust } from './trust.ts'
import type { SealedDraw } from './verify-seal.ts'

/** The checks of a void draw (sections 7, 9 and 11): `void.state` and `void.reason`. */

type Void = Logged<StatementOf<'void'>>

/** Checks that everything of a void draw is returned, and the reason for the void. */
export function verifyVoid(log: KnownLog, sealed: SealedDraw, end: Void, trust: Trust, checks: Checks): void {
  verifyState(log, sealed, end, checks)
  if (end.statement.reason === 'beacon') verifyNoBeacon(sealed, end, checks)
  else verifyOutage(sealed, end, trust, checks)
}

function verifyState(log: KnownLog, { open, close }: SealedDraw, end: Void, checks: Checks): void {
  const { statement } = end
  const isOfClose = statement.close === (close?.hash ?? NO_HASH)
  checks.hold('void.state', isOfClose, 'fail', 'it does not name the close that stands')
  const found = stateBefore(log, end, { open: open.hash, game: open.statement.game })
  if ('missing' in found) return checks.end('void.state', 'broken', found.missing)
  if ('wrong' in found) return checks.end('void.state', 'fail', found.wrong)
  const expected = close === null ? afterVoid(found.state) : afterVoidOfClose(found.state, close.statement)
  const isAfterClose = close === null || (log.named(statement.last)?.index ?? -1) >= close.index
  checks.hold('void.state', isAfterClose, 'fail', 'it does not continue its own close')
  const isSame = isSameState(statement.state, expected)
  checks.hold('void.state', isSame, 'fail', 'its state does not follow from the one before')
  const isNext = close !== null || statement.state.closed === open.statement.draw
  checks.hold('void.state', isNext, 'fail', 'it is not the next draw of its game')
}

/** A bundle cannot prove that no valid signature came in seven days; people can look it up. */
function verifyNoBeacon({ close, timeline }: SealedDraw, { statement }: Void, checks: Checks): void {
  checks.end('void.reason', 'unknown', 'given up because its random number did not come: look the round up')
  checks.hold('void.reason', close !== null, 'fail', 'given up for a random number that no close waited for')
  const isLate = statement.time >= timeline.start + VOID_AFTER_SECONDS
  checks.hold('void.reason', isLate, 'fail', 'given up less than seven days after its start')
}

function verifyOutage({ chain, timeline, checkpoint }: SealedDraw, end: Void, trust: Trust, checks: Checks): void {
  const dueAt = roundDueAt(chain, timeline.round)
  const from = end.statement.time - COSIGNED_BEFORE_SECONDS
  const isSeen =
    trust.policy !== null && checkpoint.size > end.index && isMet(trust.policy, checkpoint.note, from, dueAt)
  checks.hold('void.reason', isSeen, 'unknown', 'given up, and nobody you trust saw it before the round was known')
}
