import { asciiBytes } from './bytes.ts'
import { nobleHash, textHash } from './hash.ts'
import type { Logged } from './known-log.ts'
import { type SoldPlay, TEST_ORIGIN, TEST_POLICY, TEST_ROUNDS, TEST_RULES, TestOperator } from './operator-fixture.ts'
import { LogReader, textsNamedBy } from './read-log.ts'
import type { Fault } from './read-state.ts'
import { writeRules } from './rules.ts'
import type { LogStatement, StatementOf } from './statements.ts'

/** Reads honest and dishonest logs of a test operator. */

/** The text of the rules of its game. */
export const RULES_TEXT = writeRules(TEST_RULES)

/** A reader's findings in a list of statements. */
export class Reading {
  readonly reader = new LogReader(TEST_ORIGIN, TEST_ROUNDS.isRoundSigned)
  readonly faults: Fault[] = []

  constructor(texts: readonly string[], more: readonly string[] = []) {
    const known = new Map([RULES_TEXT, TEST_POLICY, ...more].map((text) => [textHash(text), text]))
    for (const text of texts) {
      const named = textsNamedBy(text).flatMap((hash) => known.get(hash) ?? [])
      this.faults.push(...this.reader.add(text, named))
    }
  }

  of(grade: Fault['grade']): string[] {
    return this.faults.filter((fault) => fault.grade === grade).map(({ rule, index }) => `${rule} ${index}`)
  }
}

/** Reads all of an operator's log. @param more texts in addition to those of its game */
export function read(operator: TestOperator, more: readonly string[] = []): Reading {
  return new Reading(
    operator.statements.map(({ text }) => text),
    more,
  )
}

/** The rules that the newest statement of an operator breaks; all earlier statements must be honest. */
export function brokenByLast(operator: TestOperator, more: readonly string[] = []): string[] {
  const { faults } = read(operator, more)
  const last = operator.statements.length - 1
  const earlier = faults.find(({ index, grade }) => grade === 'breach' && index !== last)
  if (earlier !== undefined) throw new Error(`A breach before the last statement: ${earlier.text}`)
  return faults.filter(({ grade }) => grade === 'breach').map(({ rule }) => rule)
}

/** Plays of two lines. */
export function plays(count: number, from = 0, free = 0): SoldPlay[] {
  return Array.from({ length: count }, (_, place) => ({
    secret: nobleHash(asciiBytes(`order ${from + place}`)),
    username: `player-${from + place}`,
    lines: [
      [1, 2, 3 + ((from + place) % 7)],
      [4, 5, 6 + ((from + place) % 4)],
    ],
    free,
    rate: 3000,
  }))
}

/** A draw with plays. */
export function soldDraw(operator = new TestOperator()) {
  const draw = operator.openDraw()
  operator.sell(draw, plays(20, 100 * operator.draws.length))
  return { operator, draw }
}

/** A draw that is sealed. */
export function closedDraw(operator = new TestOperator()) {
  const sold = soldDraw(operator)
  operator.closeDraw(sold.draw)
  return sold
}

/** A draw with its result. */
export function settledDraw(operator = new TestOperator()) {
  const closed = closedDraw(operator)
  operator.settle(closed.draw)
  return closed
}

/** Logs a changed copy of a statement. */
export function again(operator: TestOperator, { statement }: Logged, changes: Partial<LogStatement> = {}): void {
  const { type, log: _, time: __, ...values } = { ...statement, ...changes } as LogStatement & Record<string, unknown>
  operator.append(type, values as never)
}

/** The newest statement of a type. */
export function statementOf<T extends LogStatement['type']>(
  operator: TestOperator,
  type: T,
): Logged<StatementOf<T> & LogStatement> {
  const found = operator.statements.findLast(({ statement }) => statement.type === type)
  if (found === undefined) throw new Error(`no ${type}`)
  return found as Logged<StatementOf<T> & LogStatement>
}
