import { fixedPlay } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { expect, it } from 'vitest'
import { lastPageOf, NOTES_A_PAGE, rowsOf } from './log-statements.ts'

/** A log of so many statements, which counts how often it is asked. */
function logOf(length: number) {
  let calls = 0
  const read = async (from: number) => {
    calls += 1
    const count = Math.max(0, Math.min(NOTES_A_PAGE, length - from))
    return { notes: Array.from({ length: count }, () => ''), next: from + count < length ? from + count : null }
  }
  return { read, calls: () => calls }
}

it.each([
  [1, 0],
  [100, 0],
  [101, 100],
  [200, 100],
  [201, 200],
  [1234, 1200],
  [99_999, 99_900],
])('finds the last page of a log of %i statements', async (length, from) => {
  expect(await lastPageOf(logOf(length).read)).toBe(from)
})

it('asks a long log less than twenty-five times', async () => {
  const { read, calls } = logOf(100_000)
  await lastPageOf(read)
  expect(calls()).toBeLessThan(25)
})

it('names the draw of every statement, newest first, and looks up an opening that lies further back', async () => {
  const operator = new OperatorFixture()
  const draw = operator.open(3, [fixedPlay('player-abc123', 1, { pick: 6, pool: 49 })])
  operator.settle(draw)
  const asked: string[] = []
  const textOf = async (hash: string) => {
    asked.push(hash)
    return operator.textOf(hash)
  }
  const place = { game: 'bitcoin-lotto', number: 3 }
  const whole = await rowsOf(operator.notes, textOf)
  expect(whole.map(({ seq, statement, draw: of }) => [seq, statement.type, of])).toEqual([
    [4, 'result', place],
    [3, 'close', place],
    [2, 'open', place],
    [1, 'chain', null],
    [0, 'log', null],
  ])
  expect(asked).toEqual([])
  const end = await rowsOf(operator.notes.slice(3), textOf)
  expect(end.map((row) => row.draw)).toEqual([place, place])
  expect(asked).toEqual([draw.openHash])
})
