import type { Weekday } from './games.ts'

const DAY_SECONDS = 86_400

/** The day of the week of a moment, in UTC: Monday 1 to Sunday 7. */
export function weekdayOf(at: number): Weekday {
  // Day 0 of the epoch was a Thursday. The remainder is 0 to 6, so the sum is a Weekday.
  return (((((Math.floor(at / DAY_SECONDS) + 3) % 7) + 7) % 7) + 1) as Weekday
}
