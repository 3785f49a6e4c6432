import { expect, it } from 'vitest'
import { matches, sorted } from './order.ts'

it('rows are sorted by texts, numbers and amounts, and rows without a value are last in the first direction', () => {
  expect(sorted(['b', 'a'], (row) => row, false)).toEqual(['a', 'b'])
  expect(sorted([10, 9], (row) => row, false)).toEqual([9, 10])
  expect(sorted([10n, 9n, 11n], (row) => row, true)).toEqual([11n, 10n, 9n])
  expect(sorted([null, 2, 1], (row) => row, false)).toEqual([1, 2, null])
})

it('a filter finds rows that have each of its words, in any case', () => {
  expect(matches('Approve payouts of Janet', 'janet APPROVE')).toBe(true)
  expect(matches('Approve payouts of Janet', 'janet cancel')).toBe(false)
  expect(matches('anything', '')).toBe(true)
})
