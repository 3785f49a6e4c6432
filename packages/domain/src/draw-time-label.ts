import { weekdayOf } from './weekday.ts'
import { WEEKDAY_NAMES } from './play-days.ts'

const DAY_SECONDS = 86_400
/** Second of the day after which "Tonight" replaces "Today" (spec section 9). */
const TONIGHT_AFTER_SECONDS = 18 * 3600
const WEEKDAYS_WITHIN_DAYS = 7
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

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
  const [offset, local] = [utcOffsetAt(at), at + utcOffsetAt(at)]
  const time = timeLabel(at, offset)
  const date = new Date(local * 1000)
  const isThisYear = date.getUTCFullYear() === new Date((nowAt + utcOffsetAt(nowAt)) * 1000).getUTCFullYear()
  if (!isThisYear) return `${dateLabel(at, offset)} at ${time}`
  const weekday = (WEEKDAY_NAMES[weekdayOf(local) - 1] ?? '').slice(0, 3)
  return `${weekday}, ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${time}`
}

/** The date of a moment as "Mon D, YYYY", as in "Nov 21, 2025". */
export function dateLabel(at: number, utcOffsetSeconds: number): string {
  const date = new Date((at + utcOffsetSeconds) * 1000)
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

/** The time of a moment as "h:mm AM/PM", as in "8:00 PM". */
export function timeLabel(at: number, utcOffsetSeconds: number): string {
  const local = at + utcOffsetSeconds
  const hour = Math.floor(secondsOfDay(local) / 3600)
  const minute = Math.floor((secondsOfDay(local) % 3600) / 60)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

function dayLabel(startLocal: number, nowLocal: number): string {
  const daysAhead = dayOf(startLocal) - dayOf(nowLocal)
  if (daysAhead === 0) return secondsOfDay(startLocal) > TONIGHT_AFTER_SECONDS ? 'Tonight' : 'Today'
  if (daysAhead > WEEKDAYS_WITHIN_DAYS) return dateLabel(startLocal, 0)
  const weekday = weekdayOf(startLocal)
  const name = WEEKDAY_NAMES[weekday - 1] ?? ''
  return weekday <= weekdayOf(nowLocal) ? `Next ${name}` : name
}

function dayOf(local: number): number {
  return Math.floor(local / DAY_SECONDS)
}

function secondsOfDay(local: number): number {
  return local - dayOf(local) * DAY_SECONDS
}
