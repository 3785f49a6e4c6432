import { assert } from '../assert.ts'
import { QUICKNET } from './chain.ts'
import { readCheckpoint } from './checkpoint.ts'
import { keyOf, KnownLog, type Logged, type StatementBook } from './known-log.ts'
import { type SoldPlay, TEST_ORIGIN, TEST_POLICY, TEST_RULES, TestOperator, type TestDraw } from './operator-fixture.ts'
import { readPolicy } from './policy.ts'
import { plays } from './read-log-fixture.ts'
import { type CheckId, Checks, type Finding, type Status } from './report.ts'
import type { LogStatement, StatementOf } from './statements.ts'
import { type Close, isLogged } from './timeline.ts'
import type { OpenedDraw } from './verify-open.ts'

/** Honest draws as single checks of the verifier see them, with some values changed after they were logged. */

/** Values to change, by the type of the statement; a function takes the honest statement. */
export type Changes = {
  readonly [T in LogStatement['type']]?:
    | Partial<StatementOf<T>>
    | ((honest: StatementOf<T>, before: readonly Logged[]) => Partial<StatementOf<T>>)
}

/** A draw with its log. */
export interface DrawOfLog {
  readonly operator: TestOperator
  readonly draw: TestDraw
}

/** A draw's statements and log, for single checks. */
interface ChangedDraw {
  readonly log: KnownLog
  readonly statements: readonly Logged[]
  readonly opened: OpenedDraw
  readonly checks: Checks
}

/** An honest draw that is sold and closed. */
export function closedDraw(
  operator = new TestOperator(),
  sold: readonly SoldPlay[] = plays(3),
  changes: Partial<StatementOf<'close'>> = {},
): DrawOfLog {
  const draw = operator.openDraw()
  operator.sell(draw, sold)
  operator.closeDraw(draw, changes)
  return { operator, draw }
}

/** An honest draw with its result. */
export function settledDraw(operator?: TestOperator, sold?: readonly SoldPlay[]): DrawOfLog {
  const closed = closedDraw(operator, sold)
  closed.operator.settle(closed.draw)
  return closed
}

/**
 * The log of a draw with changed values: each change applies to the newest statement of its type. Statements keep their
 * hashes, so that what names them still finds them.
 */
export function changedDraw({ operator, draw }: DrawOfLog, changes: Changes = {}): ChangedDraw {
  const statements = operator.statements.map((logged) => {
    const { type } = logged.statement
    const isNewest = operator.statements.findLast(({ statement }) => statement.type === type) === logged
    return isNewest ? changed(logged, changes, operator.statements) : logged
  })
  const [first] = statements
  const head = readCheckpoint(operator.checkpoint(operator.now))
  assert(first !== undefined && isLogged('log', first) && head !== null, 'no log')
  const log = new KnownLog(TEST_ORIGIN, head, [keyOf(first)], statements)
  const open = log.find('open', draw.open.hash)
  assert(open !== null, 'no draw')
  const opened = { open, rules: TEST_RULES, chain: QUICKNET, policy: readPolicy(TEST_POLICY) }
  return { log, statements, opened, checks: new Checks() }
}

/** The newest close of a log. */
export function closeOf(log: StatementBook): Close {
  const close = log.all('close').at(-1)
  assert(close !== undefined, 'no close')
  return close
}

/** The checks that did not pass, with their status. */
export function notPassed(checks: Checks): Partial<Record<CheckId, Status>> {
  const all = Object.entries(checks.findings()) as [CheckId, { status: Status }][]
  return Object.fromEntries(all.flatMap(([id, { status }]) => (status === 'pass' ? [] : [[id, status]])))
}

/** The checks that did not pass, each with its status and reason, in the order of the protocol. */
export function findingsOf(checks: Checks): string[] {
  const all = Object.entries(checks.findings()) as [CheckId, Finding][]
  return all.flatMap(([id, { status, why }]) => (status === 'pass' ? [] : [`${id} ${status}: ${why}`]))
}

function changed(logged: Logged, changes: Changes, all: readonly Logged[]): Logged {
  const change: object | undefined = changes[logged.statement.type]
  const isFunction = (value: object | undefined): value is (honest: LogStatement, all: readonly Logged[]) => object =>
    value instanceof Function
  const values = isFunction(change) ? change(logged.statement, all) : change
  return { ...logged, statement: { ...logged.statement, ...values } }
}
