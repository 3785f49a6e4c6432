import { describe, expect, it } from 'vitest'
import { StatementBook } from './known-log.ts'
import { TestOperator } from './operator-fixture.ts'
import { again, statementOf } from './read-log-fixture.ts'
import { finalsOf, timelineOf } from './timeline.ts'
import { closedDraw, settledDraw } from './verify-fixture.ts'

describe('the course of a draw', () => {
  it('the course of a draw has its own closes and postponements, and nothing of another draw', async () => {
    const operator = new TestOperator()
    const { draw } = closedDraw(operator)
    const other = operator.openDraw()
    await operator.postpone(other)
    operator.closeDraw(other)
    const { closes, putOffs, standing, start, round, final } = timelineOf(draw.open, operator.statements, null)
    expect(closes).toEqual([{ close: draw.close, round: draw.round }])
    expect([putOffs, final]).toEqual([[], null])
    expect([standing?.hash, start, round]).toEqual([draw.close?.hash, draw.open.statement.start, draw.round])
  })

  it('the course of a draw ends with its result', async () => {
    const { operator, draw } = settledDraw()
    const { round } = draw
    await operator.postpone(draw)
    const { putOffs, round: last } = timelineOf(draw.open, operator.statements, statementOf(operator, 'result'))
    expect([putOffs, last]).toEqual([[], round])
    // The result itself is no part of its course, whatever its type.
    const close = statementOf(operator, 'close')
    const upTo = { ...statementOf(operator, 'result'), index: close.index }
    expect(timelineOf(draw.open, operator.statements, upTo).closes).toEqual([])
  })

  it('the results and voids of a draw come in the order of the log', () => {
    const { operator, draw } = settledDraw()
    const result = statementOf(operator, 'result')
    operator.giveUp(draw, 'outage')
    const end = statementOf(operator, 'void')
    again(operator, result, { left: 1n })
    const log = (): StatementBook => new StatementBook(operator.statements)
    expect(finalsOf(log(), draw.open.hash).map(({ index }) => index)).toEqual([
      result.index,
      end.index,
      statementOf(operator, 'result').index,
    ])
    again(operator, result, { close: 'ab'.repeat(32) })
    expect(finalsOf(log(), draw.open.hash)).toHaveLength(3)
    expect(finalsOf(log(), 'ab'.repeat(32))).toEqual([])
  })
})
