import { describe, expect, it } from 'vitest'
import { dateLabel, drawTimeLabel, momentLabel } from './draw-time-label.ts'

const at = (text: string): number => Date.parse(`${text}Z`) / 1000
const HOUR = 3600
/** Wednesday noon, UTC. */
const NOW = at('2026-01-07T12:00:00')
const label = (start: string, utcOffsetSeconds = 0, nowAt = NOW) =>
  drawTimeLabel({ startAt: at(start), nowAt, utcOffsetAt: () => utcOffsetSeconds })
const dayOf = (start: string, nowAt = NOW) => label(start, 0, nowAt).split(' at ')[0]

describe('the label of a draw time', () => {
  it.each([
    ['2026-01-07T12:00:00', 'Soon'],
    ['2026-01-07T11:00:00', 'Soon'],
    ['2026-01-07T12:00:01', 'Today'],
    ['2026-01-07T18:00:00', 'Today'],
    ['2026-01-07T18:00:01', 'Tonight'],
    ['2026-01-07T20:00:00', 'Tonight'],
    ['2026-01-08T00:00:00', 'Thursday'],
    ['2026-01-10T20:00:00', 'Saturday'],
    ['2026-01-11T23:59:00', 'Sunday'],
    ['2026-01-12T00:00:00', 'Next Monday'],
    ['2026-01-13T19:30:00', 'Next Tuesday'],
    ['2026-01-14T20:00:00', 'Next Wednesday'],
    ['2026-01-15T00:00:00', 'Jan 15, 2026'],
    ['2026-12-01T20:00:00', 'Dec 1, 2026'],
  ])('a draw at %s is labelled "%s"', (start, text) => {
    expect(dayOf(start)).toBe(text)
  })

  it.each([
    ['2026-01-07T20:00:00', 'Tonight at 8:00 PM'],
    ['2026-01-07T12:30:00', 'Today at 12:30 PM'],
    ['2026-01-08T00:05:00', 'Thursday at 12:05 AM'],
    ['2026-01-08T09:07:00', 'Thursday at 9:07 AM'],
    ['2026-02-08T20:00:00', 'Feb 8, 2026 at 8:00 PM'],
    ['2026-01-07T12:00:00', 'Soon'],
  ])('a draw at %s is labelled "%s" with its time', (start, text) => {
    expect(label(start)).toBe(text)
  })

  it('days and hours are counted in the player’s time zone', () => {
    expect(label('2026-01-07T20:00:00', 5 * HOUR)).toBe('Thursday at 1:00 AM')
    expect(label('2026-01-08T02:00:00', -5 * HOUR)).toBe('Tonight at 9:00 PM')
    expect(label('2026-01-07T18:00:00', -HOUR)).toBe('Today at 5:00 PM')
    expect(label('2026-01-07T18:00:00', HOUR)).toBe('Tonight at 7:00 PM')
    expect(dateLabel(at('2026-01-31T23:00:00'), 2 * HOUR)).toBe('Feb 1, 2026')
  })

  it('the next week begins on Monday', () => {
    const sunday = at('2026-01-11T12:00:00')
    expect(dayOf('2026-01-12T20:30:00', sunday)).toBe('Next Monday')
    expect(dayOf('2026-01-18T17:00:00', sunday)).toBe('Next Sunday')
    expect(dayOf('2026-01-11T17:00:00', sunday)).toBe('Today')
  })
})

describe('the label of a moment', () => {
  it.each([
    ['2026-11-25T20:00:00', 0, 'Wed, Nov 25, 8:00 PM'],
    ['2026-12-31T23:30:00', 0, 'Thu, Dec 31, 11:30 PM'],
    ['2026-12-31T23:30:00', HOUR, 'Jan 1, 2027 at 12:30 AM'],
    ['2025-06-01T00:00:00', 0, 'Jun 1, 2025 at 12:00 AM'],
  ])('a moment at %s UTC is labelled, with an offset of %i s, "%s"', (start, offset, words) => {
    expect(momentLabel({ at: at(start), nowAt: NOW, utcOffsetAt: () => offset })).toBe(words)
  })
})
