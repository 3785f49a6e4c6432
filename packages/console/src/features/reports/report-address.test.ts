import { expect, it } from 'vitest'
import { daysOf, lastMonth, reportHref } from './report-address.ts'

it('a report begins with its first day and ends before the day after its last one, in UTC', () => {
  expect(reportHref('journal', { from: '2026-10-01', to: '2026-10-31' }, 'GBP')).toBe(
    '/console/api/v1/reports/journal?from=1790812800&to=1793491200&currency=GBP&format=csv',
  )
  expect(reportHref('trial-balance', { from: '2026-10-01', to: '2026-10-31' }, 'GBP')).toBe(
    '/console/api/v1/reports/trial-balance?at=1793491200&currency=GBP&format=csv',
  )
})

it.each([
  ['', '2026-10-31'],
  ['2026-10-02', '2026-10-01'],
  ['2026-02-31x', '2026-10-01'],
])('days from %s to %s are no stretch', (from, to) => {
  expect(reportHref('journal', { from, to }, 'GBP')).toBeNull()
})

it('the last whole month of January is December of the year before', () => {
  expect(lastMonth(Date.parse('2027-01-31T23:59:59Z') / 1000)).toBe('2026-12')
  expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})
