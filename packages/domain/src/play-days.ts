import { WEEKDAY_NAMES } from './day-words.ts'
import { weekdayOf } from './weekday.ts'

const DAY_SECONDS = 86_400

/** A day with a draw of a game, as on the wire (spec section 3, advanced_ticket_purchase). */
interface PurchaseDay {
  /** 1 to 7, Monday 1, in UTC */
  readonly day: number
  /** start of the draw, in seconds after midnight UTC */
  readonly time_delta_midnight_utc: number
}

/** A day's checkbox on the play page (spec section 3, day checkboxes). */
interface DayChoice {
  /** 1 to 7, in UTC: the value that is sent, whatever the label */
  readonly index: number
  /** the day's name in the player's time zone */
  readonly label: string
  /** the start of its next draw, in epoch seconds: next week's if the day has passed */
  readonly startAt: number
  readonly enabled: boolean
  /** whether it is checked initially */
  readonly checked: boolean
}

/**
 * The day checkboxes of the play page (spec section 4, Days and weeks). A day is enabled if it is today (UTC) or later
 * in the week; if none is, all are. The first enabled one is checked. A label is the next weekday's where the player's
 * offset moves the draw past midnight, and the day before's if it moves the draw back.
 *
 * @param days the game's days
 * @param utcOffsetAt offset of the player's time zone at a moment, in seconds, east positive
 * @param nowAt epoch seconds
 */
export function dayChoices(
  days: readonly PurchaseDay[],
  { nowAt, utcOffsetAt }: { nowAt: number; utcOffsetAt: (at: number) => number },
): DayChoice[] {
  const today = weekdayOf(nowAt)
  const isNoneLeft = days.every(({ day }) => day < today)
  const weekStart = (Math.floor(nowAt / DAY_SECONDS) - today + 1 + (isNoneLeft ? 7 : 0)) * DAY_SECONDS
  const startOn = (day: number, delta: number): number => weekStart + (day - 1) * DAY_SECONDS + delta
  const offsetOn = (day: number, delta: number): number => utcOffsetAt(startOn(day, delta))
  const firstEnabled = days.findIndex(({ day }) => isNoneLeft || day >= today)
  return days.map(({ day, time_delta_midnight_utc }, place) => ({
    index: day,
    label: dayName(day + Math.floor((offsetOn(day, time_delta_midnight_utc) + time_delta_midnight_utc) / DAY_SECONDS)),
    startAt: startOn(day, time_delta_midnight_utc) + (isNoneLeft || day >= today ? 0 : 7 * DAY_SECONDS),
    enabled: isNoneLeft || day >= today,
    checked: place === firstEnabled,
  }))
}

/** Whether to show the note that some days have passed and cannot be chosen (spec section 4). */
export function haveDaysPassed(choices: readonly DayChoice[]): boolean {
  return choices.some((choice) => !choice.enabled)
}

/**
 * Whether the game can be played at all: it has days, at least one week, and a second week or a day to choose.
 * Otherwise the page says "The game is not available at the moment" (spec section 4).
 */
export function isGameAvailable(choices: readonly DayChoice[], maxWeeksAhead: number): boolean {
  const hasChoice = maxWeeksAhead >= 2 || choices.some((choice) => choice.enabled)
  return choices.length > 0 && maxWeeksAhead >= 1 && hasChoice
}

/** The weeks to choose from: 1 to the maximum (spec section 2). */
export function weekChoices(maxWeeksAhead: number): number[] {
  return Array.from({ length: Math.max(0, maxWeeksAhead) }, (_, place) => place + 1)
}

/**
 * Time from the close of sales to the start, in whole minutes, rounded up (spec section 4, Timers and draw lifecycle).
 */
export function closingWindowMinutes({ closesAt, startAt }: { closesAt: number; startAt: number }): number {
  return Math.ceil((startAt - closesAt) / 60)
}

/**
 * Whether sales have closed but the draw has not started: tickets bought now count for the next draw, and a note says
 * so with `closingWindowMinutes` (spec section 4).
 */
export function isInClosingWindow(
  { closesAt, startAt }: { closesAt: number; startAt: number },
  nowAt: number,
): boolean {
  return nowAt >= closesAt && nowAt < startAt
}

function dayName(day: number): string {
  // The remainder is 0 to 6, so the name exists.
  return WEEKDAY_NAMES[(((day - 1) % 7) + 7) % 7] ?? ''
}
