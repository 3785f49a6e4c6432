import { expect, it } from 'vitest'
import { endOfPause, isAskedTwice, PAUSES, possiblePauses } from './pauses.ts'

const at = (text: string) => Date.parse(text) / 1000
const DAY = 86_400

it('the choices are time-outs of 1 day to 6 weeks and self-exclusions from 6 months, which are confirmed twice above 5 years', () => {
  expect(PAUSES['time-out'].map(({ name }) => name)).toEqual([
    '1 day',
    '2 days',
    '1 week',
    '2 weeks',
    '4 weeks',
    '6 weeks',
  ])
  const exclusions = ['6 months', '1 year', '2 years', '5 years', '10 years', '25 years', '50 years']
  expect(PAUSES.exclusion.map(({ name }) => name)).toEqual(exclusions)
  const twice = [...PAUSES['time-out'], ...PAUSES.exclusion].filter(({ length }) => isAskedTwice(length))
  expect(twice.map(({ name }) => name)).toEqual(['10 years', '25 years', '50 years'])
})

it('a time-out ends at the same second, whole days later', () => {
  expect(endOfPause({ days: 1 }, 1000)).toBe(1000 + DAY)
  expect(endOfPause({ days: 42 }, 1000)).toBe(1000 + 42 * DAY)
})

it.each([
  ['2026-11-21T12:00:00Z', 6, '2027-05-21T12:00:00Z'],
  ['2026-11-21T12:00:00Z', 60, '2031-11-21T12:00:00Z'],
  ['2028-02-29T12:00:00Z', 12, '2029-03-01T12:00:00Z'],
  ['2026-08-31T12:00:00Z', 6, '2027-03-03T12:00:00Z'],
])('an exclusion that begins %s and lasts %i months ends on %s', (from, months, until) => {
  expect(endOfPause({ months }, at(from))).toBe(at(until))
})

it('six months are never less than the 180 days that the server requires', () => {
  for (let day = 0; day < 366 * 4; day++) {
    const nowAt = at('2026-01-01T00:00:00Z') + day * DAY
    expect(endOfPause({ months: 6 }, nowAt) - nowAt).toBeGreaterThanOrEqual(180 * DAY)
  }
})

it('while a pause runs, only those that end later are offered', () => {
  const nowAt = at('2026-11-21T12:00:00Z')
  const names = (until: number | null) => possiblePauses('time-out', until, nowAt).map(({ name }) => name)
  expect(names(null)).toHaveLength(6)
  expect(names(nowAt + 7 * DAY)).toEqual(['2 weeks', '4 weeks', '6 weeks'])
  expect(names(nowAt + 42 * DAY)).toEqual([])
})
