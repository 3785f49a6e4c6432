import { dayWords, shortDayWords } from './day-words.ts'
import { weekdayOf } from './weekday.ts'

const DAY_SECONDS = 86_400
/** Second of the day after which "Tonight" replaces "Today" (spec section 9). */
const TONIGHT_AFTER_SECONDS = 18 * 3600
const WEEKDAYS_WITHIN_DAYS = 7

/** The start of a draw, and the reader's time and time zone. */
interface DrawTime {
  /** epoch seconds */
  readonly startAt: number
  /** epoch seconds */
  readonly nowAt: number
  /** offset of the player's time zone, or the browser's, at a moment; in seconds, east positive */
  readonly utcOffsetAt: (at: number) => number
}

/**
 * The start of a draw in words (spec section 4, Draw time label): "Soon" once it has started; "Today" the same day, or
 * "Tonight" after 18:00; the weekday's name within 7 days, with "Next" before it if it is in the next week, which
 * begins on Monday; otherwise "Mon D, YYYY", as in "Nov 21, 2025". ` at h:mm AM/PM` follows the day. Days are those of
 * the player's time zone.
 */
export function drawTimeLabel({ startAt, nowAt, utcOffsetAt }: DrawTime): string {
  if (startAt <= nowAt) return 'Soon'
  const offset = utcOffsetAt(startAt)
  return `${dayLabel(startAt + offset, nowAt + utcOffsetAt(nowAt))} at ${timeLabel(startAt, offset)}`
}

/**
 * A moment as text: "Wed, Nov 25, 8:00 PM", or "Nov 25, 2027 at 8:00 PM" in another year.
 *
 * @param input.at epoch seconds
 * @param input.nowAt when the text is written, in epoch seconds
 * @param input.utcOffsetAt offset of the reader's time zone at a moment, in seconds, east positive
 */
export function momentLabel(input: { at: number; nowAt: number; utcOffsetAt: (at: number) => number }): string {
  const { at, nowAt, utcOffsetAt } = input
  const offset = utcOffsetAt(at)
  const time = timeLabel(at, offset)
  const isThisYear = dayWords(at + offset).year === dayWords(nowAt + utcOffsetAt(nowAt)).year
  return isThisYear ? `${shortDayWords(at + offset)}, ${time}` : `${dateLabel(at, offset)} at ${time}`
}

/** The date of a moment as "Mon D, YYYY", as in "Nov 21, 2025". */
export function dateLabel(at: number, utcOffsetSeconds: number): string {
  const { date, year } = dayWords(at + utcOffsetSeconds)
  return `${date}, ${year}`
}

/** The time of a moment as "h:mm AM/PM", as in "8:00 PM". */
export function timeLabel(at: number, utcOffsetSeconds: number): string {
  const local = at + utcOffsetSeconds
  const hour = Math.floor(secondsOfDay(local) / 3600)
  const minute = Math.floor((secondsOfDay(local) % 3600) / 60)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** The time of a moment to the second, as in "6:10:04 PM". */
export function exactTimeLabel(at: number, utcOffsetSeconds: number): string {
  const second = secondsOfDay(at + utcOffsetSeconds) % 60
  return timeLabel(at, utcOffsetSeconds).replace(' ', `:${String(second).padStart(2, '0')} `)
}

function dayLabel(startLocal: number, nowLocal: number): string {
  const daysAhead = dayOf(startLocal) - dayOf(nowLocal)
  if (daysAhead === 0) return secondsOfDay(startLocal) > TONIGHT_AFTER_SECONDS ? 'Tonight' : 'Today'
  if (daysAhead > WEEKDAYS_WITHIN_DAYS) return dateLabel(startLocal, 0)
  const { weekday } = dayWords(startLocal)
  return weekdayOf(startLocal) <= weekdayOf(nowLocal) ? `Next ${weekday}` : weekday
}

function dayOf(local: number): number {
  return Math.floor(local / DAY_SECONDS)
}

function secondsOfDay(local: number): number {
  return local - dayOf(local) * DAY_SECONDS
}
