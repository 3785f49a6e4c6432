import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addLuckyDips,
  canSaveLines,
  clearLine,
  closePicker,
  completeLines,
  confirmLine,
  deleteLine,
  luckyDipCount,
  fillLine,
  removeLuckyDips,
  replayLines,
  resetLines,
  revertLine,
  type TicketLines,
  toggleNumber,
} from './line-drafts.ts'

const pick = 3
const empty = { isLuckyDip: false, numbers: [], confirmedNumbers: [] }
const picked = (lines: TicketLines, index: number, numbers: number[]): TicketLines =>
  numbers.reduce((now, number) => toggleNumber(now, { index, number, pick }).lines, lines)
const made = (index: number, numbers: number[], lines: TicketLines = resetLines()): TicketLines =>
  confirmLine(picked(lines, index, numbers), { index, pick })

describe('the lines of an order', () => {
  it('an order begins with one empty line', () => {
    expect(resetLines()).toEqual([empty])
  })

  it('a number can be added to a draft and removed again', () => {
    expect(picked(resetLines(), 0, [7, 2])[0]?.numbers).toEqual([7, 2])
    expect(picked(resetLines(), 0, [7, 2, 7])[0]?.numbers).toEqual([2])
  })

  it('a number beyond a full draft flashes the bar and changes nothing', () => {
    const lines = picked(resetLines(), 0, [7, 2, 5])
    expect(toggleNumber(lines, { index: 0, number: 9, pick })).toEqual({ lines, isFull: true })
    expect(toggleNumber(lines, { index: 0, number: 7, pick }).isFull).toBe(false)
  })

  it('confirming a complete draft adds a fresh empty line', () => {
    expect(made(0, [7, 2, 5])).toEqual([{ isLuckyDip: false, numbers: [7, 2, 5], confirmedNumbers: [2, 5, 7] }, empty])
    expect(made(0, [7, 2])).toEqual(picked(resetLines(), 0, [7, 2]))
  })

  it('confirming a changed line adds no empty line', () => {
    const changed = made(0, [7, 8], made(0, [7, 2, 5]))
    expect(changed).toHaveLength(2)
    expect(changed[0]?.confirmedNumbers).toEqual([2, 5, 8])
  })

  it('closing the picker reverts a complete draft and clears an incomplete one', () => {
    const lines = made(0, [7, 2, 5])
    expect(closePicker(picked(lines, 0, [7, 8]), { index: 0, pick })[0]).toEqual({ ...lines[0], numbers: [2, 5, 7] })
    expect(closePicker(picked(lines, 0, [7]), { index: 0, pick })[0]).toEqual(empty)
    expect(closePicker(picked(lines, 1, [1, 2, 3]), { index: 1, pick })[1]).toEqual(empty)
  })

  it('lines can be deleted, cleared and reverted', () => {
    const lines = made(1, [1, 2, 3], made(0, [7, 2, 5]))
    expect(deleteLine(lines, 0)).toEqual([lines[1], empty])
    expect(deleteLine(deleteLine(deleteLine(lines, 0), 0), 0)).toEqual([empty])
    expect(clearLine(lines, 0)).toEqual([empty, lines[1], empty])
    expect(revertLine(picked(lines, 0, [7]), 0)[0]?.numbers).toEqual([2, 5, 7])
    expect(() => deleteLine(lines, 3)).toThrow(RangeError)
  })

  it('lucky dips are added before the empty line and removed again, never below 0', () => {
    const lines = addLuckyDips(made(0, [7, 2, 5]), [
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect(lines.map((line) => line.isLuckyDip)).toEqual([false, true, true, false])
    expect(luckyDipCount(lines)).toBe(2)
    expect(removeLuckyDips(lines, 1).map((line) => line.isLuckyDip)).toEqual([false, true, false])
    const none = removeLuckyDips(lines, 5)
    expect(luckyDipCount(none)).toBe(0)
    expect(removeLuckyDips(none, 1)).toBe(none)
    expect(none).toHaveLength(2)
  })

  it('an empty draft that was filled is a lucky dip if it is confirmed unchanged; a part of a line is not', () => {
    const filled = fillLine(resetLines(), { index: 0, numbers: [4, 5, 6] })
    expect(confirmLine(filled, { index: 0, pick })).toEqual([
      { isLuckyDip: true, numbers: [4, 5, 6], confirmedNumbers: [4, 5, 6] },
      empty,
    ])
    const changed = picked(filled, 0, [6, 9])
    expect(confirmLine(changed, { index: 0, pick })[0]).toMatchObject({ isLuckyDip: false, numbers: [4, 5, 9] })
    const rest = fillLine(picked(resetLines(), 0, [7]), { index: 0, numbers: [7, 1, 2] })
    expect(confirmLine(rest, { index: 0, pick })[0]).toMatchObject({ isLuckyDip: false, confirmedNumbers: [1, 2, 7] })
    expect(clearLine(filled, 0)).toEqual([empty])
  })

  it('a line stays a lucky dip until its numbers are changed', () => {
    const lines = addLuckyDips(resetLines(), [[1, 2, 3]])
    expect(confirmLine(lines, { index: 0, pick })[0]?.isLuckyDip).toBe(true)
    expect(made(0, [1, 9], lines)[0]).toEqual({ isLuckyDip: false, numbers: [2, 3, 9], confirmedNumbers: [2, 3, 9] })
  })

  it('saved lines are replayed as chosen lines, with an empty line after them', () => {
    expect(replayLines([[1, 2, 3]])).toEqual([
      { isLuckyDip: false, numbers: [1, 2, 3], confirmedNumbers: [1, 2, 3] },
      empty,
    ])
    expect(replayLines([])).toEqual([empty])
  })

  it('only complete lines count for the order, and lines can be saved if one was chosen', () => {
    const dips = addLuckyDips(resetLines(), [[1, 2, 3]])
    expect(canSaveLines(dips)).toBe(false)
    expect(canSaveLines(made(1, [7, 2, 5], dips))).toBe(true)
    expect(completeLines(picked(dips, 1, [7, 2, 5]), pick)).toHaveLength(1)
    expect(completeLines(clearLine(dips, 0), pick)).toEqual([])
  })

  it('the last line stays empty after any action', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('toggle' as const), index: fc.nat(5), number: fc.integer({ min: 1, max: 9 }) }),
      fc.record({
        do: fc.constantFrom('confirm', 'delete', 'close', 'dip', 'undip'),
        index: fc.nat(5),
        number: fc.nat(9),
      }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let lines = resetLines()
        for (const { do: what, index: wanted, number } of steps) {
          const index = wanted % lines.length
          if (what === 'toggle') lines = toggleNumber(lines, { index, number, pick }).lines
          else if (what === 'confirm') lines = confirmLine(lines, { index, pick })
          else if (what === 'delete') lines = deleteLine(lines, index)
          else if (what === 'close') lines = closePicker(lines, { index, pick })
          else if (what === 'dip') lines = addLuckyDips(lines, [[1, 2, 3]])
          else lines = removeLuckyDips(lines, 1)
          expect(lines.at(-1)?.confirmedNumbers).toEqual([])
          expect(completeLines(lines, pick).every((line) => new Set(line.confirmedNumbers).size === pick)).toBe(true)
        }
      }),
    )
  })
})
