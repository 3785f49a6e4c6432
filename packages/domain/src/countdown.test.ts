import { describe, expect, it } from 'vitest'
import { countdownTo, minutesAndSeconds, twoDigits } from './countdown.ts'

describe('a countdown', () => {
  it.each([
    [0, { days: 0, hours: 0, mins: 0, secs: 0 }],
    [-5, { days: 0, hours: 0, mins: 0, secs: 0 }],
    [59, { days: 0, hours: 0, mins: 0, secs: 59 }],
    [3_600, { days: 0, hours: 1, mins: 0, secs: 0 }],
    [90_061, { days: 1, hours: 1, mins: 1, secs: 1 }],
    [0.2, { days: 0, hours: 0, mins: 0, secs: 1 }],
  ])('a countdown of %d seconds is %j', (left, parts) => {
    expect(countdownTo(1_000_000 + left, 1_000_000)).toEqual(parts)
  })

  it.each([
    [300, '05:00'],
    [299, '04:59'],
    [0, '00:00'],
    [-1, '00:00'],
    [4_500, '75:00'],
    [6_000, '100:00'],
  ])('a countdown of %d seconds is shown as %s', (left, text) => {
    expect(minutesAndSeconds(1000 + left, 1000)).toBe(text)
  })

  it('each number has at least two digits', () => {
    expect([0, 9, 10, 123].map(twoDigits)).toEqual(['00', '09', '10', '123'])
  })
})
