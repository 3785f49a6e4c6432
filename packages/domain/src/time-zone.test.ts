import { describe, expect, it } from 'vitest'
import { ownOffsetSeconds, utcOffsetSeconds, zoneCity } from './time-zone.ts'

const at = (utc: string): number => Date.parse(utc) / 1000

/** The offset as the difference of the times that the runtime writes for the zone and for UTC. */
function offsetByWords(zone: string, moment: number): number {
  const [there, utc] = [zone, 'UTC'].map((timeZone) =>
    Date.parse(`${new Date(moment * 1000).toLocaleString('en-US', { timeZone })} UTC`),
  )
  return ((there ?? NaN) - (utc ?? NaN)) / 1000
}

describe('the offset of a time zone', () => {
  it.each([
    ['Europe/London', '2027-03-28T00:59:59Z', 0],
    ['Europe/London', '2027-03-28T01:00:00Z', 3600],
    ['Europe/London', '2027-10-31T00:59:59Z', 3600],
    ['Europe/London', '2027-10-31T01:00:00Z', 0],
    ['Asia/Tokyo', '2027-03-28T17:00:00Z', 9 * 3600],
    ['Asia/Kathmandu', '2027-03-28T17:00:00Z', 5 * 3600 + 2700],
    ['America/New_York', '2027-01-01T00:00:00Z', -5 * 3600],
  ])('the offset of %s at %s is %i s', (zone, utc, seconds) => {
    expect(utcOffsetSeconds(zone, at(utc))).toBe(seconds)
  })

  it('the offset of this computer’s own zone is that of its clock', () => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    for (let month = 0; month < 24; month += 1) {
      const moment = Date.UTC(2026, month, 1) / 1000
      expect(ownOffsetSeconds(moment)).toBe(offsetByWords(own, moment))
    }
  })

  it('an unknown zone is an error', () => {
    expect(() => utcOffsetSeconds('Europe/Atlantis', 0)).toThrow(RangeError)
  })
})

it('a zone is named by its city', () => {
  expect(['Europe/London', 'America/New_York', 'UTC'].map(zoneCity)).toEqual(['London', 'New York', 'UTC'])
})
