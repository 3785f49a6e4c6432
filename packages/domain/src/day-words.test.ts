import { expect, it } from 'vitest'
import { dayWords, shortDayWords } from './day-words.ts'
import { exactTimeLabel } from './draw-time-label.ts'
import { monthName } from './month-names.ts'

const DAY = 86_400
const START = Date.parse('2027-12-01T23:59:59Z') / 1000

it('the words of 400 days are those of the runtime', () => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  const [weekday, date, year] = [{ weekday: 'long' }, { month: 'short', day: 'numeric' }, { year: 'numeric' }] as const
  const short = format({ weekday: 'short', ...date })
  const [month, day] = [format({ month: 'long' }), format(date)]
  for (let at = START; at < START + 400 * DAY; at += DAY) {
    const ms = at * 1000
    expect(dayWords(at)).toEqual({
      weekday: format(weekday).format(ms),
      date: day.format(ms),
      year: Number(format(year).format(ms)),
    })
    expect([shortDayWords(at), monthName(at)]).toEqual([short.format(ms), month.format(ms)])
  }
})

it('the exact time has its seconds, by the reader’s clock', () => {
  const at = Date.parse('2026-11-21T18:10:04Z') / 1000
  expect([exactTimeLabel(at, 0), exactTimeLabel(at, 5 * 3600 + 2700)]).toEqual(['6:10:04 PM', '11:55:04 PM'])
})
