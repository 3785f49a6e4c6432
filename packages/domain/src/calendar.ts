import { assert } from './assert.ts'
import { LotteryError } from './errors.ts'
import { POSTPONED_BY_SECONDS } from './protocol/numbers.ts'
import { endAfterStart, type GameRules, type Weekday } from './games.ts'
import { weekdayOf } from './weekday.ts'

/** A draw in the calendar of its game; times in epoch seconds. */
interface ScheduledDraw {
  readonly startAt: number
  /** sales close; before `startAt` */
  readonly closesAt: number
  readonly endAt: number
  /** the day of `startAt`, in UTC */
  readonly weekday: Weekday
}

/** The facts of a draw that an order depends on; times in epoch seconds. */
export interface OpenDraw {
  /** its number within the game, from 1 */
  readonly number: number
  /** the day of `startAt` in UTC: Monday 1 to Sunday 7 */
  readonly weekday: number
  readonly startAt: number
  /** open for sale before this moment */
  readonly closesAt: number
}

/** Input for choosing the draws of an order. */
interface OrderedDays {
  readonly game: Pick<GameRules, 'drawTimes' | 'maxWeeksAhead'>
  /** the game's draws that are open for sale, ascending by start; closed ones are skipped */
  readonly openDraws: readonly OpenDraw[]
  /** the chosen weekdays, 1 to 7; each counts once */
  readonly days: readonly number[]
  /** number of weeks, 1 to the game's maximum */
  readonly weeks: number
  /** time of the order, epoch seconds */
  readonly nowAt: number
}

/** The rules that a game's calendar depends on. */
type Calendar = Pick<GameRules, 'drawTimes' | 'closesBeforeSeconds' | 'pick'>

const DAY_SECONDS = 86_400
/** Seconds around the demo's extra draw in which a regular draw is left out (decisions section 4). */
const EXTRA_DRAW_APART_SECONDS = 3600
/** Least time between the end of a draw and the start of a postponed one of the same game (decisions section 4). */
export const BETWEEN_DRAWS_SECONDS = 600

/**
 * The next draws of a game's weekly calendar that start after a moment, ascending.
 *
 * @param afterAt epoch seconds; a draw that starts at exactly this moment is not included
 * @param count number of draws, 0 to 10,000
 */
export function regularDrawsAfter(game: Calendar, afterAt: number, count: number): ScheduledDraw[] {
  return take(startsAfter(game, afterAt), count).map((startAt) => scheduledDraw(game, startAt))
}

/**
 * The next draws of a game that start after a moment, ascending, including the demo's extra first draw: a regular
 * draw within 60 minutes of the extra one, before or after, is left out (decisions section 4).
 *
 * @param afterAt epoch seconds; a draw that starts at exactly this moment is not included
 * @param count number of draws, 0 to 10,000
 * @param extraStartAt start of the extra draw, epoch seconds; without one the calendar is the regular one
 */
export function scheduledDrawsAfter(
  game: Calendar,
  afterAt: number,
  count: number,
  extraStartAt: number | null = null,
): ScheduledDraw[] {
  if (extraStartAt === null) return regularDrawsAfter(game, afterAt, count)
  const starts = take(startsAfter(game, afterAt, extraStartAt), count)
  return starts.map((startAt) => scheduledDraw(game, startAt))
}

/**
 * The draws of an order, as their numbers, ascending by start (decisions section 4): for each chosen day, the next
 * `weeks` draws of that weekday that are open for sale. If a chosen day is today (UTC) and today's draws have all
 * closed, its first week is the first open draw that is not otherwise in the order; its other weeks stay on the
 * weekday. There are always exactly days × weeks draws.
 *
 * @throws LotteryError INVALID_PAYLOAD for no day, a day without a draw of the game, or weeks out of range
 * @throws LotteryError GAME_NOT_AVAILABLE if not enough draws are open
 */
export function drawsOfOrder({ game, openDraws, days, weeks, nowAt }: OrderedDays): number[] {
  const chosenDays = new Set(days)
  checkDaysAndWeeks(game, chosenDays, weeks)
  const open = openDraws.filter((draw) => nowAt < draw.closesAt)
  const chosen = [...chosenDays].flatMap((day) => {
    const wanted = isOverForToday(open, day, nowAt) ? weeks - 1 : weeks
    const draws = open.filter((draw) => draw.weekday === day).slice(0, wanted)
    if (draws.length < wanted) throw new LotteryError('GAME_NOT_AVAILABLE')
    return draws
  })
  if (chosen.length < chosenDays.size * weeks) {
    const first = firstOpenDrawNotIn(open, new Set(chosen.map((draw) => draw.number)), nowAt)
    if (first === null) throw new LotteryError('GAME_NOT_AVAILABLE')
    chosen.push(first)
  }
  return chosen.sort((one, other) => one.startAt - other.startAt).map((draw) => draw.number)
}

/**
 * The first draw open for sale that the order is not in yet; null if there is none. Entries of a closed or void draw
 * move to it (decisions section 4).
 *
 * @param openDraws ascending by start; closed ones are skipped
 * @param taken numbers of the order's draws
 */
export function firstOpenDrawNotIn<D extends Pick<OpenDraw, 'number' | 'closesAt'>>(
  openDraws: readonly D[],
  taken: ReadonlySet<number>,
  nowAt: number,
): D | null {
  return openDraws.find((draw) => nowAt < draw.closesAt && !taken.has(draw.number)) ?? null
}

/**
 * The draws of a game that must be open for sale now, ascending by start: every draw that some order could name now,
 * and one more for entries to move to (decisions section 4). They are always the game's next draws without a gap. The
 * caller opens those that are not open yet; a draw opened earlier stays open.
 *
 * @param nowAt epoch seconds
 * @param extraStartAt start of the demo's extra draw, past or future, in epoch seconds
 */
export function openAhead(
  game: Calendar & Pick<GameRules, 'maxWeeksAhead'>,
  nowAt: number,
  extraStartAt: number | null = null,
): ScheduledDraw[] {
  // Two weeks beyond any order, so that every draw needed below is included.
  const horizon = game.drawTimes.length * (game.maxWeeksAhead + 2) + 2
  const notClosed = scheduledDrawsAfter(game, nowAt, horizon, extraStartAt).filter((draw) => nowAt < draw.closesAt)
  // The largest order, every day for the maximum of weeks, names every draw that any order can name: a smaller order is
  // a part of it, and replaces the first week of a closed day only by a draw that the larger order names too.
  const numbered = notClosed.map((draw, place) => ({ ...draw, number: place }))
  const days = [...new Set(game.drawTimes.map((time) => time.day))]
  const nameable = drawsOfOrder({ game, openDraws: numbered, days, weeks: game.maxWeeksAhead, nowAt })
  const lastNamed = nameable.at(-1) ?? 0
  return notClosed.slice(0, Math.max(nameable.length, lastNamed) + 1)
}

/**
 * The start of a postponed draw: the first whole minute at least 900 s after the decision (fairness section 9), and at
 * least 600 s after the end of every earlier unfinished draw of the game (decisions section 4). Epoch seconds.
 *
 * @param decidedAt the time of the postpone statement
 * @param earlierEndsAt ends of the game's earlier unfinished draws
 */
export function postponedStartAt(decidedAt: number, earlierEndsAt: readonly number[]): number {
  const earliest = Math.max(
    decidedAt + POSTPONED_BY_SECONDS,
    ...earlierEndsAt.map((endAt) => endAt + BETWEEN_DRAWS_SECONDS),
  )
  return Math.ceil(earliest / 60) * 60
}

function checkDaysAndWeeks(game: OrderedDays['game'], days: ReadonlySet<number>, weeks: number): void {
  const drawDays = new Set<number>(game.drawTimes.map((time) => time.day))
  const fields: Record<string, string> = {}
  if (days.size === 0) fields['days'] = 'Choose at least one day.'
  else if (![...days].every((day) => drawDays.has(day))) fields['days'] = 'The game is not drawn on every day chosen.'
  if (!Number.isSafeInteger(weeks) || weeks < 1 || weeks > game.maxWeeksAhead) {
    fields['weeks'] = `Must be a whole number from 1 to ${game.maxWeeksAhead}.`
  }
  if (Object.keys(fields).length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
}

function isOverForToday(open: readonly OpenDraw[], day: number, nowAt: number): boolean {
  if (day !== weekdayOf(nowAt)) return false
  const today = Math.floor(nowAt / DAY_SECONDS)
  return !open.some((draw) => Math.floor(draw.startAt / DAY_SECONDS) === today)
}

function scheduledDraw(game: Calendar, startAt: number): ScheduledDraw {
  return {
    startAt,
    closesAt: startAt - game.closesBeforeSeconds,
    endAt: startAt + endAfterStart(game),
    weekday: weekdayOf(startAt),
  }
}

/** The starts of a calendar after a moment: endless, unless the game has no draw times. */
function* startsAfter(game: Calendar, afterAt: number, extraStartAt: number | null = null): Generator<number, void> {
  assert(Number.isSafeInteger(afterAt), `not a moment: ${afterAt}`)
  if (game.drawTimes.length === 0) return
  let extra = extraStartAt !== null && extraStartAt > afterAt ? extraStartAt : null
  for (let day = Math.floor(afterAt / DAY_SECONDS); ; day += 1) {
    for (const startAt of startsOfDay(game, day)) {
      if (startAt <= afterAt) continue
      if (extraStartAt !== null && Math.abs(startAt - extraStartAt) <= EXTRA_DRAW_APART_SECONDS) continue
      if (extra !== null && extra < startAt) {
        yield extra
        extra = null
      }
      yield startAt
    }
  }
}

function startsOfDay(game: Calendar, day: number): number[] {
  const weekday = weekdayOf(day * DAY_SECONDS)
  return game.drawTimes
    .filter((time) => time.day === weekday)
    .map((time) => day * DAY_SECONDS + time.minuteOfDay * 60)
    .sort((one, other) => one - other)
}

function take(starts: Generator<number, void>, count: number): number[] {
  assert(Number.isSafeInteger(count) && count >= 0 && count <= 10_000, `not a number of draws: ${count}`)
  return [...starts.take(count)]
}
