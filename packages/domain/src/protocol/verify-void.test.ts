import { assert } from '../assert.ts'
import { describe, expect, it } from 'vitest'
import { QUICKNET, roundDueAt } from './chain.ts'
import { readCheckpoint } from './checkpoint.ts'
import { StatementBook } from './known-log.ts'
import { afterVoidOfClose, FIRST_STATE } from './money.ts'
import { TEST_TRUST, TestOperator } from './operator-fixture.ts'
import type { CheckId, Status } from './report.ts'
import { NO_HASH } from './statement-codecs.ts'
import { timelineOf } from './timeline.ts'
import { NO_TRUST, type Trust } from './trust.ts'
import { changedDraw, type Changes, closedDraw, closeOf, type DrawOfLog, notPassed } from './verify-fixture.ts'
import { verifyVoid } from './verify-void.ts'

type Expected = Partial<Record<CheckId, Status>>

interface Given {
  readonly trust?: Trust
  /** when the witness saw the log, in seconds after the void */
  readonly seen?: number
  /** how many statements of the log the witness did not see */
  readonly unseen?: number
}

/** Judges the void of a draw whose close was put off or never came, or one after its close. */
function judge(
  { operator, draw }: DrawOfLog,
  changes: Changes,
  { trust = TEST_TRUST, seen = 1, unseen = 0 }: Given = {},
) {
  const { log, opened, checks, statements } = changedDraw({ operator, draw }, changes)
  const end = log.all('void').at(-1)
  const checkpoint = readCheckpoint(operator.checkpoint(operator.now + seen))
  assert(end !== undefined && checkpoint !== null, 'no void')
  const timeline = timelineOf(opened.open, statements, end)
  const size = checkpoint.size - unseen
  verifyVoid(
    log,
    { ...opened, timeline, checkpoint: { ...checkpoint, size }, close: timeline.standing },
    end,
    trust,
    checks,
  )
  return checks
}

/** A draw that was given up before its close. */
function givenUp(): DrawOfLog {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  operator.now = draw.open.statement.close + 5
  operator.giveUp(draw, 'outage')
  return { operator, draw }
}

/** A draw that was given up after its close, since its random number did not come. */
function unlit(seconds = 604_800): DrawOfLog {
  const closed = closedDraw()
  closed.operator.now = closed.draw.open.statement.start + seconds - 60
  closed.operator.giveUp(closed.draw, 'beacon')
  return closed
}

describe('a draw that was given up before its close', () => {
  it('an honest one passes both of its checks', () => {
    const checks = judge(givenUp(), {})
    expect(Object.entries(checks.findings()).map(([id, { status }]) => `${id} ${status}`)).toEqual([
      'void.state pass',
      'void.reason pass',
    ])
  })

  it.each<[string, Changes, Expected]>([
    ['fails if it names a close', { void: { close: 'ab'.repeat(32) } }, { 'void.state': 'fail' }],
    [
      'is broken if the statement that it continues is not here',
      { void: { last: 'ab'.repeat(32) } },
      { 'void.state': 'broken' },
    ],
    [
      'fails if it continues a statement without a state',
      { void: (_, all) => ({ last: all[0]?.hash ?? '' }) },
      { 'void.state': 'fail' },
    ],
    [
      'fails with a state that does not follow',
      { void: ({ state }) => ({ state: { ...state, pot: 1n } }) },
      { 'void.state': 'fail' },
    ],
    ['fails if it is not the next draw of its game', { open: { draw: 2 } }, { 'void.state': 'fail' }],
    [
      'fails if it says that it waited for a random number',
      { void: { reason: 'beacon', time: 10_000_000_000 } },
      { 'void.reason': 'fail' },
    ],
  ])('a draw given up %s', (_, changes, expected) => {
    expect(notPassed(judge(givenUp(), changes))).toEqual(expected)
  })

  const due = ({ operator, draw }: DrawOfLog) => roundDueAt(QUICKNET, draw.round) - operator.now
  const unknown: Expected = { 'void.reason': 'unknown' }
  it.each<[string, (given: DrawOfLog) => Given, Expected]>([
    ['without witnesses that the verifier trusts', () => ({ trust: NO_TRUST }), unknown],
    ['if the witness saw the log before it was given up', () => ({ unseen: 1 }), unknown],
    ['more than a minute before it', () => ({ seen: -61 }), unknown],
    ['a minute before it, as its clock may be late', () => ({ seen: -60 }), {}],
    ['when its round was due', (given) => ({ seen: due(given) }), {}],
    ['after its round was due', (given) => ({ seen: due(given) + 1 }), unknown],
  ])('the reason is known only if a trusted witness saw it in time: %s', (_, given, expected) => {
    const one = givenUp()
    expect(notPassed(judge(one, {}, given(one)))).toEqual(expected)
  })
})

describe('a draw that was given up after its close', () => {
  const unknown: Expected = { 'void.reason': 'unknown' }
  it.each<[string, Changes, Expected]>([
    ['holds a week after its start', {}, unknown],
    ['fails if it names no close', { void: { close: NO_HASH } }, { ...unknown, 'void.state': 'fail' }],
    [
      'fails if its pool does not go back',
      { void: ({ state }) => ({ state: { ...state, pot: 0n } }) },
      { ...unknown, 'void.state': 'fail' },
    ],
    [
      'fails if it continues the state before its close',
      {
        void: (_, all) => ({
          last: NO_HASH,
          state: afterVoidOfClose(FIRST_STATE, closeOf(new StatementBook(all)).statement),
        }),
      },
      { ...unknown, 'void.state': 'fail' },
    ],
    ['need not be the next draw of its game, as its close was', { open: { draw: 2 } }, unknown],
  ])('a draw given up %s', (_, changes, expected) => {
    expect(notPassed(judge(unlit(), changes))).toEqual(expected)
  })

  it('a draw given up a second less than a week after its start fails', () => {
    expect(notPassed(judge(unlit(604_799), {}))).toEqual({ 'void.reason': 'fail' })
  })
})
