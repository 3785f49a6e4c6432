import { type Chain, roundDueAt } from './chain.ts'
import type { Logged, StatementBook } from './known-log.ts'
import type { LogStatement, StatementOf } from './statements.ts'

/** The course of a draw, by the statements of a range (section 7). */

export type Close = Logged<StatementOf<'close'>>
type Postpone = Logged<StatementOf<'postpone'>>
export type Final = Logged<StatementOf<'result'>> | Logged<StatementOf<'void'>>

/** A postponement and the round it replaced. */
export interface PutOff {
  readonly postpone: Postpone
  /** the replaced round */
  readonly round: number
}

/** A close and the round in force when it was logged. */
export interface PlacedClose {
  readonly close: Close
  readonly round: number
}

/** The statements of one draw, in order, up to its result or void. */
export interface Timeline {
  readonly closes: readonly PlacedClose[]
  readonly putOffs: readonly PutOff[]
  /** the first close of the newest round; null if it was postponed, or there is none */
  readonly standing: Close | null
  /** the newest start and round */
  readonly start: number
  readonly round: number
  readonly final: Final | null
}

/** Whether a logged statement is of a type. */
export function isLogged<T extends LogStatement['type']>(
  type: T,
  logged: Logged,
): logged is Logged<StatementOf<T> & LogStatement> {
  return logged.statement.type === type
}

/** The known results and voids of a draw, in the order of the log. */
export function finalsOf(log: StatementBook, openHash: string): Final[] {
  const results = log.all('result').filter(({ statement }) => {
    return log.find('close', statement.close)?.statement.open === openHash
  })
  const voids = log.all('void').filter(({ statement }) => statement.open === openHash)
  return [...results, ...voids].toSorted((one, other) => one.index - other.index)
}

/** The course of a draw, from statements in the order of the log, up to its first result or void. */
export function timelineOf(
  open: Logged<StatementOf<'open'>>,
  statements: readonly Logged[],
  final: Final | null,
): Timeline {
  const closes: PlacedClose[] = []
  const putOffs: PutOff[] = []
  let { start, round } = open.statement
  let standing: Close | null = null
  for (const logged of statements) {
    if (final !== null && logged.index >= final.index) break
    if (isLogged('close', logged) && logged.statement.open === open.hash) {
      closes.push({ close: logged, round })
      standing ??= logged
    }
    if (isLogged('postpone', logged) && logged.statement.open === open.hash) {
      putOffs.push({ postpone: logged, round })
      standing = null
      ;({ start, round } = logged.statement)
    }
  }
  return { closes, putOffs, standing, start, round, final }
}

/** The time at which the round of a close is due, epoch seconds. */
export function dueOf(close: Close, chain: Chain): number {
  return roundDueAt(chain, close.statement.round)
}
