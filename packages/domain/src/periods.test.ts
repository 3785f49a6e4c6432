import { expect, it } from 'vitest'
import { KEY_SECONDS, periodText } from './periods.ts'

it.each([
  [60, '1 minute'],
  [300, '5 minutes'],
  [3600, '1 hour'],
  [86_400, '24 hours'],
  [2 * 86_400, '2 days'],
  [90 * 86_400, '90 days'],
  [36 * 3600, '36 hours'],
])('a period of %i seconds is written as %s', (seconds, text) => {
  expect(periodText(seconds)).toBe(text)
})

it('a period that would be rounded is refused', () => {
  for (const seconds of [0, -60, 59, 61, 0.5, Number.NaN, Infinity])
    expect(() => periodText(seconds)).toThrow(RangeError)
})

it('the lifetime of every key can be written in words', () => {
  for (const seconds of Object.values(KEY_SECONDS)) expect(periodText(seconds)).toMatch(/^\d+ (minute|hour|day)s?$/)
})
