import { describe, expect, it } from 'vitest'
import { utcOffsetSeconds, zoneCity } from './time-zone.ts'

const at = (utc: string): number => Date.parse(utc) / 1000

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

  it('an unknown zone is an error', () => {
    expect(() => utcOffsetSeconds('Europe/Atlantis', 0)).toThrow(RangeError)
  })
})

it('a zone is named by its city', () => {
  expect(['Europe/London', 'America/New_York', 'UTC'].map(zoneCity)).toEqual(['London', 'New York', 'UTC'])
})
