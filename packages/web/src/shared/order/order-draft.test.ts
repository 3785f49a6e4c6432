import { describe, expect, it } from 'vitest'
import { completeLines, luckyDipCount } from '@fairball/domain/line-drafts'
import type { TicketLine } from '@fairball/domain/line-drafts'
import { attemptNow, newOrder as newOrderOf, orderAfter } from './order-draft.ts'
import type { OrderAction, OrderDraft } from './order-draft.ts'

const PICK = 3
const newOrder = (dips: number[][]) => newOrderOf(dips, { id: 'draft', drawTimes: '1 2 3' })

const after = (order: OrderDraft, ...actions: OrderAction[]) => actions.reduce(orderAfter, order)
/** The order after its picker was left with these numbers on a line. */
const left = (order: OrderDraft, type: 'confirm' | 'close', index: number, ...numbers: number[]) => {
  const [line = EMPTY] = order.lines.slice(index)
  return after(order, { type, index, line: { ...line, numbers }, pick: PICK })
}
const EMPTY: TicketLine = { isLuckyDip: false, numbers: [], confirmedNumbers: [] }
const picked = (order: OrderDraft, index: number, ...numbers: number[]) => left(order, 'confirm', index, ...numbers)

describe('an order on the play page', () => {
  it('an order begins with one empty line, for one week', () => {
    const order = newOrder([])
    expect(order.lines).toHaveLength(1)
    expect(order).toMatchObject({ weeks: 1, days: null, attempt: null })
  })

  it('an order begins with the lucky dips of its address and an empty line', () => {
    const order = newOrder([
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect(luckyDipCount(order.lines)).toBe(2)
    expect(order.lines).toHaveLength(3)
  })

  it('confirming a line saves it and appends an empty line', () => {
    const order = picked(newOrder([]), 0, 3, 1, 2)
    expect(completeLines(order.lines, PICK).map((line) => line.confirmedNumbers)).toEqual([[1, 2, 3]])
    expect(order.lines).toHaveLength(2)
  })

  it('closing the picker reverts a complete line, and clears an incomplete one', () => {
    const order = picked(newOrder([]), 0, 1, 2, 3)
    const reverted = left(order, 'close', 0, 1, 2, 4)
    expect(reverted.lines[0]?.numbers).toEqual([1, 2, 3])
    const cleared = left(order, 'close', 0, 1, 2)
    expect(cleared.lines[0]?.confirmedNumbers).toEqual([])
  })

  it('the number of lucky dips never falls below zero', () => {
    expect(luckyDipCount(after(newOrder([[1, 2, 3]]), { type: 'remove-dips', count: 2 }).lines)).toBe(0)
  })

  it('saved numbers replace all lines, as chosen ones', () => {
    const order = after(newOrder([[1, 2, 3]]), { type: 'replay', lines: [[7, 8, 9]] })
    expect(order.lines).toMatchObject([{ isLuckyDip: false, confirmedNumbers: [7, 8, 9] }, { confirmedNumbers: [] }])
  })

  it('a retry is the same attempt to pay, until the order changes or its deadline passes', () => {
    const ids = ['first', 'second', 'third']
    const at = (nowAt: number) => ({ nowAt, newId: () => ids.shift() ?? 'none' })
    const first = attemptNow(null, 'one line', at(1000))
    expect(first).toEqual({ id: 'first', of: 'one line', at: 1000, orderId: null })
    expect(attemptNow(first, 'one line', at(1899))).toBe(first)
    expect(attemptNow(first, 'two lines', at(1001)).id).toBe('second')
    expect(attemptNow(first, 'one line', at(1900)).id).toBe('third')
  })

  it('an order keeps the result of its attempt', () => {
    const attempt = { id: 'first', of: '', at: 0, orderId: null }
    const order = after(newOrder([]), { type: 'attempt', attempt }, { type: 'ordered', orderId: 'order' })
    expect(order.attempt).toEqual({ ...attempt, orderId: 'order' })
    expect(after(newOrder([]), { type: 'ordered', orderId: 'order' }).attempt).toBeNull()
  })

  it('the next draw resets days and weeks, and keeps the lines', () => {
    const order = after(picked(newOrder([]), 0, 1, 2, 3), { type: 'days', days: [3] }, { type: 'weeks', weeks: 4 })
    const next = after(order, { type: 'next-draw', drawTimes: '4 5 6' })
    expect(next).toMatchObject({ days: null, weeks: 1, drawTimes: '4 5 6' })
    expect(completeLines(next.lines, PICK)).toHaveLength(1)
  })
})
