import { describe, expect, it } from 'vitest'
import type { Checkpoint } from './checkpoint.ts'
import { stateBefore } from './game-states.ts'
import { KnownLog, type Logged } from './known-log.ts'
import { FIRST_STATE } from './money.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { LogStatement, StateStatement } from './statements.ts'

/** A statement at an index; its hash is its name. Only what tells its game and state is given. */
function logged(index: number, hash: string, statement: object): Logged {
  return { index, text: '', hash, statement: statement as LogStatement }
}

const state = (closed: number) => ({ ...FIRST_STATE, closed })
const open = (index: number, hash: string, game: string) => logged(index, hash, { type: 'open', game })
const close = (index: number, hash: string, of: string, last: string) =>
  logged(index, hash, { type: 'close', open: of, last, state: state(index) })
const result = (index: number, hash: string, of: string) =>
  logged(index, hash, { type: 'result', close: of, last: '', state: state(index) })
const voided = (index: number, hash: string, of: string) =>
  logged(index, hash, { type: 'void', open: of, close: NO_HASH, last: '', state: state(index) })

const OPENS = [open(0, 'one', 'lotto'), open(1, 'two', 'lotto'), open(2, 'other', 'keno')]

/** What a close of draw two at an index continues, if it names `last` and the log has these statements. */
function before(last: string, statements: readonly Logged[], index = 20) {
  const own = close(index, 'own', 'two', last)
  const log = new KnownLog('', {} as Checkpoint, [], [...OPENS, ...statements, own])
  return stateBefore(log, own as Logged<StateStatement>, { open: 'two', game: 'lotto' })
}

const MISSING = { missing: 'the statement that it continues is not here' }
const SKIPS = { wrong: 'it leaves out a statement of its game' }
const OTHER = { wrong: 'it continues another game' }

describe('the chain of a game’s states', () => {
  it('the first statement of a game continues the first state', () => {
    expect(before(NO_HASH, [])).toEqual({ state: FIRST_STATE })
    expect(before(NO_HASH, [close(5, 'c', 'other', '')])).toEqual({ state: FIRST_STATE })
  })

  it.each([
    ['a close', close(5, 'c', 'one', '')],
    ['a void', voided(5, 'c', 'one')],
  ])('a statement continues %s of its game', (_, one) => {
    expect(before('c', [one])).toEqual({ state: state(5) })
  })

  it('a statement continues the newest result of its game', () => {
    const settled = [close(5, 'c', 'one', ''), result(6, 'r', 'c')]
    expect(before('r', settled)).toEqual({ state: state(6) })
    expect(before('r', [...settled, close(7, 'k', 'other', ''), result(8, 's', 'k')])).toEqual({ state: state(6) })
  })

  it('a statement or a game that the log does not have is missing', () => {
    expect(before('unknown', [])).toEqual(MISSING)
    const noGame = { missing: 'the game of the statement that it continues is not here' }
    expect(before('r', [result(6, 'r', 'unknown')])).toEqual(noGame)
    expect(before('c', [close(5, 'c', 'unknown', '')])).toEqual(noGame)
  })

  it('a statement without a state is not continued', () => {
    expect(before('one', [])).toEqual({ wrong: 'it continues a statement without a state' })
  })

  it('neither another game nor a later statement is continued', () => {
    expect(before('c', [close(5, 'c', 'other', '')])).toEqual(OTHER)
    expect(before('c', [close(21, 'c', 'one', '')])).toEqual(OTHER)
    expect(before('own', [])).toEqual(OTHER)
  })

  it.each([
    ['a close', [close(6, 'd', 'one', '')]],
    ['a result', [result(6, 'd', 'c')]],
    ['a void', [voided(6, 'd', 'one')]],
    ['a void of its own draw', [voided(6, 'd', 'two')]],
  ])('no statement leaves out %s of its game', (_, more) => {
    expect(before('c', [close(5, 'c', 'one', ''), ...more])).toEqual(SKIPS)
  })

  it('the first statement of a game leaves out none, even at the beginning of the log', () => {
    expect(before(NO_HASH, [voided(0, 'd', 'one')])).toEqual(SKIPS)
  })

  it.each([
    ['of its own draw', close(6, 'd', 'two', '')],
    ['of another game', close(6, 'd', 'other', '')],
    ['of an unknown draw', close(6, 'd', 'unknown', '')],
    ['before the one it continues', close(4, 'd', 'one', '')],
    ['after it', close(21, 'd', 'one', '')],
  ])('a close %s is not left out', (_, other) => {
    expect(before('c', [close(5, 'c', 'one', ''), other])).toEqual({ state: state(5) })
  })

  it('a result of an unknown close is not left out', () => {
    expect(before('c', [close(5, 'c', 'one', ''), result(6, 'r', 'unknown')])).toEqual({ state: state(5) })
  })
})
