/** What the example bundles are made of: draws that go as planned, and operators who change them afterwards. */
import type { Bundle } from '@fairball/domain/fairness/bundle'

import { roundDueAt } from '@fairball/domain/fairness/chain'
import { type DrawFixture, fixedPlay, gameOf, honestResult } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture, WitnessFixture } from '@fairball/domain/fairness/operator-fixture'
import { resigned } from '@fairball/domain/fairness/resigned-fixture'
import { type LoggedStatement, parseStatementOf, type StatementOf } from '@fairball/domain/fairness/statements'

/** A bundle with what a verifier has to find. */
export interface ExampleBundle {
  readonly name: string
  /** what it is, as a sentence */
  readonly about: string
  readonly outcome: 'passed' | 'failed' | 'unchecked'
  readonly state: 'open' | 'closed' | 'settled' | 'void'
  /** ids of the checks that fail, in the order of the report */
  readonly failed: readonly string[]
  readonly bundle: Bundle
}

export const LOTTO = gameOf('bitcoin-lotto')

export type Change = (statement: LoggedStatement) => LoggedStatement

/** An operator with one draw of five entries, opened. */
export function opened(options: Parameters<OperatorFixture['open']>[2] = {}) {
  const operator = new OperatorFixture()
  const draw = operator.open(1, [fixedPlay('alice', 3, LOTTO), fixedPlay('bob', 2, LOTTO)], options)
  return { operator, draw }
}

/** The same, sealed and settled as planned. */
export function settled() {
  const { operator, draw } = opened()
  const closeHash = operator.settle(draw)
  return { operator, draw, closeHash, bundle: operator.bundle(draw) }
}

/** Changes statements of one kind. */
export function changing<K extends LoggedStatement['type']>(
  type: K,
  change: (statement: StatementOf<K>) => Partial<StatementOf<K>>,
): Change {
  return (statement) => {
    if (statement.type !== type) return statement
    // The kind has just been compared, and a change keeps it.
    const changed: object = { ...statement, ...change(statement as unknown as StatementOf<K>) }
    return changed as LoggedStatement
  }
}

/** The bundle after its operator changed statements and signed everything anew, the results left as they are. */
export function afterwards(bundle: Bundle, operator: OperatorFixture, change: Change): Bundle {
  return { ...bundle, log: resigned(bundle.log, operator, change) }
}

/** The same by an operator who also computes the results anew, so that nothing else is wrong. */
export function cleverly(
  bundle: Bundle,
  operator: OperatorFixture,
  change: Change,
  entries: Uint8Array = bundle.entries ?? new Uint8Array(),
): Bundle {
  const rules = parseStatementOf('rules', bundle.rules)
  const log = resigned(bundle.log, operator, (statement, before) => {
    const changed = change(statement)
    if (changed.type !== 'result') return changed
    const open = before.find((one): one is StatementOf<'open'> => one.type === 'open')
    const close = before.findLast((one): one is StatementOf<'close'> => one.type === 'close')
    if (open === undefined || close === undefined) return changed
    return { ...changed, ...honestResult({ open, close, rules, signature: changed.signature, entries }) }
  })
  return { ...bundle, log, entries }
}

/** Postpones a draw so many times, each just too late for its seal. */
export function postponed(operator: OperatorFixture, draw: DrawFixture, times: number) {
  let { round } = operator.openOf(draw)
  let time = 0
  for (let count = 0; count < times; count += 1) {
    time = roundDueAt(round, operator.chain) - 30
    round = operator.postpone(draw, 'outage', time)
  }
  return { round, time }
}

/** A draw that was not sealed in time and was given up at once. */
export function missedOnce() {
  const { operator, draw } = opened()
  const dueAt = roundDueAt(operator.openOf(draw).round, operator.chain)
  operator.append({ type: 'void', open: draw.openHash, reason: 'outage' }, dueAt - 30)
  return { operator, draw }
}

export function witnessedDraw() {
  const witness = new WitnessFixture('witness.example')
  const list = [{ name: witness.name, publicKey: witness.publicKey }]
  return { ...opened({ witness: { required: 1, list } }), witness }
}

/** A first draw in which free tickets are won, and a second in which so many are used. */
export function freeTickets(used: number) {
  const operator = new OperatorFixture()
  operator.settle(operator.open(1, [fixedPlay('alice', 20, LOTTO)]))
  const draw = operator.open(2, [{ ...fixedPlay('alice', 20, LOTTO), free: used }])
  operator.settle(draw)
  return { operator, draw }
}
