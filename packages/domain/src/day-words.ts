import { weekdayOf } from './weekday.ts'

/** The names of the days, from Monday. */
export const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'

/** A day of the calendar: "Saturday", "Nov 21", 2026. */
interface DayWords {
  readonly weekday: string
  readonly date: string
  readonly year: number
}

/**
 * The words for a moment's day. The runtime's own formats would say the same, but to make the first of them takes a phone
 * tens of milliseconds.
 *
 * @param local epoch seconds, shifted by the offset of the reader's time zone; unshifted for a day in UTC
 */
export function dayWords(local: number): DayWords {
  const date = new Date(local * 1000)
  const month = 3 * date.getUTCMonth()
  return {
    weekday: WEEKDAY_NAMES[weekdayOf(local) - 1] ?? '',
    date: `${MONTHS.slice(month, month + 3)} ${date.getUTCDate()}`,
    year: date.getUTCFullYear(),
  }
}

/** The same day as "Sat, Nov 21". */
export function shortDayWords(local: number): string {
  const { weekday, date } = dayWords(local)
  return `${weekday.slice(0, 3)}, ${date}`
}
