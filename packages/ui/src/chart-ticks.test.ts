import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chartTicks } from './chart-ticks.ts'

it.each([
  [0, [0, 1]],
  [1, [0, 0.5, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [20_000, [0, 5_000, 10_000, 15_000, 20_000]],
  [20_001, [0, 10_000, 20_000, 30_000]],
  [980_000, [0, 500_000, 1_000_000]],
])('the lines of a chart up to %d are at round values', (greatest, ticks) => {
  expect(chartTicks(greatest)).toEqual(ticks)
})

it('a chart has two to five lines, which begin at zero and reach the greatest value', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e12, noNaN: true }), (greatest) => {
      const ticks = chartTicks(greatest)
      expect(ticks[0]).toBe(0)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest * (1 - 1e-9))
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(5)
    }),
  )
})
