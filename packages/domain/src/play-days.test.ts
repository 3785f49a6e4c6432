import { describe, expect, it } from 'vitest'
import {
  closingWindowMinutes,
  dayChoices,
  haveDaysPassed,
  isGameAvailable,
  isInClosingWindow,
  weekChoices,
} from './play-days.ts'

const at = (text: string): number => Date.parse(`${text}:00Z`) / 1000
const WEDNESDAY = at('2026-01-07T23:59')
const SUNDAY = at('2026-01-11T12:00')
const days = (...list: number[]) => list.map((day) => ({ day, time_delta_midnight_utc: 20 * 3600 }))
const choices = (list: number[], nowAt: number, utcOffsetSeconds = 0) =>
  dayChoices(days(...list), { nowAt, utcOffsetAt: () => utcOffsetSeconds })

describe('the days of an order', () => {
  it('days are enabled from today on, and the first of them is checked', () => {
    expect(choices([1, 3, 6], WEDNESDAY)).toEqual([
      { index: 1, label: 'Monday', startAt: expect.any(Number), enabled: false, checked: false },
      { index: 3, label: 'Wednesday', startAt: expect.any(Number), enabled: true, checked: true },
      { index: 6, label: 'Saturday', startAt: expect.any(Number), enabled: true, checked: false },
    ])
    expect(haveDaysPassed(choices([1, 3, 6], WEDNESDAY))).toBe(true)
  })

  it('all days are enabled when all have passed', () => {
    expect(choices([1, 3], SUNDAY).map(({ enabled, checked }) => [enabled, checked])).toEqual([
      [true, true],
      [true, false],
    ])
    expect(haveDaysPassed(choices([1, 3], SUNDAY))).toBe(false)
  })

  it('Sunday is 7', () => {
    expect(choices([7], SUNDAY)[0]).toMatchObject({ label: 'Sunday', enabled: true })
    expect(choices([1, 7], SUNDAY).map(({ enabled }) => enabled)).toEqual([false, true])
  })

  it.each([
    [4 * 3600 - 1, 'Sunday'],
    [4 * 3600, 'Monday'],
    [14 * 3600, 'Monday'],
    [-12 * 3600, 'Sunday'],
    [-20 * 3600 - 1, 'Saturday'],
  ])('a day is labelled in the player’s time zone: an offset of %d s makes it %s', (offset, label) => {
    expect(choices([7], SUNDAY, offset)[0]).toMatchObject({ index: 7, label })
  })

  it('each day is labelled by the local time of its own draw, across a clock change', () => {
    // London's clocks go forward between the two draws at 23:30 UTC, which makes the second one Monday's.
    const late = [6, 7].map((day) => ({ day, time_delta_midnight_utc: 23.5 * 3600 }))
    const utcOffsetAt = (moment: number): number => (moment < at('2027-03-28T01:00') ? 0 : 3600)
    const labels = dayChoices(late, { nowAt: at('2027-03-26T12:00'), utcOffsetAt }).map(({ label }) => label)
    expect(labels).toEqual(['Saturday', 'Monday'])
  })

  it('a game is available if it has days, and a second week or a day to choose', () => {
    expect(isGameAvailable(choices([1], SUNDAY), 1)).toBe(true)
    expect(isGameAvailable([], 4)).toBe(false)
    expect(isGameAvailable(choices([1], SUNDAY), 0)).toBe(false)
    const passed = choices([1], WEDNESDAY).map((choice) => ({ ...choice, enabled: false }))
    expect(isGameAvailable(passed, 1)).toBe(false)
    expect(isGameAvailable(passed, 2)).toBe(true)
  })

  it('weeks can be chosen from 1 to the maximum', () => {
    expect(weekChoices(4)).toEqual([1, 2, 3, 4])
    expect(weekChoices(0)).toEqual([])
  })
})

describe('the closing window', () => {
  it('the closing window is shown in minutes, rounded up', () => {
    expect(closingWindowMinutes({ closesAt: 0, startAt: 600 })).toBe(10)
    expect(closingWindowMinutes({ closesAt: 0, startAt: 601 })).toBe(11)
  })

  it('the closing window lasts from the close to the start', () => {
    const draw = { closesAt: 100, startAt: 200 }
    expect([99, 100, 199, 200].map((nowAt) => isInClosingWindow(draw, nowAt))).toEqual([false, true, true, false])
  })
})
